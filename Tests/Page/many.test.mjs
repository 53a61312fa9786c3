import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { connectAll } from '../../Sources/MedleyResources/Files/medley.js';
import { FakeClock, Pushed, ScriptedServer, json, problem } from './fake-clock.mjs';

const base = 'http://medley.test/prefix/';
const reset = (to, ...ids) => ({
    from: null, to, reset: true, changes: [
        { op: 'insertSection', sections: [{ id: 's', title: 'S' }], after: null },
        { op: 'insert', items: ids.map((id) => ({ id, type: 'music', liked: false })), section: 's', after: null },
    ],
});
const changes = (from, to, ...changes) => ({ from, to, changes });

function started(server, options = {}) {
    const clock = new FakeClock();
    const all = connectAll(base, { fetch: server.fetch, clock, random: () => 0.5, ...options });
    const added = [];
    all.on('added', ({ collection }) => added.push(collection.id));
    const held = () => Object.fromEntries(Array.from(all.collections, ([id, { snapshot }]) =>
        [id, snapshot?.sections.flatMap((section) => section.items.map((one) => one.id)) ?? null]));
    return { clock, all, added, held };
}

test('one stream keeps named collections in step, and goes on from all their positions', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, json(reset('k-4', 'x')), second.answer);
    const { clock, all, held } = started(server, { collections: ['a', 'b', 'c'] });
    first.write('retry: 2000\n\n');
    // Where a stream starts is told without content; that is asked for.
    first.event('changes', { collection: 'a', ...changes('k-4', 'k-4') });
    first.event('reset', { collection: 'b', ...reset('m-1', 'y') });
    first.event('gone', { collection: 'c' });
    await clock.advance(0);
    assert.deepEqual(server.paths, [
        '/prefix/v1/events?collections=a,b,c', '/prefix/v1/collections/a/changes?reset=inline',
    ]);
    assert.deepEqual(held(), { a: ['x'], b: ['y'], c: null });
    assert.deepEqual(Array.from(all.collections.values(), (one) => one.isGone), [false, false, true]);
    first.event('changes', { collection: 'a', ...changes('k-4', 'k-5', { op: 'delete', ids: ['x'] }) });
    first.event('reset', { collection: 'c', ...reset('n-1', 'z') });
    await clock.advance(0);
    first.end();
    await clock.advance(2_500);
    assert.deepEqual(held(), { a: [], b: ['y'], c: ['z'] });
    assert.equal(server.paths[2], '/prefix/v1/events?collections=a,b,c&since=a=k-5,b=m-1,c=n-1');
    second.event('changes', { collection: 'b', ...changes('m-1', 'm-2', { op: 'delete', ids: ['y'] }) });
    await clock.advance(0);
    assert.deepEqual(held(), { a: [], b: [], c: ['z'] });
    assert.equal(all.state, 'live');
    all.close();
    await clock.advance(0);
    assert.equal(clock.next, null);
});

test('an edit of one among many is taken over at once', async () => {
    const stream = new Pushed();
    const answer = changes('k-1', 'k-2', { op: 'delete', ids: ['x'] });
    const server = new ScriptedServer().then(stream.answer, json(answer));
    const { clock, all, held } = started(server);
    stream.event('reset', { collection: 'a', ...reset('k-1', 'x', 'y') });
    await clock.advance(0);
    const origins = [];
    all.collections.get('a').on('changed', ({ origin }) => origins.push(origin));
    await all.collections.get('a').edit([{ op: 'delete', ids: ['x'] }]);
    assert.equal(server.paths[1], '/prefix/v1/collections/a');
    stream.event('changes', { collection: 'a', ...answer });
    await clock.advance(0);
    assert.deepEqual(held(), { a: ['y'] });
    assert.deepEqual(origins, ['here']);
});

test('without names all collections are followed, those that come later too', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(stream.answer);
    const { clock, added, held } = started(server);
    stream.event('reset', { collection: 'a', ...reset('k-1', 'x') });
    await clock.advance(0);
    stream.event('reset', { collection: 'b', ...reset('m-1') });
    await clock.advance(0);
    assert.deepEqual(server.paths, ['/prefix/v1/events']);
    assert.deepEqual(added, ['a', 'b']);
    assert.deepEqual(held(), { a: ['x'], b: [] });
});

test('where no stream comes through, one poll asks for all', async () => {
    const list = json({ collections: [{ id: 'a' }, { id: 'b' }] });
    const server = new ScriptedServer().then(
        json({}), list, json({ collections: { a: reset('k-1', 'x'), b: reset('m-1', 'y') } }),
        list, json({ collections: { b: { status: 404, type: '/problems/x' }, a: changes('k-1', 'k-2') } }));
    const { clock, all, held } = started(server);
    await clock.advance(0);
    const polls = server.requests.filter((one) => one.method === 'POST');
    assert.deepEqual(polls.map((one) => JSON.parse(one.body)), [
        { since: { a: null, b: null }, wait: 0, reset: 'inline' },
        { since: { a: 'k-1', b: 'm-1' }, wait: 5, reset: 'inline' },
    ]);
    assert.deepEqual(held(), { a: ['x'], b: ['y'] });
    assert.equal(all.collections.get('a').revision, 'k-2');
    assert.deepEqual(Array.from(all.collections.values(), (one) => one.isGone), [false, true]);
    assert.equal(all.state, 'polling');
});

