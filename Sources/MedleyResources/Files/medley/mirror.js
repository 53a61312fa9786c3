// One collection kept in step with the server's: takes over what the server tells, in whatever order pushed changes and
// the answers to edits come, and says what changed.

import { applyOnce } from './apply-once.js';
import { Collection } from './collection.js';
import { difference } from './difference.js';
import { EditQueue } from './edit-queue.js';
import { Emitter } from './emitter.js';
import { MedleyProblem, MedleyUnreachable } from './problem.js';
import { isPast, isSameLineage } from './revision.js';

const mostRounds = 5;

/**
 * What `connect` gives. Events, told while the changes are applied one after the other:
 * `inserted` {id, model, section, after}, `moved` {id, model, section, after}, `updated` {id, model, before},
 * `deleted` {id, model}; `sectionInserted` and `sectionMoved` {id, section, after}, `sectionUpdated`
 * {id, section, before}, `sectionDeleted` {id, section}; `collectionUpdated` {members, before}. Each has `origin`,
 * 'here' for edits of this object and else 'elsewhere'. `after` is the id before it, or null at the start.
 *
 * And of the whole: `loaded` when everything is there for the first time, `changed` {changes, from, to, origin} after
 * each difference, `reset` {from, to, reason} when it came by a whole answer ('lineage', 'misfit' or 'whole'), `misfit`
 * {error} when changes did not apply and everything is asked for again, `gone` {error} and `returned`. `error` {error}
 * when the option `applying` did not do its part; nothing is lost by that.
 */
export class Mirror extends Emitter {
    /** The collection's id. @type {string} */
    id;
    /** The order and the models, or null before they are loaded. To be read, not written. @type {Collection | null} */
    collection = null;
    /** Whether the collection was deleted, or has never been; what is held is its last state. */
    isGone = false;

    #url;
    #service;
    #applying;
    #edits;

    constructor(id, url, service, { applying = (apply) => apply(), giveUpAfter } = {}) {
        super();
        this.id = id;
        this.#url = url;
        this.#service = service;
        this.#applying = applying;
        this.#edits = new EditQueue(service, giveUpAfter);
    }

    /** The revision held; null before there is one. @type {string | null} */
    get revision() {
        return this.collection?.revision ?? null;
    }

    /**
     * The collection as GET answers it, or null before it is loaded: a value that stays as it is, and the same object
     * until something changes. To be read, not written: what is the same is shared from one to the next.
     */
    get snapshot() {
        return this.collection?.snapshot ?? null;
    }

    /**
     * Sends changes, as a PATCH takes them; edits go out one after the other. Ends when what they brought about is
     * applied here, with the server's answer {from, to, changes}. A lost answer or a busy server is tried again under
     * the same idempotency key, so the edit is carried out once. Throws a MedleyProblem if it was refused, a
     * MedleyUnreachable if the time for it was over (`giveUpAfter`; it may have been carried out).
     * @param {object[]} changes
     * @param {{signal?: AbortSignal, giveUpAfter?: number, ifRevision?: string}} [options]
     */
    edit(changes, { ifRevision, ...options } = {}) {
        const request = () => ({ body: { base: this.revision ?? undefined, ifRevision, changes } });
        return this.#edits.add(() => this.#edit('PATCH', request, options));
    }

