import assert from 'node:assert/strict';
import test from 'node:test';
import { MedleyProblem, MedleyUnreachable, connect } from '../../Sources/MedleyResources/Files/medley.js';
import { FakeClock, Pushed, ScriptedServer, json, never, problem, refused, settled } from './fake-clock.mjs';

const url = 'http://medley.test/v1/collections/c';
const item = (id, title = id) => ({ id, type: 'music', liked: false, title });
const reset = (to, ...ids) => ({
    from: null, to, reset: true, changes: [
        { op: 'insertSection', sections: [{ id: 's', title: 'S' }], after: null },
        { op: 'insert', items: ids.map((id) => item(id)), section: 's', after: null },
    ],
});
const nothing = (at) => ({ from: at, to: at, changes: [] });

/** A connection to a scripted server, with what it told. */
function started(server, options = {}) {
    const clock = new FakeClock();
    const connection = connect(url, { fetch: server.fetch, clock, random: () => 0.5, ...options });
    const told = [];
    const names = [
        'loaded', 'changed', 'reset', 'misfit', 'gone', 'returned', 'state', 'inserted', 'moved', 'updated', 'deleted',
        'sectionInserted', 'sectionMoved', 'sectionUpdated', 'sectionDeleted', 'collectionUpdated',
    ];
    for (const name of names) connection.on(name, (event) => told.push({ name, ...event }));
    const ids = () => connection.snapshot.sections.flatMap((section) => section.items.map((one) => one.id));
    const states = () => told.filter((one) => one.name === 'state').map((one) => one.state);
    return { clock, connection, told, ids, states };
}

test('each kind of change is told with its model and its place, and the snapshot shares what stays', async () => {
    const stream = new Pushed();
    const { clock, connection, told, ids } = started(new ScriptedServer().then(stream.answer));
    stream.write('retry: 2000\n\n');
    stream.event('reset', reset('k-1', 'a', 'b', 'c'));
    await clock.advance(0);
    assert.deepEqual(ids(), ['a', 'b', 'c']);
    assert.deepEqual(told.map((one) => one.name), ['loaded', 'state']);
    const before = connection.snapshot;
    assert.equal(connection.snapshot, before);
    told.length = 0;
    stream.event('changes', {
        from: 'k-1', to: 'k-2', changes: [
            { op: 'delete', ids: ['a'] },
            { op: 'insertSection', sections: [{ id: 't', title: 'T' }], after: 's' },
            { op: 'insert', items: [item('d')], section: 't', after: null },
            { op: 'move', ids: ['c'], section: 's', after: null },
            { op: 'updateSection', sections: [{ id: 's', title: 'New' }] },
            { op: 'update', items: [item('b', 'B')] },
            { op: 'updateCollection', set: { title: 'Mix' } },
        ],
    });
    await clock.advance(0);
    const elsewhere = { origin: 'elsewhere' };
    const [changed] = told.splice(-1);
    assert.deepEqual(told, [
        { name: 'deleted', id: 'a', model: item('a'), ...elsewhere },
        { name: 'sectionInserted', id: 't', section: { id: 't', title: 'T' }, after: 's', ...elsewhere },
        { name: 'inserted', id: 'd', model: item('d'), section: 't', after: null, ...elsewhere },
        { name: 'moved', id: 'c', model: item('c'), section: 's', after: null, ...elsewhere },
        {
            name: 'sectionUpdated', id: 's', section: { id: 's', title: 'New' }, before: { id: 's', title: 'S' },
            ...elsewhere,
        },
        { name: 'updated', id: 'b', model: item('b', 'B'), before: item('b'), ...elsewhere },
        { name: 'collectionUpdated', id: undefined, members: { title: 'Mix' }, before: {}, ...elsewhere },
    ].map(({ id, ...one }) => (id === undefined ? one : { id, ...one })));
    assert.equal(changed.name, 'changed');
    assert.equal(changed.to, 'k-2');
    assert.deepEqual(before.sections[0].items.map((one) => one.id), ['a', 'b', 'c']);

    const { snapshot } = connection;
    stream.event('changes', { from: 'k-2', to: 'k-3', changes: [{ op: 'update', items: [item('d', 'D')] }] });
    await clock.advance(0);
    assert.equal(connection.snapshot.sections[0], snapshot.sections[0]);
    assert.notEqual(connection.snapshot.sections[1], snapshot.sections[1]);
    assert.deepEqual(connection.snapshot, {
        id: 'c', title: 'Mix', revision: 'k-3', counts: { sections: 2, items: 3 }, types: { music: 3 },
        sections: [
            { id: 's', title: 'New', items: [item('c'), item('b', 'B')] },
            { id: 't', title: 'T', items: [item('d', 'D')] },
        ],
    });
    connection.close();
    await clock.advance(0);
    assert.equal(clock.next, null);
});

