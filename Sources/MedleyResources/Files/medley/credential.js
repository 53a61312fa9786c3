// The token that requests carry, as a header field and nowhere else: never in an address, which is logged.

/** What a token can be made of (RFC 6750, 2.1). */
const tokenForm = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

/**
 * Gives the function that tells the header fields of a request. `token` is a text, or a function that gives one, or null
 * for none, each time. Throws a TypeError, which does not show it, for a text that no token can be.
 */
export function credential(token) {
    if (typeof token !== 'function') {
        const fields = authorization(token);
        return () => fields;
    }
    return () => authorization(token());
}

function authorization(token) {
    if (token === null || token === undefined) return {};
    if (typeof token !== 'string' || !tokenForm.test(token)) {
        throw new TypeError('This is not a token: it has a character that none can have, is empty or too long.');
    }
    return { Authorization: `Bearer ${token}` };
}
