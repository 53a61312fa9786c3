// Who is signed in and what they may do; signs in and out. Knows nothing of the document, and keeps no token.

import { MedleyProblem, Service } from '../medley.js';

const place = '/v1/session';

export class Session {
    /** The name of the token that is signed in with; null for nobody. */
    name = null;
    /** Whether there is anything to sign in with. */
    takesTokens = false;
    /**
     * Why the visitor is asked to sign in: 'needed' (there is nothing to see without), 'ended' (it was signed in),
     * 'wanted' (by the visitor); null if not.
     */
    asks = null;

    #permissions = new Set();
    #isKnown = false;
    #changed;
    #makeService;
    #service;
    #loading = null;

    /** `changed()` is called when any of this is different; `makeService` makes a Service with options. */
    constructor(changed, makeService = (options) => new Service(options)) {
        this.#changed = changed;
        this.#makeService = makeService;
        this.#service = makeService({});
    }

    /** Whether they may `read`, `write` or `admin`; nobody may anything before it is known. */
    may(right) {
        return this.#permissions.has(right);
    }

    /** Whether the visitor can leave the question unanswered. */
    get canWait() {
        return this.asks !== null && this.may('read');
    }

    /**
     * Asks the server who is signed in; gives whether anything changed. Throws what `Service.send` throws; then all stays
     * as it is.
     */
    load() {
        // Several things notice at once that a session has ended.
        this.#loading ??= this.#service.send('GET', place)
            .then(({ body }) => this.#take(body))
            .finally(() => { this.#loading = null; });
        return this.#loading;
    }

    /** The visitor wants to sign in. */
    want() {
        this.#ask('wanted');
    }

    /** The visitor does not want to sign in now. */
    leave() {
        if (this.canWait) this.#ask(null);
    }

    /** Exchanges a token for a session. Gives null, or what is wrong in a sentence that does not show the token. */
    async signIn(text) {
        const token = text.trim();
        if (token === '') return 'Enter a token.';
        let service;
        try {
            service = this.#makeService({ token });
        } catch {
            return 'This is not a token: those have letters, digits and a few signs, and no spaces.';
        }
        try {
            await service.send('POST', place);
            // What was under way says who was signed in before.
            await this.#loading?.catch(() => {});
            await this.load();
        } catch (error) {
            if (error instanceof MedleyProblem && error.status === 401) return 'The server does not know this token.';
            return error.message;
        }
        return this.name === null ? 'The browser has kept no cookie of this server, so it cannot sign in.' : null;
    }

    /** Ends the session. Throws what `Service.send` throws; then it goes on. */
    async signOut() {
        await this.#service.send('DELETE', place);
        this.name = null;
        this.#permissions = new Set();
        await this.#loading?.catch(() => {});
        await this.load();
    }

    #take({ name, takesTokens, permissions }) {
        const hadName = this.name !== null;
        const before = JSON.stringify([this.#isKnown, this.name, this.takesTokens, [...this.#permissions], this.asks]);
        this.name = name;
        this.takesTokens = takesTokens;
        this.#permissions = new Set(permissions);
        this.#isKnown = true;
        if (name !== null || !takesTokens) this.asks = null;
        else if (this.asks === 'needed' && this.may('read')) this.asks = null;
        else if (hadName) this.asks = 'ended';
        else if (!this.may('read') && this.asks === null) this.asks = 'needed';
        const after = JSON.stringify([true, name, takesTokens, permissions, this.asks]);
        if (before === after) return false;
        this.#changed();
        return true;
    }

    #ask(reason) {
        if (this.asks === reason) return;
        this.asks = reason;
        this.#changed();
    }
}
