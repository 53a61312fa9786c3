// One collection, followed by a channel of its own.

import { Channel } from './channel.js';
import { Mirror } from './mirror.js';

/**
 * A collection that is followed. Beside its mirror's events there is `state` {state, error, wait}, told when `state`
 * changes and at each attempt that fails; `wait` is how many milliseconds pass before the next.
 */
export class Connection extends Mirror {
    /**
     * 'connecting', 'live' (pushed), 'polling' (where no stream comes through), 'waiting' (an attempt failed), 'denied'
     * (a token is missing, was withdrawn or is not enough: 401, 403), 'paused' or 'closed'.
     */
    state = 'connecting';

    #channel;

    constructor(id, url, service, options) {
        super(id, url, service, options);
        /** The revision that the stream has led to. */
        let position = null;
        this.#channel = new Channel({
            begin: () => { position = this.revision; },
            streamURL: () => `${url}/events${position === null ? '' : `?since=${encodeURIComponent(position)}`}`,
            receive: async ({ type, data }, signal) => {
                if (type === 'gone') this.lost();
                if (type !== 'changes' && type !== 'reset') return;
                const answer = service.parse(data);
                const asked = position;
                position = answer.to;
                await this.receive(answer, asked, signal);
            },
            poll: async (seconds, options) => {
                const asked = this.revision;
                const { body } = await service.send('GET', this.changesURL(seconds), options);
                await this.receive(body, asked, options.signal);
                return { hasNews: body.reset === true || body.from !== body.to, held: seconds };
            },
            state: (state, details = {}) => {
                if (details.error) this.isLost(details.error);
                this.#become(state, details);
            },
        }, service);
        globalThis.addEventListener?.('online', this.#online);
        this.#channel.resume();
    }

    /** Lets go of the connection to the server, for example while nobody looks; edits can be sent all the same. */
    pause() {
        if (this.state === 'closed' || this.state === 'paused') return;
        this.#channel.pause();
        this.#become('paused');
    }

    /** Goes on after a pause, from where it was. */
    resume() {
        if (this.state === 'paused') this.#channel.resume();
    }

    /** Tries again now: instead of when the wait is over, or with another token after it was denied. */
    retry() {
        this.#channel.nudge();
    }

    /** Follows no longer. What is held stays readable. */
    close() {
        if (this.state === 'closed') return;
        globalThis.removeEventListener?.('online', this.#online);
        this.#channel.pause();
        this.#become('closed');
    }

    #online = () => this.retry();

    #become(state, details = {}) {
        if (state === this.state && !details.error) return;
        this.state = state;
        this.emit('state', { state, ...details });
    }
}