test('after a bye it comes back when the retry is over, from where it was', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, second.answer);
    const { clock, ids, states } = started(server);
    first.write('retry: 4000\n\n');
    first.event('reset', reset('k-1', 'a'));
    first.event('bye', {});
    await clock.advance(0);
    first.end();
    await clock.advance(4_999);
    assert.equal(server.requests.length, 1);
    await clock.advance(1);
    assert.deepEqual(server.paths, ['/v1/collections/c/events', '/v1/collections/c/events?since=k-1']);
    second.event('changes', { from: 'k-1', to: 'k-2', changes: [{ op: 'insert', items: [item('b')], after: 'a' }] });
    await clock.advance(0);
    assert.deepEqual(ids(), ['a', 'b']);
    assert.deepEqual(states(), ['live', 'connecting', 'live']);
});

test('attempts that fail are tried again later and later, and no sooner than the server says', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer()
        .then(refused, refused, problem(503, 'overloaded', { 'Retry-After': '9' }), refused, stream.answer);
    const { clock, told } = started(server);
    await clock.advance(15_000);
    stream.event('reset', reset('k-1'));
    await clock.advance(0);
    const states = told.filter((one) => one.name === 'state');
    assert.deepEqual(states.map(({ state, wait }) => [state, wait]), [
        ['waiting', 500], ['waiting', 1_000], ['waiting', 9_500], ['waiting', 4_000], ['live', undefined],
    ]);
    assert.ok(states[0].error instanceof MedleyUnreachable);
    assert.ok(states[2].error instanceof MedleyProblem);
    assert.equal(states[2].error.code, 'overloaded');
});

test('an event that leads nowhere is a failed attempt, and the next begins where the list stands', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, problem(503, 'overloaded'), second.answer);
    const { clock, ids, told } = started(server);
    first.event('reset', reset('k-1', 'a'));
    first.event('changes', { from: 'k-4', to: 'k-5', changes: [{ op: 'delete', ids: ['a'] }] });
    await clock.advance(0);
    assert.equal(told.at(-1).state, 'waiting');
    assert.equal(told.at(-1).error.code, 'overloaded');
    assert.ok(!first.isOpen);
    await clock.advance(500);
    assert.equal(server.paths.at(-1), '/v1/collections/c/events?since=k-1');
    second.event('changes', { from: 'k-1', to: 'k-6', changes: [{ op: 'insert', items: [item('b')], after: 'a' }] });
    await clock.advance(0);
    assert.deepEqual(ids(), ['a', 'b']);
});

test('where no byte of a stream comes through it polls, and tries a stream again later', async () => {
    const [dam, stream] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(
        dam.answer, json(reset('k-1', 'a')), json({ from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['a'] }] }));
    const { clock, ids, states } = started(server);
    await clock.advance(19_999);
    assert.equal(server.requests.length, 1);
    await clock.advance(1);
    assert.deepEqual(server.paths.slice(1), [
        '/v1/collections/c/changes?reset=inline', '/v1/collections/c/changes?reset=inline&since=k-1&wait=25',
        '/v1/collections/c/changes?reset=inline&since=k-2&wait=25',
    ]);
    assert.deepEqual(ids(), []);
    assert.deepEqual(states(), ['polling']);
    // The poll that hangs is given up only when the server had all its time.
    await clock.advance(44_999);
    assert.equal(server.requests.length, 4);
    server.then(...Array.from({ length: 400 }, () => json(nothing('k-2'))));
    await clock.advance(1);
    assert.deepEqual(states(), ['polling', 'waiting']);
    await clock.advance(254_999);
    assert.ok(server.paths.slice(1).every((path) => path.includes('/changes')));
    // Answers at once that bring nothing are not asked for without pause.
    assert.ok(server.requests.length < 200, `${server.requests.length} requests`);
    const asked = server.requests.length;
    await clock.advance(3_000);
    assert.ok(server.paths.slice(asked).some((path) => path.includes('/events?since=k-2')));
    stream.cut();
});

