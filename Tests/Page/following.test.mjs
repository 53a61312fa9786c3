import assert from 'node:assert/strict';
import test from 'node:test';
import { connect } from '../../Sources/MedleyResources/Files/medley.js';
import { isPast } from '../../Sources/MedleyResources/Files/medley/revision.js';
import { FakeClock } from './fake-clock.mjs';
import { ModelServer } from './model-server.mjs';
import { contentOf, seeded } from './naive.mjs';

const seed = Number(process.env.MEDLEY_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`MEDLEY_SEED=${seed}`);

/** A client that checks, whenever something changed, that it holds what the server had at that revision. */
function followed(server, clock, random) {
    const connection = connect('http://medley.test/v1/collections/c', {
        fetch: server.fetch, clock, random: () => random.below(1_000) / 1_000,
    });
    const failures = [];
    const check = () => {
        try {
            assert.deepEqual(contentOf(connection.collection), server.history.get(connection.revision));
            const { sections, counts, revision } = connection.snapshot;
            assert.equal(revision, connection.revision);
            assert.equal(counts.items, sections.flatMap((section) => section.items).length);
        } catch (error) {
            failures.push(error);
        }
    };
    for (const name of ['loaded', 'changed', 'reset']) connection.on(name, check);
    connection.on('misfit', ({ error }) => failures.push(error));
    let latest = null;
    connection.on('changed', ({ to }) => {
        if (isPast(to, latest)) failures.push(new Error(`back from ${latest} to ${to}`));
        latest = to;
    });
    return { connection, failures };
}

for (const streams of [true, false]) {
    const way = streams ? 'a stream' : 'polls';
    test(`by ${way}, through cuts, restarts, restores and lost answers, it holds what the server holds`, async () => {
        let carriedOut = 0;
        for (let round = 0; round < 12; round += 1) {
            const random = seeded(seed + round);
            const clock = new FakeClock();
            const server = new ModelServer(random, clock);
            server.streams = streams;
            server.loss = 0.3;
            server.leavesChangesOut = round % 3 === 1;
            const { connection, failures } = followed(server, clock, random);
            const edits = [];
            for (let step = 0; step < 80; step += 1) {
                const isThere = server.revision !== null;
                const draw = random.below(100);
                if (draw < 30 && isThere) server.edit();
                else if (draw < 60) edits.push(connection.edit([{ op: 'any', text: `${step}` }]).catch(Object));
                else if (draw < 66) server.cut();
                else if (draw < 70) server.stop();
                else if (draw < 80) server.isUp = true;
                else if (draw < 82 && isThere) server.delete();
                else if (draw < 86 && !isThere) server.create();
                else if (draw < 88) server.restore();
                else await clock.advance(random.below(40_000));
            }
            server.isUp = true;
            server.loss = 0;
            if (server.revision === null) server.create();
            for (let turn = 0; turn < 60 || connection.revision !== server.revision; turn += 1) {
                await clock.advance(5_000);
                assert.ok(turn < 120, `round ${round} does not come to rest at ${server.revision}`);
            }
            const outcomes = await Promise.all(edits);
            assert.deepEqual(failures, []);
            assert.deepEqual(contentOf(connection.collection), server.history.get(server.revision));
            assert.equal(connection.isGone, false);
            assert.equal(connection.state, server.streams ? 'live' : 'polling');
            carriedOut += outcomes.filter((outcome) => typeof outcome.to === 'string').length;
            connection.close();
            await clock.advance(60_000);
            assert.equal(clock.next, null, 'nothing goes on after it is closed');
        }
        assert.ok(carriedOut > 12, `${carriedOut} edits`);
    });
}

test('an edit whose answers are lost is carried out once, and known as made here', async () => {
    const random = seeded(seed);
    const clock = new FakeClock();
    const server = new ModelServer(random, clock);
    const { connection, failures } = followed(server, clock, random);
    await clock.advance(5_000);
    const origins = [];
    connection.on('changed', ({ origin }) => origins.push(origin));
    server.loss = 0.6;
    const outcomes = [];
    const edits = Array.from({ length: 12 }, (_, index) =>
        connection.edit([{ op: 'any', text: `e${index}` }], { giveUpAfter: 1e9 })
            .then(({ to }) => outcomes.push(to)));
    for (let turn = 0; turn < 200; turn += 1) await clock.advance(5_000);
    await Promise.all(edits);
    assert.deepEqual(failures, []);
    assert.ok(server.counts.replays > 0);
    assert.equal(server.carriedOut.size, 12);
    assert.ok(Array.from(server.carriedOut.values()).every((times) => times === 1));
    assert.deepEqual(outcomes, Array.from(outcomes).sort((a, b) => a.split('-')[1] - b.split('-')[1]));
    assert.equal(connection.revision, server.revision);
    assert.ok(origins.includes('here'));
    connection.close();
});
