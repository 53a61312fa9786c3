// Events by name. A listener that throws disturbs neither the others nor what told them.

export class Emitter {
    #listeners = new Map();

    /** Calls a listener at each event of that name, until the function that this returns is called. */
    on(name, listener) {
        const listeners = this.#listeners.get(name) ?? new Set();
        // Of its own, so that the same function can listen twice and stop once.
        const entry = { listener };
        this.#listeners.set(name, listeners.add(entry));
        return () => listeners.delete(entry);
    }

    /** Tells the listeners; what they throw is reported as an error that nobody caught. */
    emit(name, event) {
        for (const { listener } of this.#listeners.get(name) ?? []) {
            try {
                listener(event);
            } catch (error) {
                report(error);
            }
        }
    }
}

function report(error) {
    if (typeof reportError === 'function') reportError(error);
    else queueMicrotask(() => { throw error; });
}
