// The way from the server to a client: a stream of events while one comes through, held polls where none does, and
// waits between attempts that fail.

import { Backoff } from './backoff.js';
import { sleep } from './clock.js';
import { EventStream } from './event-stream.js';
import { MedleyUnreachable } from './problem.js';
import { longestSilence } from './service.js';

/** Bytes that come so long after a stream's start show that nothing on the way holds them back. */
const provenAfter = 10_000;
/** How long polls are used before a stream is tried again: the device may be in another network by then. */
const streamAgainAfter = 5 * 60_000;
const pollSeconds = 25;

export class Channel {
    #route;
    #service;
    #backoff;
    #running = null;
    #nudge = new AbortController();
    #pollsUntil = null;
    #isPollProven = false;
    #silences = 0;

    /**
     * A route has: `streamURL()`; `begin()`, before each stream; `receive(event, signal)` for one of its events;
     * `poll(seconds, options)`, which asks once, held for so long, and gives whether there was news; and
     * `state(name, details)`, which hears of 'connecting', 'live', 'polling' and 'waiting' {error, wait}.
     */
    constructor(route, service) {
        this.#route = route;
        this.#service = service;
        this.#backoff = new Backoff({ random: service.random });
    }

    /** Starts, or goes on after a pause. */
    resume() {
        if (this.#running) return;
        this.#running = new AbortController();
        this.#run(this.#running.signal);
    }

    /** Lets go of the connection until `resume`. */
    pause() {
        this.#running?.abort();
        this.#running = null;
    }

    /** Tries again now, if it is waiting to. */
    nudge() {
        this.#nudge.abort();
    }

    async #run(signal) {
        this.#route.state('connecting');
        while (!signal.aborted) {
            const wait = await this.#attempt(signal);
            if (signal.aborted) return;
            if (wait > 0) await this.#wait(wait, signal);
        }
    }

    async #wait(milliseconds, signal) {
        const nudge = new AbortController();
        this.#nudge = nudge;
        const stop = () => nudge.abort();
        signal.addEventListener('abort', stop);
        await sleep(this.#service.clock, milliseconds, nudge.signal);
        signal.removeEventListener('abort', stop);
    }

    /** Gives how long to wait before the next attempt. */
    async #attempt(signal) {
        try {
            return this.#pollsUntil === null ? await this.#stream(signal) : await this.#poll(signal);
        } catch (error) {
            if (signal.aborted) return 0;
            this.#isPollProven = false;
            const wait = this.#backoff.failed(error.retryAfter);
            this.#route.state('waiting', { error, wait });
            return wait;
        }
    }

    async #stream(signal) {
        const { clock } = this.#service;
        const stream = new EventStream();
        const started = clock.now();
        let hasEvents = false;
        let isReceiving = false;
        this.#route.begin();
        const headers = { Accept: 'text/event-stream' };
        const exchange = this.#service.open('GET', this.#route.streamURL(), { headers, signal });
        try {
            const response = await exchange.response;
            const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
            if (!isStream || !response.body) return this.#usePolls();
            for await (const bytes of exchange.bytes()) {
                if (clock.now() - started > provenAfter) this.#silences = 0;
                for (const event of stream.feed(bytes)) {
                    isReceiving = true;
                    await this.#route.receive(event, signal);
                    isReceiving = false;
                    if (signal.aborted) return 0;
                    if (!hasEvents) this.#route.state('live');
                    hasEvents = true;
                    this.#backoff.succeeded();
                }
            }
        } catch (error) {
            if (signal.aborted) return 0;
            if (exchange.isSilent) {
                this.#silences += 1;
                return !exchange.hasBytes || this.#silences > 1 ? this.#usePolls() : 0;
            }
            // That a stream is cut is how it ends at times; what its events lead to is another matter.
            if (isReceiving || !hasEvents) throw error;
        } finally {
            exchange.close();
        }
        if (signal.aborted) return 0;
        if (!hasEvents) throw new MedleyUnreachable('The stream ended before it began.');
        this.#route.state('connecting');
        return this.#backoff.ended(stream.retry);
    }

    #usePolls() {
        this.#silences = 0;
        this.#isPollProven = false;
        this.#pollsUntil = this.#service.clock.now() + streamAgainAfter;
        return 0;
    }

    async #poll(signal) {
        const { clock, random } = this.#service;
        const started = clock.now();
        // The first answer comes at once, so that it is known soon whether there are any.
        const wait = this.#isPollProven ? pollSeconds : 0;
        const hasNews = await this.#route.poll(wait, { signal, silence: wait * 1_000 + longestSilence });
        if (signal.aborted) return 0;
        this.#backoff.succeeded();
        if (!this.#isPollProven) this.#route.state('polling');
        this.#isPollProven = true;
        if (clock.now() >= this.#pollsUntil) this.#pollsUntil = null;
        const isHeld = wait === 0 || clock.now() - started > wait * 500;
        return hasNews || isHeld ? 0 : 1_000 + random() * 1_000;
    }
}
