// Tokens: how they are sent, and what becomes of a follower whose token is missing or withdrawn.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MedleyProblem, Service, connect, connectAll } from '../../Sources/MedleyResources/Files/medley.js';
import { FakeClock, Pushed, ScriptedServer, json, problem, settled } from './fake-clock.mjs';

const url = 'http://medley.test/v1/collections/c';
const token = 'medley_aaaaaaaaaaaa_secret';
const reset = (to) => ({ from: null, to, reset: true, changes: [] });
const denied = problem(401, 'unauthenticated');
const noStream = () => new Response('');

function followed(server, options = {}) {
    const clock = new FakeClock();
    const connection = connect(url, { fetch: server.fetch, clock, random: () => 0.5, token, ...options });
    const states = [];
    connection.on('state', ({ state, error }) => states.push(error ? `${state} ${error.status}` : state));
    return { clock, connection, states };
}

test('every request carries the token as a header field, and no address does', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(
        stream.answer, json({ from: 'k-1', to: 'k-2', changes: [] }), noStream, json(reset('k-3')));
    const { clock, connection } = followed(server);
    stream.event('reset', reset('k-1'));
    await clock.advance(0);
    await connection.edit([]);
    stream.end();
    await clock.advance(10_000);
    connection.close();
    assert.ok(server.requests.length >= 4);
    assert.ok(server.requests.some(({ path }) => path.includes('/events')));
    assert.ok(server.requests.some(({ path }) => path.includes('/changes')));
    for (const { path, headers } of server.requests) {
        assert.equal(headers.Authorization, `Bearer ${token}`);
        assert.ok(!path.includes('secret'));
    }
});

test('a function is asked for the token of each request', async () => {
    const tokens = ['one', null, 'two'];
    const server = new ScriptedServer().then(json({}), json({}), json({}));
    const service = new Service({ fetch: server.fetch, clock: new FakeClock(), token: () => tokens.shift() });
    for (let count = 0; count < 3; count += 1) await service.send('GET', url);
    assert.deepEqual(server.requests.map(({ headers }) => headers.Authorization), ['Bearer one', undefined, 'Bearer two']);
});

for (const text of ['', 'a b', 'a\r\nX: y', 'é', 'x'.repeat(4_097), 7]) {
    test(`${JSON.stringify(text).slice(0, 20)} is no token, and is refused without being shown`, () => {
        assert.throws(() => connect(url, { token: text }), (error) =>
            error instanceof TypeError && (text === '' || !error.message.includes(` ${text} `)));
    });
}

test('a function that gives no token is told of, and asked again after a wait', async () => {
    const server = new ScriptedServer();
    const { clock, connection, states } = followed(server, { token: () => 'a b' });
    await clock.advance(0);
    assert.equal(server.requests.length, 0);
    assert.equal(states.at(-1), 'waiting undefined');
    assert.ok(clock.next > 0);
    connection.close();
});

for (const [status, code] of [[401, 'unauthenticated'], [403, 'forbidden']]) {
    test(`a stream that is refused with ${status} is told of once and not asked for again until it is said`, async () => {
        const stream = new Pushed();
        const server = new ScriptedServer().then(problem(status, code), stream.answer);
        const { clock, connection, states } = followed(server);
        await clock.advance(3_600_000);
        assert.deepEqual(states, [`denied ${status}`]);
        assert.equal(connection.state, 'denied');
        assert.equal(server.requests.length, 1);
        connection.retry();
        stream.event('reset', reset('k-1'));
        await clock.advance(0);
        assert.deepEqual(states, [`denied ${status}`, 'connecting', 'live']);
        connection.close();
    });
}

test('a token that is withdrawn ends a stream, and what was held is held when there is another', async () => {
    const [first, second] = [new Pushed(), new Pushed()];
    const server = new ScriptedServer().then(first.answer, denied, second.answer);
    const { clock, connection, states } = followed(server);
    first.event('reset', reset('k-1'));
    await clock.advance(0);
    first.end();
    await clock.advance(60_000);
    assert.deepEqual(states, ['live', 'connecting', 'denied 401']);
    connection.retry();
    second.event('changes', { from: 'k-1', to: 'k-2', changes: [{ op: 'updateCollection', set: { title: 'T' } }] });
    await clock.advance(0);
    assert.equal(server.paths.at(-1), '/v1/collections/c/events?since=k-1');
    assert.equal(connection.revision, 'k-2');
    connection.close();
});

test('a held poll that ends with 401 is made once more, since its token may grant something else only', async () => {
    const server = new ScriptedServer().then(
        noStream, json(reset('k-1')), denied, json({ from: 'k-1', to: 'k-1', changes: [] }), denied, denied);
    const { clock, connection, states } = followed(server);
    await clock.advance(600_000);
    assert.deepEqual(states, ['polling', 'polling', 'denied 401'].filter((state, index, all) => state !== all[index - 1]));
    assert.equal(server.requests.length, 6);
    assert.deepEqual(server.paths.slice(1).map((path) => path.includes('wait=')), [false, true, false, true, false]);
    connection.close();
});

test('a proxy that forbids in words of its own is asked again', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(() => new Response('<html>', { status: 403 }), stream.answer);
    const { clock, connection, states } = followed(server);
    stream.event('reset', reset('k-1'));
    await clock.advance(1_000);
    assert.deepEqual(states, ['waiting 403', 'live']);
    connection.close();
});

test('an edit that is denied fails at once, and following goes on', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(stream.answer, problem(403, 'forbidden'));
    const { clock, connection, states } = followed(server);
    stream.event('reset', reset('k-1'));
    await clock.advance(0);
    await assert.rejects(connection.edit([]), (error) => error instanceof MedleyProblem && error.isDenied);
    assert.deepEqual(states, ['live']);
    assert.equal(server.requests.length, 2);
    connection.close();
});

test('many collections over one connection are denied and tried again together', async () => {
    const stream = new Pushed();
    const server = new ScriptedServer().then(denied, stream.answer);
    const clock = new FakeClock();
    const all = connectAll('http://medley.test', { fetch: server.fetch, clock, token });
    await clock.advance(60_000);
    assert.equal(all.state, 'denied');
    all.retry();
    stream.write(':\n');
    await clock.advance(0);
    assert.equal(all.state, 'live');
    assert.ok(server.requests.every(({ headers }) => headers.Authorization === `Bearer ${token}`));
    all.close();
});

test('with a token no redirection is followed, and an edit is not sent again', async () => {
    const inits = [];
    const fetch = async (_url, init) => {
        inits.push(init);
        return new Response(null, { status: 307, headers: { Location: 'https://other.test/' } });
    };
    const service = new Service({ fetch, clock: new FakeClock(), token });
    await assert.rejects(service.send('GET', url), (error) => error instanceof MedleyProblem && error.status === 307);
    assert.equal(inits[0].redirect, 'manual');
    await new Service({ fetch, clock: new FakeClock() }).send('GET', url).catch(() => {});
    assert.equal(inits[1].redirect, undefined);
    await settled();
});
