// Many collections, followed by one channel.

import { Channel } from './channel.js';
import { Emitter } from './emitter.js';
import { Mirror } from './mirror.js';

/** The server tells no position for more. */
const mostPositions = 64;
/** Servers and proxies take longer addresses, but not all of them. */
const longestURL = 4_000;
const mostPolled = 1_000;
/** How long a poll is held, and how often is asked, while collections may come that it does not ask for. */
const listSeconds = 5;

/**
 * Collections that are followed together. Events: `added` {collection} for each that is followed from now on, and
 * `state` as a `Connection` has it. Each collection has the events of a mirror.
 */
export class Connections extends Emitter {
    /**
     * Those that are followed, by id; each as `connect` gives it, without the `state` of a connection and its methods.
     * @type {Map<string, Mirror>}
     */
    collections = new Map();
    /** As a `Connection` has it. */
    state = 'connecting';

    #url;
    #service;
    #options;
    #named;
    #positions = new Map();
    #goneAsked = 0;
    #channel;

    /** `named` are the ids to follow, or null for all there are, those made later too. */
    constructor(url, named, service, options) {
        super();
        this.#url = url;
        this.#service = service;
        this.#options = options;
        this.#named = named;
        for (const id of named ?? []) this.#mirror(id);
        this.#channel = new Channel({
            mayBeQuiet: true,
            begin: () => {
                this.#positions = new Map();
                let length = this.#streamURL().length + '&since='.length;
                for (const [id, { revision }] of this.collections) {
                    if (this.#positions.size === mostPositions) break;
                    if (revision === null) continue;
                    length += `${id}=${revision},`.length;
                    if (length > longestURL) break;
                    this.#positions.set(id, revision);
                }
            },
            streamURL: () => {
                const address = this.#streamURL();
                return address.length > longestURL ? null : address;
            },
            receive: (event, signal) => this.#receive(event, signal),
            poll: (seconds, options) => this.#poll(seconds, options),
            state: (state, details) => this.#become(state, details),
        }, service);
        globalThis.addEventListener?.('online', this.#online);
        this.#channel.resume();
    }

    /** As of a `Connection`. */
    pause() {
        if (this.state === 'closed' || this.state === 'paused') return;
        this.#channel.pause();
        this.#become('paused');
    }

    /** As of a `Connection`. */
    resume() {
        if (this.state === 'paused') this.#channel.resume();
    }

    /** As of a `Connection`. */
    retry() {
        this.#channel.nudge();
    }

    /** As of a `Connection`. */
    close() {
        if (this.state === 'closed') return;
        globalThis.removeEventListener?.('online', this.#online);
        this.#channel.pause();
        this.#become('closed');
    }

    #online = () => this.#channel.nudge();

    #become(state, details = {}) {
        if (state === this.state && !details.error) return;
        this.state = state;
        this.emit('state', { state, ...details });
    }

    #streamURL() {
        const since = Array.from(this.#positions, ([id, revision]) => `${id}=${revision}`).join(',');
        const names = this.#named && `collections=${this.#named.join(',')}`;
        const query = [names, since && `since=${since}`].filter(Boolean);
        return `${this.#url}/events${query.length > 0 ? `?${query.join('&')}` : ''}`;
    }

    #mirror(id) {
        const known = this.collections.get(id);
        if (known) return known;
        const url = `${this.#url}/collections/${encodeURIComponent(id)}`;
        const mirror = new Mirror(id, url, this.#service, this.#options);
        this.collections.set(id, mirror);
        this.emit('added', { collection: mirror });
        return mirror;
    }

    async #receive({ type, data }, signal) {
        if (!['changes', 'reset', 'gone'].includes(type)) return;
        const { collection: id, ...answer } = this.#service.parse(data);
        const mirror = this.#mirror(id);
        if (type === 'gone') {
            mirror.lost();
            return;
        }
        const asked = this.#positions.get(id) ?? null;
        this.#positions.set(id, answer.to);
        await this.#take(mirror, answer, asked, signal);
    }

    /** One that went away in between is lost; the others go on. */
    async #take(mirror, answer, asked, signal) {
        try {
            await mirror.receive(answer, asked, signal);
        } catch (error) {
            if (!mirror.isLost(error)) throw error;
        }
    }

    async #poll(seconds, options) {
        const listed = this.#named ? null : await this.#list(options);
        const all = Array.from(this.collections.values());
        // The server answers at once for one that is gone, so those are asked for apart, and the first time with all.
        const isApart = (mirror) => seconds > 0 && mirror.isGone;
        const there = all.filter((mirror) => !isApart(mirror));
        const gone = all.filter((mirror) => isApart(mirror) && (listed?.has(mirror.id) ?? true));
        const now = this.#service.clock.now();
        if (seconds === 0) this.#goneAsked = now;
        if (gone.length > 0 && (listed || now - this.#goneAsked >= listSeconds * 1_000)) {
            this.#goneAsked = now;
            if (await this.#ask(gone, 0, options)) return { hasNews: true, held: 0 };
        }
        const mayCome = listed !== null || gone.length > 0;
        // More than one request can ask for is asked in turn, and nothing held.
        const isOne = there.length > 0 && there.length <= mostPolled;
        const held = isOne ? Math.min(seconds, mayCome ? listSeconds : seconds) : 0;
        return { hasNews: await this.#ask(there, held, options), held };
    }

    /** The ids of all there are, each with a mirror from now on. */
    async #list(options) {
        const { body } = await this.#service.send('GET', `${this.#url}/collections`, options);
        for (const { id } of body.collections) this.#mirror(id);
        return new Set(body.collections.map(({ id }) => id));
    }

    /** Asks what is new with some, and gives whether anything was. */
    async #ask(mirrors, wait, options) {
        let hasNews = false;
        for (let start = 0; start < mirrors.length; start += mostPolled) {
            const asked = mirrors.slice(start, start + mostPolled).map((mirror) => [mirror, mirror.revision]);
            const since = Object.fromEntries(asked.map(([mirror, revision]) => [mirror.id, revision]));
            const body = JSON.stringify({ since, wait, reset: 'inline' });
            const answer = await this.#service.send('POST', `${this.#url}/changes`, { ...options, body });
            for (const [mirror, revision] of asked) {
                const news = answer.body.collections[mirror.id];
                if (news?.status >= 400) {
                    if (news.status !== 404 || mirror.isGone) continue;
                    hasNews = true;
                    mirror.lost();
                } else if (news) {
                    hasNews = true;
                    await this.#take(mirror, news, revision, options.signal);
                }
            }
        }
        return hasNews;
    }
}
