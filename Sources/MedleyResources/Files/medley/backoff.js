// How long to wait before the next attempt: exponential, with full jitter, so that many clients that failed together
// do not come back together.

export class Backoff {
    #random;
    #first;
    #longest;
    #failures = 0;

    /** Times are in milliseconds; `random` gives numbers in [0, 1). */
    constructor({ random = Math.random, first = 1_000, longest = 30_000 } = {}) {
        this.#random = random;
        this.#first = first;
        this.#longest = longest;
    }

    /** How many attempts failed in a row. */
    get failures() {
        return this.#failures;
    }

    succeeded() {
        this.#failures = 0;
    }

    /** The wait after another failure; at least what the server asked for, and then spread over a second more. */
    failed(retryAfter = null) {
        const bound = Math.min(this.#longest, this.#first * 2 ** Math.min(this.#failures, 30));
        this.#failures += 1;
        return retryAfter === null ? this.#random() * bound : retryAfter + this.#random() * Math.min(bound, 1_000);
    }

    /** The wait after a stream that worked and came to its end: what its `retry:` said, and up to half of it more. */
    ended(retry = null) {
        return (retry ?? 3_000) * (1 + this.#random() / 2);
    }
}
