// Many collections followed at once, against the real server.

import assert from 'node:assert/strict';
import test from 'node:test';
import { connectAll } from '../../Sources/MedleyResources/Files/medley.js';
import { RunningServer, binary } from './running-server.mjs';

const skip = binary ? false : 'medley is not built, and MEDLEY_BINARY names none';
const item = (id) => ({ id, type: 'music' });
const content = (...ids) => ({ sections: [{ id: 's', items: ids.map(item) }] });
const withoutStreams = (url, init) =>
    (new URL(url).pathname.endsWith('/events') ? Promise.resolve(new Response('')) : fetch(url, init));

for (const [way, options] of [['a stream', {}], ['polls', { fetch: withoutStreams }]]) {
    for (const names of [null, ['a', 'b', 'later']]) {
        const what = names ? 'named collections' : 'all collections';
        test(`${what} are kept in step by ${way}`, { skip, timeout: 120_000 }, async () => {
            const server = new RunningServer();
            await server.start();
            const random = () => Math.random() / 10;
            const all = connectAll(server.address, { ...options, collections: names, random });
            try {
                const put = (id, ...ids) => server.send('PUT', `/v1/collections/${id}`, { body: content(...ids) });
                await put('a', '1', '2');
                await put('b', '3');
                await inStep(server, all, ['a', 'b']);
                const a = all.collections.get('a');
                const { to } = await a.edit([{ op: 'insert', section: 's', items: [item('4')] }]);
                assert.equal(a.revision, to);
                await server.send('DELETE', '/v1/collections/b');
                await put('later', '5');
                await inStep(server, all, ['a', 'later'], ['b']);
                await server.kill();
                await server.start();
                await put('b', '6');
                await server.send('PATCH', '/v1/collections/a', { body: { changes: [{ op: 'delete', ids: ['1'] }] } });
                await inStep(server, all, ['a', 'b', 'later']);
            } finally {
                all.close();
                await server.close();
            }
        });
    }
}

/** Waits until these are held as the server has them, and those are known to be gone. */
async function inStep(server, all, there, gone = []) {
    for (const id of there) {
        const meant = JSON.parse((await server.send('GET', `/v1/collections/${id}`)).text);
        await until(all, () => {
            const collection = all.collections.get(id);
            return collection?.revision === meant.revision && !collection.isGone;
        });
        assert.deepEqual(all.collections.get(id).snapshot, meant);
    }
    for (const id of gone) await until(all, () => all.collections.get(id)?.isGone);
}

/** Looks whenever something is told. */
function until(all, isSo) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not in step: ${all.state}`)), 60_000);
        const look = () => {
            if (!isSo()) return;
            clearTimeout(timer);
            resolve();
        };
        const listen = (collection) => {
            for (const name of ['loaded', 'changed', 'gone', 'returned']) collection.on(name, () => setImmediate(look));
        };
        all.collections.forEach(listen);
        all.on('added', ({ collection }) => listen(collection));
        all.on('state', look);
        look();
    });
}
