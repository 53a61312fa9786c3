// Many collections, followed by one channel.

import { Channel } from './channel.js';
import { Emitter } from './emitter.js';
import { Mirror } from './mirror.js';

/** The server tells no position for more, and a request line has its end. */
const mostPositions = 64;
const mostPolled = 1_000;
/** How long a poll is held while collections may come that it does not ask for. */
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
            begin: () => {
                this.#positions = new Map();
                for (const [id, { revision }] of this.collections) {
                    if (revision !== null && this.#positions.size < mostPositions) this.#positions.set(id, revision);
                }
            },
            streamURL: () => {
                const since = Array.from(this.#positions, ([id, revision]) => `${id}=${revision}`).join(',');
                const query = [named && `collections=${named.join(',')}`, since && `since=${since}`].filter(Boolean);
                return `${url}/events${query.length > 0 ? `?${query.join('&')}` : ''}`;
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
        if (!this.#named) {
            const { body } = await this.#service.send('GET', `${this.#url}/collections`, options);
            for (const { id } of body.collections) this.#mirror(id);
        }
        const ids = Array.from(this.collections.keys());
        let hasNews = false;
        for (let start = 0; start === 0 || start < ids.length; start += mostPolled) {
            const asked = ids.slice(start, start + mostPolled).map((id) => [id, this.collections.get(id).revision]);
            // More than one request can ask for is asked in turn, and nothing held.
            const wait = ids.length > mostPolled ? 0 : Math.min(seconds, this.#named ? seconds : listSeconds);
            const body = JSON.stringify({ since: Object.fromEntries(asked), wait, reset: 'inline' });
            const answer = await this.#service.send('POST', `${this.#url}/changes`, { ...options, body });
            for (const [id, since] of asked) {
                const news = answer.body.collections[id];
                if (news?.status >= 400) {
                    if (news.status === 404) this.collections.get(id).lost();
                } else if (news) {
                    hasNews = true;
                    await this.#take(this.collections.get(id), news, since, options.signal);
                }
            }
        }
        return hasNews;
    }
}
