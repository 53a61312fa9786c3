// Requests to a service: its problems as errors, and an end for those that fall silent.

import { systemClock } from './clock.js';
import { credential } from './credential.js';
import { MedleyProblem, MedleyUnreachable } from './problem.js';

/** Without a byte for so long a request counts as lost; the server breaks a stream's silence every 15 s. */
export const longestSilence = 20_000;

export class Service {
    /** Where the time comes from. */
    clock;
    /** Numbers in [0, 1). */
    random;

    #fetch;
    #parse;
    #headers;
    #credential;
    #credentials;

    /** See `connect` for the options. */
    constructor({
        fetch = globalThis.fetch, parse = JSON.parse, headers = {}, token, credentials, clock = systemClock,
        random = Math.random,
    } = {}) {
        // A browser's fetch wants to be called without a receiver.
        this.#fetch = (...request) => fetch(...request);
        this.#parse = parse;
        this.#headers = headers;
        this.#credential = credential(token);
        this.#credentials = credentials;
        this.clock = clock;
        this.random = random;
    }

    /** What a text of the service states. Throws a MedleyUnreachable if it is not JSON: something else answered. */
    parse(text) {
        try {
            return this.#parse(text);
        } catch (error) {
            throw new MedleyUnreachable('The answer is not JSON; it may not be the server’s.', { cause: error });
        }
    }

    /**
     * Sends a request and reads the answer whole: `{status, body}`, `body` being undefined if there is none.
     * `body` of the request is a text. Throws a MedleyProblem, a MedleyUnreachable, or the signal's reason.
     */
    async send(method, url, { headers = {}, body, signal, silence = longestSilence } = {}) {
        const fields = { Accept: 'application/json', ...headers };
        const exchange = this.open(method, url, { headers: fields, body, signal, silence });
        try {
            const response = await exchange.response;
            const text = await exchange.text();
            return { status: response.status, body: text === '' ? undefined : this.parse(text) };
        } finally {
            exchange.close();
        }
    }

    /** Begins a request whose answer is read piece by piece; it has to be closed. */
    open(method, url, { headers, body, signal, silence = longestSilence }) {
        const own = typeof this.#headers === 'function' ? this.#headers() : this.#headers;
        const shown = this.#credential();
        const fields = { ...own, ...headers, ...shown };
        if (body !== undefined) fields['Content-Type'] = 'application/json';
        const init = { method, headers: fields, body, cache: 'no-store', credentials: this.#credentials };
        // A token is for the address that it was given for; where that points to, it does not go.
        if ('Authorization' in shown) init.redirect = 'manual';
        return new Exchange(this.#fetch, url, init, { clock: this.clock, silence, signal });
    }
}

/** A request under way. */
class Exchange {
    /** The head of the answer, which is no refusal. */
    response;
    /** Whether a byte of the body has come. */
    hasBytes = false;
    /** Whether it was ended since nothing came for too long. */
    isSilent = false;

    #clock;
    #silence;
    #signal;
    #controller = new AbortController();
    #cancelWatch = () => {};

    constructor(fetch, url, init, { clock, silence, signal }) {
        this.#clock = clock;
        this.#silence = silence;
        this.#signal = signal;
        if (signal?.aborted) this.#abort();
        signal?.addEventListener('abort', this.#abort);
        this.#watch();
        this.response = this.#start(fetch, url, init);
        // Whoever waits for it hears of it; nobody may, if it is closed at once.
        this.response.catch(() => {});
    }

    /** The pieces of the body. The silence is not counted while the last piece is being worked on. */
    async *bytes() {
        yield* this.#pieces(await this.response);
    }

    /** The whole body. */
    async text() {
        return this.#whole(await this.response);
    }

    close() {
        this.#cancelWatch();
        this.#signal?.removeEventListener('abort', this.#abort);
        this.#controller.abort();
    }

    async *#pieces(response) {
        if (!response.body) return;
        const reader = response.body.getReader();
        try {
            for (;;) {
                this.#watch();
                const { done, value } = await this.#reached(reader.read());
                this.#cancelWatch();
                if (done) return;
                this.hasBytes = true;
                yield value;
            }
        } finally {
            reader.cancel().catch(() => {});
        }
    }

    async #whole(response) {
        const decoder = new TextDecoder();
        let text = '';
        for await (const piece of this.#pieces(response)) text += decoder.decode(piece, { stream: true });
        return text + decoder.decode();
    }

    #abort = () => this.#controller.abort();

    #watch() {
        this.#cancelWatch();
        this.#cancelWatch = this.#clock.after(this.#silence, () => {
            this.isSilent = true;
            this.#controller.abort();
        });
    }

    async #start(fetch, url, init) {
        const response = await this.#reached(fetch(url, { ...init, signal: this.#controller.signal }));
        if (response.ok || response.status === 304) return response;
        if (init.redirect && (response.type === 'opaqueredirect' || response.headers.has('Location'))) {
            const detail = 'The server points elsewhere, where the token does not go.';
            throw new MedleyProblem(response.status, { title: 'Redirected', detail });
        }
        let members = {};
        try {
            members = JSON.parse(await this.#whole(response));
        } catch {
            // A proxy between may refuse in words of its own.
        }
        throw new MedleyProblem(response.status, Object(members), retryAfter(response));
    }

    /** The outcome, or the silence's, if that comes first: not every fetch gives up when it is told to. */
    async #reached(outcome) {
        const { signal } = this.#controller;
        let stop;
        const stopped = new Promise((_, reject) => {
            stop = () => reject(new Error('The request was ended.'));
            if (signal.aborted) stop();
            signal.addEventListener('abort', stop);
        });
        try {
            return await Promise.race([outcome, stopped]);
        } catch (error) {
            if (this.#signal?.aborted) throw this.#signal.reason;
            throw new MedleyUnreachable('The server does not answer.', { cause: error });
        } finally {
            signal.removeEventListener('abort', stop);
        }
    }
}

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 section 10.2.3); an hour at most. */
function retryAfter(response) {
    const text = response.headers.get('Retry-After');
    if (text === null) return null;
    const time = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
    return Number.isNaN(time) ? null : Math.min(Math.max(0, time), 3_600_000);
}
