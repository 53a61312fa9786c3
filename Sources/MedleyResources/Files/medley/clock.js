// Time, so that tests can have one of their own.

export const systemClock = {
    /** Milliseconds since some moment; never goes back. */
    now: () => performance.now(),

    /** Calls once, later; gives a function that calls it off. */
    after(milliseconds, work) {
        const timer = setTimeout(work, milliseconds);
        return () => clearTimeout(timer);
    },
};

/** Ends after a time, or at once when the signal is aborted. Never fails. */
export function sleep(clock, milliseconds, signal) {
    return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = () => {
            cancel();
            signal?.removeEventListener('abort', done);
            resolve();
        };
        const cancel = clock.after(milliseconds, done);
        signal?.addEventListener('abort', done);
    });
}
