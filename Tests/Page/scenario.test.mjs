// Replays scenarios (Tests/Scenarios) against the real server, with medley.js as that server serves it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseJSON } from '../../Sources/MedleyResources/Files/page/json.js';
import { applied } from './naive.mjs';
import { RunningServer, binary } from './running-server.mjs';

const item = (id, more) => ({ id, type: 'music', ...more });
const content = (id, ...items) => ({ title: `All in ${id}`, sections: [{ id, title: id.toUpperCase(), items }] });
/** One of each step, for where the long one is not. */
const short = {
    title: 'one of each step', collection: 'short', steps: [
        { do: 'follow' },
        { do: 'settle' },
        { do: 'create', content: content('s', item('a'), item('b')) },
        { do: 'settle' },
        { do: 'edit', changes: [{ op: 'insert', section: 's', items: [item('c', { title: 'Gödel', year: 1.5 })] }] },
        { do: 'backup', name: 'early' },
        { do: 'edit', changes: [{ op: 'move', ids: ['c'], after: null }, { op: 'toggleLike', ids: ['a'] }] },
        { do: 'kill' },
        { do: 'start' },
        { do: 'edit', changes: [{ op: 'delete', ids: ['b'] }] },
        { do: 'settle' },
        { do: 'follow' },
        { do: 'kill' },
        { do: 'restore', name: 'early' },
        { do: 'start' },
        { do: 'settle' },
        { do: 'delete' },
        { do: 'settle' },
        { do: 'create', content: content('s', item('b', { title: 'B' })) },
        { do: 'replace', content: content('t', item('b', { title: 'B' }), item('d')) },
        { do: 'settle' },
    ],
};
const file = new URL('../Scenarios/live.json', import.meta.url);
const scenarios = [short, ...(existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [])];
const skip = binary ? false : 'medley is not built, and MEDLEY_BINARY names none';

for (const scenario of scenarios) {
    for (const way of ['a stream', 'polls']) {
        test(`${scenario.title}: followed by ${way}`, { skip, timeout: 600_000 }, async () => {
            const run = new Run(scenario, way);
            try {
                await run.all();
            } finally {
                await run.close();
            }
        });
    }
}

class Run {
    #server = new RunningServer();
    #clients = [];
    #scenario;
    #way;
    #module;
    #restores = 0;

    constructor(scenario, way) {
        this.#scenario = scenario;
        this.#way = way;
    }

    async all() {
        await this.#server.start();
        // The module in one piece, as users get it.
        const copy = join(this.#server.folder, 'medley.mjs');
        const served = await this.#server.send('GET', '/medley.js');
        assert.equal(served.status, 200, 'the command that is built serves no medley.js');
        writeFileSync(copy, served.text);
        this.#module = await import(pathToFileURL(copy));
        const { steps } = this.#scenario;
        assert.equal(steps.at(-1).do, 'settle');
        for (const [index, step] of steps.entries()) {
            try {
                await this.#perform(step);
            } catch (error) {
                throw new Error(`step ${index}, ${step.do}: ${error.message}`, { cause: error });
            }
        }
    }

    async close() {
        for (const { connection } of this.#clients) connection.close();
        await this.#server.close();
    }

    get #path() {
        return `/v1/collections/${this.#scenario.collection}`;
    }

    async #perform(step) {
        const server = this.#server;
        switch (step.do) {
        case 'follow': this.#follow(); break;
        case 'create': await this.#edit('PUT', 201, step.content, { 'If-None-Match': '*' }); break;
        case 'replace': await this.#edit('PUT', 200, step.content); break;
        case 'edit': await this.#edit('PATCH', 200, { changes: step.changes }); break;
        case 'delete': await this.#edit('DELETE', 204); break;
        case 'kill': await server.kill(); break;
        case 'start': await server.start(); break;
        case 'backup': await server.run('backup', server.data, join(server.folder, `${step.name}.backup`)); break;
        case 'restore':
            this.#restores += 1;
            server.data = join(server.folder, `data-${this.#restores}`);
            await server.run('restore', join(server.folder, `${step.name}.backup`), server.data);
            break;
        case 'settle': await this.#settle(); break;
        default: assert.fail('this runner does not know the step');
        }
    }

    async #edit(method, status, body, headers) {
        const answer = await this.#server.send(method, this.#path, { headers, body });
        assert.equal(answer.status, status, answer.text);
    }

    #follow() {
        const fetchWithoutStreams = (url, init) =>
            (new URL(url).pathname.endsWith('/events') ? Promise.resolve(new Response('')) : fetch(url, init));
        const connection = this.#module.connect(this.#server.address + this.#path, {
            parse: parseJSON,
            fetch: this.#way === 'polls' ? fetchWithoutStreams : fetch,
            // The waits between attempts are short ones.
            random: () => Math.random() / 10,
        });
        const client = { connection, failures: [] };
        connection.on('misfit', ({ error }) => client.failures.push(error));
        // Each difference, applied in the most literal way to the snapshot before, gives the snapshot after.
        let before = null;
        connection.on('loaded', () => { before = connection.snapshot; });
        connection.on('changed', ({ changes, to }) => {
            try {
                assert.equal(connection.revision, to);
                assert.deepEqual(own(connection.snapshot), own(changes.reduce(applied, before)));
            } catch (error) {
                client.failures.push(error);
            }
            before = connection.snapshot;
        });
        this.#clients.push(client);
    }

    async #settle() {
        const { status, text } = await this.#server.send('GET', this.#path);
        assert.ok(status === 200 || status === 404, text);
        const meant = status === 200 ? parseJSON(text) : null;
        for (const { connection, failures } of this.#clients) {
            await reached(connection, () => (meant ? connection.revision === meant.revision : connection.isGone));
            assert.deepEqual(failures, []);
            if (!meant) continue;
            assert.equal(connection.isGone, false);
            assert.deepEqual(JSON.parse(JSON.stringify(connection.snapshot)), JSON.parse(text));
            // The order of members and the text of numbers too.
            assert.equal(JSON.stringify(own(connection.snapshot)), JSON.stringify(own(meant)));
        }
    }
}

/** What a snapshot holds, without what is counted and named by the server. */
function own({ revision, counts, types, ...rest }) {
    return rest;
}

/** Waits until something is so, looking whenever the connection tells anything. */
function reached(connection, isSo) {
    return new Promise((resolve, reject) => {
        const names = ['loaded', 'changed', 'reset', 'gone', 'returned', 'state'];
        const stops = names.map((name) => connection.on(name, look));
        const timer = setTimeout(() => {
            stops.forEach((stop) => stop());
            reject(new Error(`not in step after a minute: at ${connection.revision}, ${connection.state}`));
        }, 60_000);
        function look() {
            if (!isSo()) return;
            clearTimeout(timer);
            stops.forEach((stop) => stop());
            resolve();
        }
        look();
    });
}
