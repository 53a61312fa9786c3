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
/** Refusals of a stream's address, by the server or a proxy that takes only shorter ones: a poll needs none. */
const addressRefused = [400, 414, 431];

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
     * A route has: `streamURL()`, null if no address can ask for what it follows; `begin()`, before each stream;
     * `mayBeQuiet`, whether a stream may begin without an event, so that its first bytes make it live;
     * `receive(event, signal)` for one of its events; `poll(seconds, options)`, which asks once, held for so long at
     * most, and gives {hasNews, held}, `held` being the seconds that it asked for; and `state(name, details)`, which
     * hears of 'connecting', 'live', 'polling', 'waiting' {error, wait} and 'denied' {error}, after which nothing is
     * asked for until `nudge`.
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

    /** Tries again now, if it is waiting to or was denied. */
    nudge() {
        this.#nudge.abort();
    }

    async #run(signal) {
        this.#route.state('connecting');
        while (!signal.aborted) {
            const wait = await this.#attempt(signal);
            if (signal.aborted) return;
            if (wait === null) await this.#rest(signal);
            else if (wait > 0) await this.#wait(wait, signal);
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

    /** Does nothing until it is told to go on. */
    async #rest(signal) {
        const nudge = new AbortController();
        this.#nudge = nudge;
        await new Promise((resolve) => {
            nudge.signal.addEventListener('abort', resolve);
            signal.addEventListener('abort', resolve);
        });
        if (!signal.aborted) this.#route.state('connecting');
    }

    /** Gives how long to wait before the next attempt; null for until it is told to. */
    async #attempt(signal) {
        try {
            return this.#pollsUntil === null ? await this.#stream(signal) : await this.#poll(signal);
        } catch (error) {
            if (signal.aborted) return 0;
            const wasHeld = this.#isPollProven;
            this.#isPollProven = false;
            if (error.isDenied) {
                // A held poll ends when its token grants something else, too: the next one tells whether it is enough.
                if (wasHeld && error.status === 401) return 0;
                this.#route.state('denied', { error });
                return null;
            }
            const wait = this.#backoff.failed(error.retryAfter ?? null);
            this.#route.state('waiting', { error, wait });
            return wait;
        }
    }

    async #stream(signal) {
        const { clock } = this.#service;
        const stream = new EventStream();
        const started = clock.now();
        let isLive = false;
        let isReceiving = false;
        this.#route.begin();
        const url = this.#route.streamURL();
        if (url === null) return this.#usePolls();
        const succeed = () => {
            if (!isLive) this.#route.state('live');
            isLive = true;
            this.#backoff.succeeded();
        };
        const headers = { Accept: 'text/event-stream' };
        const exchange = this.#service.open('GET', url, { headers, signal });
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
                    succeed();
                }
                if (this.#route.mayBeQuiet) succeed();
            }
        } catch (error) {
            if (signal.aborted) return 0;
            if (exchange.isSilent) {
                this.#silences += 1;
                return !exchange.hasBytes || this.#silences > 1 ? this.#usePolls() : 0;
            }
            if (!isReceiving && addressRefused.includes(error.status)) return this.#usePolls();
            // That a stream is cut is how it ends at times; what its events lead to is another matter.
            if (isReceiving || !isLive) throw error;
        } finally {
            exchange.close();
        }
        if (signal.aborted) return 0;
        if (!isLive) throw new MedleyUnreachable('The stream ended before it began.');
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
        const { hasNews, held } = await this.#route.poll(wait, { signal, silence: wait * 1_000 + longestSilence });
        if (signal.aborted) return 0;
        this.#backoff.succeeded();
        if (!this.#isPollProven) this.#route.state('polling');
        this.#isPollProven = true;
        if (clock.now() >= this.#pollsUntil) this.#pollsUntil = null;
        const isHeld = wait === 0 || (held > 0 && clock.now() - started > held * 500);
        return hasNews || isHeld ? 0 : 1_000 + random() * 1_000;
    }
}
