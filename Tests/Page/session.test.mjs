// Who is signed in on the page, without a document.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Service } from '../../Sources/MedleyResources/Files/medley.js';
import { Session } from '../../Sources/MedleyResources/Files/page/session.js';
import { FakeClock, ScriptedServer, json, problem, refused } from './fake-clock.mjs';

const standing = (name, permissions, takesTokens = true) => json({ name, takesTokens, permissions, collections: ['*'] });
const nobody = standing(null, []);
const phone = standing('phone', ['read', 'write']);
const opened = json({ expiresIn: 28_800, permissions: ['read', 'write'], collections: ['*'] });
const closed = () => new Response(null, { status: 204 });

function started(...answers) {
    const server = new ScriptedServer().then(...answers);
    const told = [];
    const fetch = (path, init) => server.fetch(`http://medley.test${path}`, init);
    const session = new Session(() => told.push(`${session.name} ${session.asks}`),
        (options) => new Service({ ...options, fetch, clock: new FakeClock() }));
    return { server, session, told };
}

test('where tokens are not taken, everything may be done and nobody is asked', async () => {
    const { session, told } = started(standing(null, ['read', 'write', 'admin'], false));
    assert.equal(session.may('read'), false);
    assert.equal(await session.load(), true);
    assert.deepEqual(['read', 'write', 'admin'].map((right) => session.may(right)), [true, true, true]);
    assert.equal(session.takesTokens, false);
    assert.deepEqual(told, ['null null']);
});

test('where nothing can be seen without a token, the visitor is asked, and cannot leave it', async () => {
    const { session, told } = started(nobody);
    await session.load();
    assert.deepEqual(told, ['null needed']);
    assert.equal(session.canWait, false);
    session.leave();
    assert.equal(session.asks, 'needed');
});

test('where something can be seen without, the visitor is asked when they want to be', async () => {
    const { session, told } = started(standing(null, ['read']));
    await session.load();
    assert.equal(session.may('write'), false);
    session.want();
    assert.equal(session.canWait, true);
    session.leave();
    assert.deepEqual(told, ['null null', 'null wanted', 'null null']);
});

test('a token is exchanged once, is in no address and no body, and is not kept', async () => {
    const { server, session, told } = started(nobody, opened, phone, phone);
    await session.load();
    assert.equal(await session.signIn('  medley_a_secret\n'), null);
    assert.deepEqual(told, ['null needed', 'phone null']);
    assert.equal(session.may('write') && !session.may('admin'), true);
    assert.equal(await session.load(), false);
    const shown = server.requests.map(({ method, path, headers, body }) => [method, path, headers.Authorization, body]);
    assert.deepEqual(shown, [
        ['GET', '/v1/session', undefined, undefined],
        ['POST', '/v1/session', 'Bearer medley_a_secret', undefined],
        ['GET', '/v1/session', undefined, undefined],
        ['GET', '/v1/session', undefined, undefined],
    ]);
    assert.ok(!JSON.stringify(session).includes('secret'));
});

for (const [what, text, answers, expected] of [
    ['nothing', ' ', [], /^Enter a token/],
    ['what cannot be a token', 'pass word', [], /^This is not a token/],
    ['an unknown token', 'medley_a_b', [problem(401, 'unauthenticated')], /^The server does not know this token/],
    ['a token while the server is away', 'medley_a_b', [refused], /does not answer/],
    ['a token in a browser without cookies', 'medley_a_b', [opened, nobody], /no cookie/],
    ['a token where the page is another’s', 'medley_a_b', [problem(403, 'forbidden')], /forbidden/],
]) {
    test(`${what} is told in a sentence, and the question stays`, async () => {
        const { server, session } = started(nobody, ...answers);
        await session.load();
        const told = await session.signIn(text);
        assert.match(told, expected);
        assert.ok(!told.includes('medley_a_b'));
        assert.equal(session.asks, 'needed');
        assert.equal(server.requests.length, 1 + answers.length);
    });
}

test('a session that ends brings the question back once, and who signs in again goes on', async () => {
    const { session, told } = started(phone, nobody, nobody, opened, phone);
    await session.load();
    // The stream, the list and an edit all notice.
    await Promise.all([session.load(), session.load(), session.load()]);
    assert.equal(session.asks, 'ended');
    assert.equal(session.canWait, false);
    await session.load();
    assert.equal(session.asks, 'ended');
    assert.equal(await session.signIn('medley_a_b'), null);
    assert.deepEqual(told, ['phone null', 'null ended', 'phone null']);
});

test('a session that ends where something can be seen without can be left at that', async () => {
    const { session } = started(phone, standing(null, ['read']));
    await session.load();
    await session.load();
    assert.equal(session.asks, 'ended');
    assert.equal(session.may('write'), false);
    session.leave();
    assert.equal(session.asks, null);
});

test('whoever signs in in another tab is signed in here', async () => {
    const { session, told } = started(nobody, phone);
    await session.load();
    await session.load();
    assert.deepEqual(told, ['null needed', 'phone null']);
});

test('signing out is not taken for a session that ended', async () => {
    const { server, session, told } = started(phone, closed, nobody);
    await session.load();
    await session.signOut();
    assert.deepEqual(server.requests.map(({ method }) => method), ['GET', 'DELETE', 'GET']);
    assert.deepEqual(told, ['phone null', 'null needed']);
    assert.equal(session.may('read'), false);
});

test('signing out that fails changes nothing', async () => {
    const { session, told } = started(phone, refused);
    await session.load();
    await assert.rejects(session.signOut());
    assert.equal(session.name, 'phone');
    assert.deepEqual(told, ['phone null']);
});

test('a right that is taken away is told, and nothing while all stays as it is', async () => {
    const { session, told } = started(phone, phone, standing('phone', ['read']));
    for (let count = 0; count < 3; count += 1) await session.load();
    assert.equal(told.length, 2);
    assert.equal(session.may('write'), false);
});
