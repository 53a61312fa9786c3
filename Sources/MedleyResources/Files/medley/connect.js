// The two ways in.

import { Connection } from './connection.js';
import { Connections } from './connections.js';
import { Service } from './service.js';

/**
 * @typedef {object} Options
 * @property {Record<string, string> | (() => Record<string, string>)} [headers] sent with each request, for example
 *   for a proxy that asks for `Authorization`
 * @property {string | null | (() => string | null)} [token] a token, sent as `Authorization: Bearer` with each request
 *   and nowhere else, or what gives the one to send each time. Without one, a page of the server's own origin is known by
 *   the cookie of its session
 * @property {RequestCredentials} [credentials] as `fetch` has it; 'same-origin' if it is left out
 * @property {number} [giveUpAfter] how long an edit is tried, in milliseconds; 30,000 by default
 * @property {(text: string) => any} [parse] in place of `JSON.parse`, which gives numbers as JavaScript understands
 *   them: 1.10 as 1.1, and 9007199254740993 as 9007199254740992
 * @property {(apply: (observer?: object) => void, batch: {changes: object[], from: string, to: string,
 *   origin: 'here' | 'elsewhere'}) => void} [applying] called in place of applying a difference; it has to call
 *   `apply` before it returns. If it does not, the changes are applied without it, and the event `error` tells. It is
 *   the place to look at the list before and after, for example to animate the way.
 *   `apply` takes an observer with methods as `Collection.apply` calls them.
 * @property {typeof fetch} [fetch] in place of the global one
 * @property {{now: () => number, after: (milliseconds: number, work: () => void) => () => void}} [clock] for tests
 * @property {() => number} [random] for tests
 */

/**
 * Follows one collection.
 * @param {string | URL} url the collection's, as `http://127.0.0.1:8080/v1/collections/mix`
 * @param {Options} [options]
 * @returns {Connection}
 */
export function connect(url, options = {}) {
    const { origin, pathname } = absolute(url);
    const id = /\/v1\/collections\/([^/]+)$/.exec(pathname)?.[1];
    if (id === undefined) throw new TypeError(`${url} is no collection’s: those end with /v1/collections/ID`);
    return new Connection(decodeURIComponent(id), origin + pathname, new Service(options), options);
}

/**
 * Follows many collections over one connection.
 * @param {string | URL} url the service's, as `http://127.0.0.1:8080`
 * @param {Options & {collections?: string[]}} [options] `collections` are the ids; without them all there are, and
 *   those made later too
 * @returns {Connections}
 */
export function connectAll(url, { collections = null, ...options } = {}) {
    const { origin, pathname } = absolute(url);
    const base = `${origin}${pathname.replace(/\/(v1\/?)?$/, '')}/v1`;
    for (const id of collections ?? []) {
        if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) throw new TypeError(`no collection can be called ${id}`);
    }
    return new Connections(base, collections, new Service(options), options);
}

function absolute(url) {
    return new URL(url, globalThis.location?.href);
}