    /**
     * Sends a whole snapshot, or what a function makes of this one when its turn comes; the server works out what
     * differs. Refused (412) if there was an edit that is not seen here, unless `overwrites` is true; before anything
     * is loaded it creates only.
     * @param {object | ((collection: Collection) => object)} content
     * @param {{signal?: AbortSignal, giveUpAfter?: number, overwrites?: boolean}} [options]
     */
    replace(content, { overwrites = false, ...options } = {}) {
        const precondition = () =>
            (this.revision === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${this.revision}"` });
        const request = () => ({
            headers: overwrites ? {} : precondition(),
            body: typeof content === 'function' ? content(this.collection) : content,
        });
        return this.#edits.add(() => this.#edit('PUT', request, options));
    }

    // ---- for what listens to the server

    /**
     * Takes over what the server told: pushed, or asked for since a revision. `asked` is the revision that the answer
     * goes on from in the server's mind.
     */
    async receive(answer, asked, signal) {
        // The answer to an edit under way says that it was made here; pushed changes often come a moment earlier.
        await this.#edits.answered(1_000);
        if (signal?.aborted) return;
        if (!this.#take(answer, asked, 'elsewhere')) await this.catchUp(signal);
    }

    /** Asks for what is missing. Throws what `Service.send` throws. */
    async catchUp(signal, origin = 'elsewhere') {
        for (let round = 0; round < mostRounds; round += 1) {
            const asked = this.revision;
            const { body } = await this.#service.send('GET', this.changesURL(), { signal });
            if (this.#take(body, asked, origin)) return;
        }
        throw new MedleyUnreachable('The server’s changes do not lead on from each other.');
    }

    /** Asks what changed since the revision held; with `wait` seconds for something to change. */
    changesURL(wait) {
        const since = this.revision === null ? '' : `&since=${encodeURIComponent(this.revision)}`;
        return `${this.#url}/changes?reset=inline${since}${wait ? `&wait=${wait}` : ''}`;
    }

    /** The collection is not there. */
    lost(error = null) {
        if (this.isGone) return;
        this.isGone = true;
        this.emit('gone', { error });
    }

    /** Whether an error says that the collection is not there; then it is taken as lost. */
    isLost(error) {
        const isLost = error instanceof MedleyProblem && error.code === 'collection-not-found';
        if (isLost) this.lost(error);
        return isLost;
    }

    // ---- edits

    async #edit(method, request, options) {
        for (let isAgain = false; ; isAgain = true) {
            const asked = this.revision;
            try {
                const take = (answer) => {
                    // What an answer would be long with is left out of it, and asked for below.
                    if (answer.changes === undefined) return;
                    try {
                        this.#take(answer, asked, 'here');
                    } catch (error) {
                        this.emit('misfit', { error });
                    }
                };
                const { body } = await this.#edits.send(method, this.#url, request(), options, take);
                // What the edit did is done, whether or not the way there can be told now.
                if (!isPast(body.to, this.revision)) await this.catchUp(options.signal, 'here').catch(() => {});
                return body;
            } catch (error) {
                if (!(error instanceof MedleyProblem) || ![404, 409, 410, 412].includes(error.status)) throw error;
                // What is held is out of date: in step before anybody tries again.
                await this.catchUp(options.signal).catch((other) => this.isLost(other));
                // The base was of a history that the server no longer has; nothing was applied.
                if (error.status !== 410 || isAgain) throw error;
            }
        }
    }

    // ---- taking over

    /** Takes over an answer; false if it does not go on from what is held, and nothing was taken over. */
    #take(answer, asked, origin) {
        const held = this.revision;
        if (answer.reset) {
            if (held !== null && held !== asked) {
                if (isPast(answer.to, held)) return true;
                if (!isSameLineage(answer.to, held)) return false;
            }
            this.#become(answer, origin);
        } else {
            if (held === null || answer.from !== held) return isPast(answer.to, held);
            if (!this.#apply(answer, origin)) return false;
        }
        if (this.isGone) {
            this.isGone = false;
            this.emit('returned', {});
        }
        return true;
    }

    #apply({ from, to, changes }, origin) {
        try {
            this.#change(changes, { from, to, origin });
            return true;
        } catch (error) {
            // What is held is neither the one nor the other: only everything helps now.
            this.collection.revision = null;
            this.#hasMisfit = true;
            this.emit('misfit', { error });
            return false;
        }
    }

    #hasMisfit = false;

    /** Takes over a whole state: at first as it is, later by what differs. */
    #become(answer, origin) {
        const next = Collection.fromReset(this.id, answer);
        const from = this.revision;
        const { to } = answer;
        const isFirst = this.collection === null;
        const reason = this.#hasMisfit ? 'misfit' : from !== null && !isSameLineage(from, to) ? 'lineage' : 'whole';
        this.#hasMisfit = false;
        if (!isFirst) {
            try {
                this.#change(difference(this.collection, next), { from, to, origin });
            } catch (error) {
                // Whoever was told of each change lost track; from here it starts anew.
                this.collection = next;
                this.emit('misfit', { error });
                this.emit('loaded', {});
            }
            this.emit('reset', { from, to, reason });
        } else {
            this.collection = next;
            this.emit('loaded', {});
        }
    }

    #change(changes, { from, to, origin }) {
        const { collection } = this;
        const batch = { changes, from, to, origin };
        if (changes.length > 0) {
            applyOnce(this.#applying, (observer) => collection.apply(changes, this.#observer(origin, observer)), batch,
                (error) => this.emit('error', { error }));
        }
        collection.revision = to;
        if (from !== to) this.emit('changed', batch);
    }

    /** Tells another observer, and then the listeners. */
    #observer(origin, other = {}) {
        const item = (name, method, event) => [method, (node, before) => {
            other[method]?.(node, before);
            this.emit(name, { id: node.id, ...event(node, before), origin });
        }];
        const model = (id) => this.collection.model(id);
        const after = (node) => node.previous?.id ?? null;
        const place = (node) => ({ model: model(node.id), section: node.section.id, after: after(node) });
        const sectionPlace = (node) => ({ section: node.members, after: after(node) });
        return Object.fromEntries([
            item('inserted', 'itemInserted', place),
            item('moved', 'itemMoved', place),
            item('updated', 'itemUpdated', (node, before) => ({ model: model(node.id), before })),
            item('deleted', 'itemDeleted', (node, before) => ({ model: before })),
            item('sectionInserted', 'sectionInserted', sectionPlace),
            item('sectionMoved', 'sectionMoved', sectionPlace),
            item('sectionUpdated', 'sectionUpdated', (node, before) => ({ section: node.members, before })),
            item('sectionDeleted', 'sectionDeleted', (node) => ({ section: node.members })),
            ['collectionUpdated', (before) => {
                other.collectionUpdated?.(before);
                this.emit('collectionUpdated', { members: this.collection.members, before, origin });
            }],
        ]);
    }
}
