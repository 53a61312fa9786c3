// Edits, sent one after the other, each until it is answered or its time is over.

import { Backoff } from './backoff.js';
import { sleep } from './clock.js';
import { MedleyUnreachable } from './problem.js';
import { longestSilence } from './service.js';

export class EditQueue {
    #service;
    #giveUpAfter;
    #turn = Promise.resolve();
    #underWay = null;

    /** `giveUpAfter` is the time for an edit with all its attempts, in milliseconds. */
    constructor(service, giveUpAfter = 30_000) {
        this.#service = service;
        this.#giveUpAfter = giveUpAfter;
    }

    /** Does a piece of work when those before it are over; gives what it gives. */
    add(work) {
        const result = this.#turn.then(work);
        this.#turn = result.catch(() => {});
        return result;
    }

    /** Waits for the answer of the attempt under way, but no longer than so many milliseconds. */
    async answered(longest) {
        if (!this.#underWay) return;
        const overtaken = new AbortController();
        await Promise.race([this.#underWay, sleep(this.#service.clock, longest, overtaken.signal)]);
        overtaken.abort();
    }

    /** Sends an edit under a key of its own until it is answered. `take` gets the answer before anything else does. */
    async send(method, url, { headers, body }, { signal, giveUpAfter = this.#giveUpAfter }, take) {
        const { clock, random } = this.#service;
        const backoff = new Backoff({ random, longest: 10_000 });
        const request = { headers: { ...headers, 'Idempotency-Key': randomKey() }, body: JSON.stringify(body), signal };
        const end = clock.now() + giveUpAfter;
        // A large body is on its way for longer before anything can be answered: 50 KB a second is slow.
        const patience = longestSilence + request.body.length / 50;
        for (;;) {
            signal?.throwIfAborted();
            try {
                const silence = Math.max(1, Math.min(patience, end - clock.now()));
                return await this.#attempt(method, url, { ...request, silence }, take);
            } catch (error) {
                if (!error.isPassing || signal?.aborted) throw error;
                const wait = backoff.failed(error.retryAfter);
                if (clock.now() + wait >= end) throw error;
                await sleep(clock, wait, signal);
            }
        }
    }

    async #attempt(method, url, request, take) {
        let answered;
        this.#underWay = new Promise((resolve) => { answered = resolve; });
        try {
            const answer = await this.#service.send(method, url, request);
            if (typeof answer.body?.to !== 'string') throw new MedleyUnreachable('Something else answered.');
            take(answer.body);
            return answer;
        } finally {
            this.#underWay = null;
            answered();
        }
    }
}

/** Unlike any other key; it is no secret. */
function randomKey() {
    const source = globalThis.crypto;
    if (source?.randomUUID) return source.randomUUID();
    // Pages that came over plain HTTP have this one only, and old versions of Node neither.
    const bytes = new Uint8Array(16);
    if (source) source.getRandomValues(bytes);
    else bytes.forEach((_, index) => { bytes[index] = Math.random() * 256; });
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
