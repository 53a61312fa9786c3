// Keeps a collection in step with the server: loads the snapshot, asks for the changes since its revision while the
// page can be seen, and sends edits whose answers are the page's own difference. One request at a time.

import { Collection } from './collection.js';
import { difference } from './difference.js';
import { Problem, Unreachable, collectionPath, send, sendEdit } from './server.js';

const interval = 2_000;
const longestInterval = 16_000;

export class Follower {
    /** What is held, or null before the first snapshot. */
    collection = null;

    #path;
    #id;
    #handlers;
    #turn = Promise.resolve();
    #timer = 0;
    #delay = interval;
    #isStopped = false;
    #isGone = false;
    #isUnreachable = false;

    /**
     * Handlers: `loaded(collection)` for the first snapshot; `changes(list, origin)`, which applies them to the
     * collection; `notice(text, options)`; `problem(error)`; `state(text)` with what is going on.
     */
    constructor(id, handlers) {
        this.#id = id;
        this.#path = collectionPath(id);
        this.#handlers = handlers;
        document.addEventListener('visibilitychange', this.#visibilityChanged);
        this.#step();
    }

    stop() {
        this.#isStopped = true;
        clearTimeout(this.#timer);
        document.removeEventListener('visibilitychange', this.#visibilityChanged);
    }

    /** Sends changes; what they bring about is applied before the promise ends. False if the server refused. */
    edit(changes) {
        return this.#edit('PATCH', () => ({ body: { base: this.collection.revision, changes } }));
    }

    /**
     * Sends a whole snapshot, made of the collection as it is when its turn comes; the server works out what differs.
     * Refused if an edit came first that the page has not seen.
     */
    replace(makeSnapshot) {
        return this.#edit('PUT', () => ({
            headers: { 'If-Match': `"${this.collection.revision}"` }, body: makeSnapshot(this.collection),
        }));
    }

    #edit(method, request) {
        return this.#exclusively(async () => {
            try {
                const { body } = await sendEdit(method, this.#path, request());
                await this.#receive(body, 'here');
                return true;
            } catch (error) {
                if (this.#isStopped) return false;
                this.#handlers.problem(error);
                // What was shown was out of date: the next look is now, and not in two seconds.
                if (error instanceof Problem) await this.#look();
                return false;
            }
        });
    }

    #visibilityChanged = () => {
        clearTimeout(this.#timer);
        if (document.visibilityState === 'visible') this.#step();
    };

    #step() {
        if (this.#isStopped) return;
        clearTimeout(this.#timer);
        this.#exclusively(() => this.#look()).finally(() => {
            clearTimeout(this.#timer);
            if (this.#isStopped || document.visibilityState !== 'visible') return;
            this.#timer = setTimeout(() => this.#step(), this.#delay);
        });
    }

    #exclusively(work) {
        const result = this.#turn.then(work);
        this.#turn = result.catch(() => {});
        return result;
    }

    async #look() {
        try {
            const news = this.collection ? await this.#ask() : await this.#load();
            if (news) this.#handlers.notice(news);
            else if (this.#isUnreachable) this.#handlers.notice('The server answers again.');
            else if (this.#isGone) this.#handlers.notice('The collection is back.');
            this.#isUnreachable = false;
            this.#isGone = false;
            this.#delay = interval;
            this.#report(`Revision ${this.collection?.revision}`);
        } catch (error) {
            if (!this.#isStopped) this.#failed(error);
        }
    }

    /** Asks for changes; gives what is to be said about it, if anything. */
    async #ask() {
        const since = this.collection.revision;
        try {
            const { status, body } = await send('GET', `${this.#path}/changes?since=${encodeURIComponent(since)}`, {
                headers: { 'If-None-Match': `"${since}"` },
            });
            return status === 304 ? '' : await this.#receive(body, 'elsewhere');
        } catch (error) {
            if (!(error instanceof Problem) || error.status !== 410) throw error;
            await this.#load();
            return reasons[error.code] ?? reasons['revision-gone'];
        }
    }

    async #receive(answer, origin) {
        if (this.#isStopped) return '';
        if (answer.reset) return this.#become(Collection.fromReset(this.#id, answer), origin);
        if (answer.from !== this.collection.revision) return this.#load();
        try {
            if (answer.changes.length > 0) this.#handlers.changes(answer.changes, origin);
            this.collection.revision = answer.to;
            this.#report(`Revision ${answer.to}`);
            return '';
        } catch (error) {
            console.error(error);
            this.collection = null;
            await this.#load();
            return 'The list did not fit the changes and was loaded anew.';
        }
    }

    async #load() {
        const { body } = await send('GET', this.#path);
        return this.#isStopped ? '' : this.#become(Collection.from(body), 'elsewhere');
    }

    /** Takes over another state: at first as it is, later by what differs. */
    #become(next, origin) {
        if (this.collection) {
            const changes = difference(this.collection, next);
            if (changes.length > 0) this.#handlers.changes(changes, origin);
            this.collection.revision = next.revision;
        } else {
            this.collection = next;
            this.#handlers.loaded(next);
        }
        this.#report(`Revision ${next.revision}`);
        return '';
    }

    #failed(error) {
        this.#delay = Math.min(this.#delay * 2, longestInterval);
        if (error instanceof Unreachable) {
            const text = 'The server does not answer. The page goes on asking.';
            if (!this.#isUnreachable) this.#handlers.notice(text, { stays: true });
            this.#isUnreachable = true;
            this.#report('The server does not answer');
        } else if (error instanceof Problem && error.status === 404) {
            const text = this.collection
                ? 'This collection is gone. What you see is its last state.'
                : `There is no collection “${this.#id}”.`;
            if (!this.#isGone) this.#handlers.notice(text, { stays: true });
            this.#isGone = true;
            this.#report('Gone');
        } else {
            this.#handlers.problem(error);
            this.#report('Asking again soon');
        }
    }

    #report(text) {
        if (!this.#isStopped) this.#handlers.state(text);
    }
}

const reasons = {
    'lineage-changed': 'The server started anew; the list was brought in step with it.',
    'revision-unknown': 'The server went back to an earlier state; the list was brought in step with it.',
    'revision-gone': 'The page was away for long; the list was loaded as a whole.',
};