test('one that goes away while it is asked for costs the others nothing', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(stream.answer, problem(404, 'collection-not-found'));
    const { clock, all, held } = started(server, { collections: ['a', 'b'] });
    stream.event('changes', { collection: 'a', ...changes('k-4', 'k-4') });
    stream.event('reset', { collection: 'b', ...reset('m-1', 'y') });
    await clock.advance(0);
    assert.deepEqual(held(), { a: null, b: ['y'] });
    assert.ok(all.collections.get('a').isGone);
    assert.equal(server.requests.length, 2);
});

test('one that is gone keeps no poll from being held, and is asked for every few seconds', async () => {
    const gone = { status: 404, type: '/problems/collection-not-found' };
    const held = (body) => (_request, signal) => new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        clock.after(5_000, () => resolve(json(body)()));
    });
    const nothing = { collections: {} };
    const server = new ScriptedServer().then(
        json({}), json({ collections: { a: reset('k-1', 'x'), b: gone } }), held(nothing),
        json({ collections: { b: gone } }), held(nothing), json({ collections: { b: reset('m-1', 'y') } }));
    const { clock, all, held: lists } = started(server, { collections: ['a', 'b'] });
    await clock.advance(10_000);
    const polls = server.requests.slice(1).map((one) => JSON.parse(one.body)).map(({ since, wait }) => [since, wait]);
    assert.deepEqual(polls, [
        [{ a: null, b: null }, 0], [{ a: 'k-1' }, 5], [{ b: null }, 0], [{ a: 'k-1' }, 5], [{ b: null }, 0],
        [{ a: 'k-1', b: 'm-1' }, 25],
    ]);
    assert.deepEqual(lists(), { a: ['x'], b: ['y'] });
    assert.ok(!all.collections.get('b').isGone);
    all.close();
});

test('where all are gone, nothing is asked for without pause', async () => {
    const gone = { status: 404, type: '/problems/collection-not-found' };
    const answer = json({ collections: { a: gone } });
    const server = new ScriptedServer().then(json({}), ...Array.from({ length: 50 }, () => answer));
    const { clock, all } = started(server, { collections: ['a'] });
    await clock.advance(60_000);
    assert.ok(server.requests.length >= 9 && server.requests.length <= 14, `${server.requests.length} requests`);
    all.close();
});

test('polls that are held for as long as they ask for follow each other without pause', async () => {
    const list = json({ collections: [{ id: 'a' }] });
    const held = () => new Promise((resolve) => { clock.after(5_000, () => resolve(json({ collections: {} })())); });
    const server = new ScriptedServer().then(
        json({}), list, json({ collections: { a: reset('k-1') } }), list, held, list, held, list);
    const { clock, all } = started(server);
    await clock.advance(10_000);
    assert.equal(server.paths.filter((path) => path === '/prefix/v1/collections').length, 4);
    all.close();
});

test('more names than an address can carry are asked for by polls, so many at a time', async () => {
    const collections = Array.from({ length: 2_500 }, (_, index) => `c${index}`);
    const nothing = json({ collections: {} });
    const server = new ScriptedServer().then(nothing, nothing, nothing);
    const { clock, all } = started(server, { collections });
    await clock.advance(0);
    assert.ok(server.requests.every((one) => one.path === '/prefix/v1/changes'));
    const asked = server.requests.slice(0, 3).map((one) => Object.keys(JSON.parse(one.body).since));
    assert.deepEqual(asked.map((ids) => ids.length), [1_000, 1_000, 500]);
    assert.deepEqual(asked.flat(), collections);
    assert.equal(all.state, 'polling');
    all.close();
});

test('positions that an address cannot carry are left out of it', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, second.answer);
    const { clock, all } = started(server);
    const name = (index) => `${'n'.repeat(100)}${index}`;
    for (let index = 0; index < 60; index += 1) first.event('reset', { collection: name(index), ...reset('k-1') });
    await clock.advance(0);
    first.end();
    await clock.advance(5_000);
    const query = server.paths[1].split('since=')[1].split(',');
    assert.ok(server.paths[1].length <= 4_000);
    assert.ok(query.length > 30);
    assert.ok(query.every((one, index) => one === `${name(index)}=k-1`));
    all.close();
});

for (const status of [400, 414, 431]) {
    test(`where the stream’s address is refused with ${status}, it polls`, async () => {
        const server = new ScriptedServer()
            .then(() => new Response('no', { status }), json({ collections: { a: reset('k-1', 'x') } }));
        const { clock, all, held } = started(server, { collections: ['a'] });
        await clock.advance(0);
        assert.deepEqual(held(), { a: ['x'] });
        assert.equal(all.state, 'polling');
        all.close();
    });
}

test('a stream of a server without collections is live from its first bytes', async () => {
    const stream = new Pushed();
    const { clock, all } = started(new ScriptedServer().then(stream.answer));
    await clock.advance(0);
    assert.equal(all.state, 'connecting');
    stream.write('retry: 3000\n\n');
    await clock.advance(0);
    assert.equal(all.state, 'live');
    assert.equal(all.collections.size, 0);
    all.close();
});

test('an id that no collection can have is refused before it reaches an address', () => {
    assert.throws(() => connectAll(base, { collections: ['a,b'] }), TypeError);
});

test('the parts of the module can be joined: no name on the outermost level is taken twice', () => {
    const folder = new URL('../../Sources/MedleyResources/Files/medley/', import.meta.url);
    const names = readdirSync(folder).flatMap((file) => {
        const text = readFileSync(new URL(file, folder), 'utf8');
        const imports = text.split('\n').filter((line) => /^import\b/.test(line));
        for (const line of imports) assert.match(line, /^import .* from '.*';$/);
        return Array.from(text.matchAll(/^(?:export )?(?:class|function|const|let) (\w+)/gm), ([, name]) => name);
    });
    assert.ok(names.length > 30);
    assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
});