test('an answer that is no stream leads to polls at once', async () => {
    const server = new ScriptedServer().then(json({}), json(reset('k-1', 'a')));
    const { clock, ids } = started(server);
    await clock.advance(0);
    assert.deepEqual(ids(), ['a']);
});

test('a stream that falls silent is made anew; one that does so twice gives way to polls', async () => {
    const streams = [new Pushed(), new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(...streams.map((stream) => stream.answer), json(nothing('k-1')));
    const { clock } = started(server);
    streams[0].event('reset', reset('k-1'));
    await clock.advance(12_000);
    streams[0].write(':\n');
    await clock.advance(20_000);
    assert.equal(server.requests.length, 2);
    // Comments long after the start show that nothing holds the stream back: this silence is the first again.
    streams[1].event('changes', nothing('k-1'));
    for (let beat = 0; beat < 4; beat += 1) {
        await clock.advance(15_000);
        streams[1].write(':\n');
    }
    await clock.advance(20_000);
    assert.equal(server.requests.length, 3);
    streams[2].event('changes', nothing('k-1'));
    await clock.advance(20_000);
    assert.match(server.paths[3], /changes\?reset=inline&since=k-1/);
});

test('a deleted collection is told, and so is its return under another lineage', async () => {
    const stream = new Pushed();
    const { clock, connection, told, ids } = started(new ScriptedServer().then(stream.answer));
    stream.event('reset', reset('k-1', 'a', 'b'));
    stream.event('gone', { collection: 'c' });
    await clock.advance(0);
    assert.ok(connection.isGone);
    assert.deepEqual(ids(), ['a', 'b']);
    told.length = 0;
    stream.event('reset', reset('m-1', 'b'));
    await clock.advance(0);
    assert.deepEqual(told.map((one) => one.name), ['deleted', 'changed', 'reset', 'returned']);
    assert.deepEqual([told[2].from, told[2].to, told[2].reason], ['k-1', 'm-1', 'lineage']);
    assert.ok(!connection.isGone);
});

test('a collection that is not there yet is waited for', async () => {
    const stream = new Pushed();
    const missing = problem(404, 'collection-not-found');
    const { clock, connection, told } = started(new ScriptedServer().then(missing, missing, stream.answer));
    await clock.advance(1_500);
    assert.equal(told.filter((one) => one.name === 'gone').length, 1);
    assert.equal(connection.snapshot, null);
    stream.event('reset', reset('k-1', 'a'));
    await clock.advance(0);
    assert.deepEqual(told.slice(-3).map((one) => one.name), ['loaded', 'returned', 'state']);
});

test('changes that do not apply lead to everything anew, by what differs, and are told', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(stream.answer, json(reset('k-2', 'b', 'c')));
    const { clock, told, ids } = started(server);
    stream.event('reset', reset('k-1', 'a', 'b'));
    stream.event('changes', { from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['a', 'x'] }] });
    await clock.advance(0);
    assert.equal(server.paths[1], '/v1/collections/c/changes?reset=inline');
    assert.deepEqual(ids(), ['b', 'c']);
    assert.deepEqual(told.map((one) => one.name), [
        'loaded', 'state', 'deleted', 'misfit', 'inserted', 'changed', 'reset',
    ]);
    assert.equal(told.at(-1).reason, 'misfit');
    stream.event('changes', { from: 'k-2', to: 'k-3', changes: [{ op: 'delete', ids: ['b'] }] });
    await clock.advance(0);
    assert.deepEqual(ids(), ['c']);
});

