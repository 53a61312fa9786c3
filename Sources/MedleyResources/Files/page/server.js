// Requests to the service, and its problems as errors.

import { parseJSON } from './json.js';

/** An answer of the service that is a refusal (RFC 9457). */
export class Problem extends Error {
    constructor(status, members) {
        super(members.detail || members.title || `The server answered ${status}.`);
        this.status = status;
        this.title = members.title ?? '';
        this.code = String(members.type ?? '').replace('/problems/', '');
    }
}

/** The service cannot be reached. */
export class Unreachable extends Error {}

/** Sends a request; gives `{status, body}`, `body` being undefined if there is none. Throws Problem or Unreachable. */
export async function send(method, path, { headers = {}, body } = {}) {
    const fields = { Accept: 'application/json', ...headers };
    if (body !== undefined) fields['Content-Type'] = 'application/json';
    let response, text;
    try {
        response = await fetch(path, {
            method, headers: fields, body: body === undefined ? undefined : JSON.stringify(body),
        });
        text = await response.text();
    } catch (error) {
        throw new Unreachable('The server does not answer.', { cause: error });
    }
    if (response.ok || response.status === 304) {
        return { status: response.status, body: text === '' ? undefined : parseJSON(text) };
    }
    let members = {};
    try {
        members = JSON.parse(text);
    } catch {
        // A proxy between may refuse in words of its own.
    }
    throw new Problem(response.status, members);
}

/** Sends an edit under a key of its own, a second time if the answer was lost: it is carried out once. */
export async function sendEdit(method, path, { headers = {}, body }) {
    const keyed = { headers: { ...headers, 'Idempotency-Key': randomKey() }, body };
    try {
        return await send(method, path, keyed);
    } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        return send(method, path, keyed);
    }
}

export function collectionPath(id) {
    return `/v1/collections/${encodeURIComponent(id)}`;
}

function randomKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
