// A server that holds one collection in the most literal way, with every snapshot of its history, and a network that
// delays, loses and cuts. `fetch` is what a client gets.

import { difference, Collection } from '../../Sources/MedleyResources/Files/medley.js';
import { copy, randomSnapshot, randomStep } from './naive.mjs';

export class ModelServer {
    /** Every snapshot that there ever was, by revision. */
    history = new Map();
    /** Whether streams come through. */
    streams = true;
    /** Whether anybody answers. */
    isUp = true;
    /** The share of answers to edits that are lost on the way. */
    loss = 0;
    /** Whether the answer to an edit says only from where to where it led. */
    leavesChangesOut = false;
    /** Edits that were carried out, by the text that they carry. */
    carriedOut = new Map();
    counts = { streams: 0, polls: 0, replays: 0 };

    #random;
    #clock;
    #lineages = 0;
    #revision = null;
    #keys = new Map();
    #open = new Set();
    #held = new Set();

    constructor(random, clock) {
        this.#random = random;
        this.#clock = clock;
        this.create();
    }

    get revision() {
        return this.#revision;
    }

    create(content = randomSnapshot(this.#random)) {
        this.#lineages += 1;
        this.#publish(content, `lineage${this.#lineages}-1`);
    }

    /** A random edit by somebody else. */
    edit() {
        const { after } = randomStep(this.#random, this.history.get(this.#revision));
        const [lineage, number] = this.#revision.split('-');
        this.#publish(after, `${lineage}-${Number(number) + 1}`);
    }

    delete() {
        this.#revision = null;
        for (const stream of this.#open) stream.write('gone', { collection: 'c' });
        this.#release();
    }

    /** An earlier state under a new lineage. */
    restore() {
        this.create(this.#random.pick(Array.from(this.history.values())));
    }

    /** Cuts whatever is open. */
    cut() {
        for (const stream of this.#open) stream.cut();
        for (const request of this.#held) request.cut();
    }

    stop() {
        this.isUp = false;
        this.#keys.forEach((_, key) => { if (this.#random.chance(0.5)) this.#keys.delete(key); });
        for (const stream of this.#open) {
            if (this.#random.chance(0.5)) stream.write('bye', {});
        }
        this.cut();
    }

    fetch = async (url, init) => {
        const { method, signal } = init;
        const { pathname, searchParams } = new URL(url);
        await this.#delay(signal);
        if (!this.isUp) throw new TypeError('fetch failed');
        if (method === 'PATCH') return this.#edited(init);
        const since = searchParams.get('since');
        if (pathname.endsWith('/events')) return this.#stream(since, signal);
        this.counts.polls += 1;
        const wait = Number(searchParams.get('wait') ?? 0);
        if (wait > 0 && this.#revision !== null && since === this.#revision) await this.#news(wait, signal);
        if (this.#revision === null) return gone();
        return answer(this.#changes(since));
    };

    async #edited({ headers, body, signal }) {
        const key = headers['Idempotency-Key'];
        let result = this.#keys.get(key);
        if (result) {
            this.counts.replays += 1;
            if (result.body !== body) return problem(422, 'key-reused');
        } else {
            const { base, changes } = JSON.parse(body);
            if (this.#revision === null) return gone();
            const lineage = this.#revision.split('-')[0];
            if (base && base.split('-')[0] !== lineage) return problem(410, 'lineage-changed');
            const before = this.#revision;
            this.edit();
            this.carriedOut.set(changes[0].text, (this.carriedOut.get(changes[0].text) ?? 0) + 1);
            const told = this.#changes(base ?? before);
            // As where they would be longer than an edit's answer may be.
            if (this.leavesChangesOut) delete told.changes;
            result = { body, text: JSON.stringify(told) };
            this.#keys.set(key, result);
        }
        await this.#delay(signal);
        if (this.#random.chance(this.loss)) throw new TypeError('terminated');
        return new Response(result.text);
    }

    #publish(content, revision) {
        this.#revision = revision;
        this.history.set(revision, content);
        for (const stream of this.#open) stream.news();
        this.#release();
    }

    #changes(since) {
        const now = this.history.get(this.#revision);
        const known = since !== null && since.split('-')[0] === this.#revision.split('-')[0];
        const from = Collection.from(copy(known ? this.history.get(since) : { id: 'c', title: '', sections: [] }));
        const changes = difference(from, Collection.from(copy(now)));
        if (known && !this.#random.chance(0.05)) return { from: since, to: this.#revision, changes };
        const everything = difference(new Collection('c'), Collection.from(copy(now)));
        return { from: null, to: this.#revision, reset: true, changes: everything };
    }

    #stream(since, signal) {
        this.counts.streams += 1;
        if (this.#revision === null) return gone();
        const encoder = new TextEncoder();
        let controller;
        const body = new ReadableStream({ start(made) { controller = made; } });
        let position = since;
        let isDue = false;
        let cancelBeat = () => {};
        const stream = {
            write: (type, data) => {
                const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
                if (this.streams && this.#open.has(stream)) controller.enqueue(encoder.encode(text));
            },
            // Late now and then, so that several revisions become one event.
            news: async () => {
                if (isDue) return;
                isDue = true;
                await this.#delay();
                isDue = false;
                if (!this.#open.has(stream) || this.#revision === null || this.#revision === position) return;
                const changes = this.#changes(position);
                position = changes.to;
                stream.write(changes.reset ? 'reset' : 'changes', changes);
            },
            // A comment, so that silence means something.
            beat: () => {
                if (this.streams) controller.enqueue(encoder.encode(':\n'));
                cancelBeat = this.#clock.after(15_000, stream.beat);
            },
            cut: () => {
                cancelBeat();
                if (this.#open.delete(stream)) controller.error(new TypeError('terminated'));
            },
        };
        this.#open.add(stream);
        stream.beat();
        signal.addEventListener('abort', stream.cut);
        const first = this.#changes(since);
        position = first.to;
        stream.write(first.reset ? 'reset' : 'changes', first);
        return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }

    #news(seconds, signal) {
        return new Promise((resolve, reject) => {
            const end = (work) => () => {
                cancel();
                this.#held.delete(request);
                work();
            };
            const request = { release: end(resolve), cut: end(() => reject(new TypeError('terminated'))) };
            const cancel = this.#clock.after(seconds * 1_000, request.release);
            signal.addEventListener('abort', request.cut);
            this.#held.add(request);
        });
    }

    #release() {
        for (const request of this.#held) request.release();
    }

    async #delay(signal) {
        for (let turn = this.#random.below(4); turn > 0; turn -= 1) await new Promise(setImmediate);
        if (this.#random.chance(0.2)) {
            await new Promise((resolve) => this.#clock.after(this.#random.below(3_000), resolve));
        }
        if (signal?.aborted) throw new Error('aborted');
    }
}

function answer(value) {
    return new Response(JSON.stringify(value));
}

function problem(status, code) {
    return new Response(JSON.stringify({ type: `/problems/${code}`, title: code, status }), { status });
}

function gone() {
    return problem(404, 'collection-not-found');
}