test('an edit is repeated under one key and with one body until it is answered', async () => {
    const stream = new Pushed();
    const answer = { from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['a'] }] };
    const server = new ScriptedServer().then(
        stream.answer, refused, problem(503, 'overloaded', { 'Retry-After': '3' }), problem(409, 'key-in-use'),
        json(answer));
    const { clock, connection, told, ids } = started(server);
    stream.event('reset', reset('k-1', 'a'));
    await clock.advance(0);
    const changes = [{ op: 'delete', ids: ['a'] }];
    let outcome;
    connection.edit(changes).then((value) => { outcome = value; });
    await clock.advance(10_000);
    assert.deepEqual(outcome, answer);
    const edits = server.requests.slice(1);
    assert.equal(edits.length, 4);
    assert.equal(new Set(edits.map((edit) => edit.headers['Idempotency-Key'])).size, 1);
    assert.deepEqual(JSON.parse(edits[0].body), { base: 'k-1', changes });
    assert.equal(new Set(edits.map((edit) => edit.body)).size, 1);
    assert.equal(told.find((one) => one.name === 'deleted').origin, 'here');
    // The stream tells the same a moment later; nothing happens twice.
    stream.event('changes', answer);
    await clock.advance(0);
    assert.deepEqual(ids(), []);
    assert.equal(told.filter((one) => one.name === 'deleted').length, 1);
    assert.equal(connection.revision, 'k-2');
});

test('an edit that another one overtook is brought in by what is missing, and known as made here', async () => {
    const stream = new Pushed();
    const missing = { from: 'k-2', to: 'k-3', changes: [{ op: 'delete', ids: ['a'] }] };
    const answer = { from: 'k-1', to: 'k-3', changes: [{ op: 'delete', ids: ['a', 'b'] }] };
    const server = new ScriptedServer().then(stream.answer, refused, json(answer), json(missing));
    const { clock, connection, told, ids } = started(server);
    stream.event('reset', reset('k-1', 'a', 'b', 'c'));
    await clock.advance(0);
    const edit = connection.edit([{ op: 'delete', ids: ['a'] }]);
    await clock.advance(0);
    stream.event('changes', { from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['b'] }] });
    await clock.advance(500);
    assert.deepEqual(await edit, answer);
    assert.equal(server.paths.at(-1), '/v1/collections/c/changes?reset=inline&since=k-2');
    assert.deepEqual(ids(), ['c']);
    const deleted = told.filter((one) => one.name === 'deleted').map(({ id, origin }) => [id, origin]);
    assert.deepEqual(deleted, [['b', 'elsewhere'], ['a', 'here']]);
});

test('what is pushed while an edit is under way waits a little for its answer', async () => {
    const stream = new Pushed();
    const answer = { from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['a'] }] };
    let release;
    const later = () => new Promise((resolve) => { release = () => resolve(json(answer)()); });
    const { clock, connection, told } = started(new ScriptedServer().then(stream.answer, later));
    stream.event('reset', reset('k-1', 'a'));
    await clock.advance(0);
    connection.edit([{ op: 'delete', ids: ['a'] }]);
    await clock.advance(0);
    stream.event('changes', answer);
    await clock.advance(500);
    assert.equal(connection.revision, 'k-1');
    release();
    await clock.advance(0);
    assert.equal(connection.revision, 'k-2');
    assert.deepEqual(told.filter((one) => one.name === 'deleted').map((one) => one.origin), ['here']);
});

test('a refusal is a problem with all that the server says, and what is held is brought in step', async () => {
    const stream = new Pushed();
    const refusal = json({
        type: '/problems/item-not-found', title: 'No such item', status: 404, detail: 'no item x',
        pointer: '/changes/0/ids/0',
    }, 404);
    const server = new ScriptedServer().then(
        stream.answer, refusal, json({ from: 'k-1', to: 'k-2', changes: [{ op: 'delete', ids: ['a'] }] }));
    const { clock, connection, ids } = started(server);
    stream.event('reset', reset('k-1', 'a'));
    await clock.advance(0);
    await assert.rejects(connection.edit([{ op: 'delete', ids: ['x'] }]), (error) => {
        assert.ok(error instanceof MedleyProblem);
        const { status, code, title, message, pointer } = error;
        assert.deepEqual({ status, code, title, message, pointer }, {
            status: 404, code: 'item-not-found', title: 'No such item', message: 'no item x',
            pointer: '/changes/0/ids/0',
        });
        return true;
    });
    assert.deepEqual(ids(), []);
});

