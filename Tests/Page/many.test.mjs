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
