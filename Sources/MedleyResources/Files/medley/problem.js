// What can go wrong with a request.

/** An answer of the service that is a refusal (RFC 9457). */
export class MedleyProblem extends Error {
    name = 'MedleyProblem';

    /** `members` is the problem's JSON object, empty if a proxy refused in words of its own. */
    constructor(status, members, retryAfter = null) {
        super(members.detail || members.title || `The server answered ${status}.`);
        /** The HTTP status. @type {number} */
        this.status = status;
        /** What kind of problem it is, as `item-not-found`; '' if the service did not say. @type {string} */
        this.code = String(members.type ?? '').replace(/^.*\/problems\//, '');
        /** @type {string} */
        this.title = members.title ?? '';
        /** The place in the request, as `/changes/0/ids/1`. @type {string | undefined} */
        this.pointer = members.pointer;
        /** The collection's revision, where it applies. @type {string | undefined} */
        this.current = members.current;
        /** All members of the problem. @type {object} */
        this.members = members;
        /** What `Retry-After` says, in milliseconds, or null. @type {number | null} */
        this.retryAfter = retryAfter;
    }

    /** Whether a token is missing, is not in force any longer, or does not allow this: no wait will change it. */
    get isDenied() {
        // A proxy's own 403 is often about something else, which passes.
        return this.status === 401 || (this.status === 403 && this.code !== '');
    }

    /** Whether the same request may succeed later, and certainly did nothing or can be told apart by its key. */
    get isPassing() {
        return [408, 429, 502, 503, 504].includes(this.status) || this.code === 'key-in-use';
    }
}

/** The service cannot be reached, or fell silent. */
export class MedleyUnreachable extends Error {
    name = 'MedleyUnreachable';
    /** @type {null} */
    retryAfter = null;

    get isDenied() {
        return false;
    }

    get isPassing() {
        return true;
    }
}