test('an edit against a history that is gone is sent once more against the new one', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(
        stream.answer, problem(410, 'lineage-changed'), json(reset('m-1', 'a', 'z')),
        json({ from: 'm-1', to: 'm-2', changes: [{ op: 'delete', ids: ['a'] }] }));
    const { clock, connection, ids } = started(server);
    stream.event('reset', reset('k-1', 'a'));
    await clock.advance(0);
    await connection.edit([{ op: 'delete', ids: ['a'] }]);
    const edits = server.requests.filter((one) => one.method === 'PATCH');
    assert.deepEqual(edits.map((one) => JSON.parse(one.body).base), ['k-1', 'm-1']);
    assert.deepEqual(ids(), ['z']);
});

test('an edit ends when its time is over or when it is called off', async () => {
    const server = new ScriptedServer().then(never, ...Array.from({ length: 50 }, () => refused));
    const { clock, connection } = started(server);
    const outcomes = [];
    const note = (promise) => promise.then(() => outcomes.push('done'), (error) => outcomes.push(error.name));
    note(connection.edit([]));
    await clock.advance(30_000);
    assert.deepEqual(outcomes, ['MedleyUnreachable']);
    const controller = new AbortController();
    note(connection.edit([], { signal: controller.signal, giveUpAfter: 1e9 }));
    await clock.advance(5_000);
    controller.abort();
    await settled();
    assert.deepEqual(outcomes, ['MedleyUnreachable', 'AbortError']);
    connection.close();
    await clock.advance(1e6);
    assert.equal(clock.next, null);
});

test('a pause lets go of the connection, and after it the stream goes on from where it was', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, second.answer);
    const { clock, connection, states } = started(server);
    first.event('reset', reset('k-1'));
    await clock.advance(0);
    connection.pause();
    await clock.advance(0);
    assert.ok(!first.isOpen);
    await clock.advance(1e6);
    assert.equal(server.requests.length, 1);
    connection.resume();
    await clock.advance(0);
    assert.equal(server.paths[1], '/v1/collections/c/events?since=k-1');
    connection.close();
    connection.resume();
    await clock.advance(1e6);
    assert.equal(server.requests.length, 2);
    assert.deepEqual(states(), ['live', 'paused', 'connecting', 'closed']);
});

test('whoever applies the changes sees the list before and after, and its failure costs it no change', async () => {
    const stream = new Pushed();
    const seen = [];
    let connection;
    const applying = (apply, { changes, from, to, origin }) => {
        const before = connection.collection.count;
        apply({ itemInserted: (node) => seen.push(node.id) });
        seen.push([before, connection.collection.count, changes.length, from, to, origin]);
        if (to === 'k-3') throw new Error('drawing failed');
    };
    const server = new ScriptedServer().then(stream.answer, json(reset('k-3', 'a', 'b', 'c')));
    const follower = started(server, { applying });
    connection = follower.connection;
    stream.event('reset', reset('k-1', 'a'));
    stream.event('changes', { from: 'k-1', to: 'k-2', changes: [{ op: 'insert', items: [item('b')], after: 'a' }] });
    stream.event('changes', { from: 'k-2', to: 'k-3', changes: [{ op: 'insert', items: [item('c')], after: 'b' }] });
    await follower.clock.advance(0);
    assert.deepEqual(seen, ['b', [1, 2, 1, 'k-1', 'k-2', 'elsewhere'], 'c', [2, 3, 1, 'k-2', 'k-3', 'elsewhere']]);
    assert.deepEqual(follower.ids(), ['a', 'b', 'c']);
    assert.equal(connection.revision, 'k-3');
});

test('what is not a collection’s address is refused at once', () => {
    for (const wrong of ['', 'v1/collections/', 'v1/collections/c/items']) {
        assert.throws(() => connect(`http://medley.test/${wrong}`), TypeError);
    }
});
