import assert from 'node:assert/strict';
import test from 'node:test';
import { Backoff } from '../../Sources/MedleyResources/Files/medley/backoff.js';
import { Emitter } from '../../Sources/MedleyResources/Files/medley/emitter.js';
import { EventStream } from '../../Sources/MedleyResources/Files/medley/event-stream.js';
import { isPast } from '../../Sources/MedleyResources/Files/medley/revision.js';
import { seeded } from './naive.mjs';

const seed = Number(process.env.MEDLEY_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`MEDLEY_SEED=${seed}`);

const text = '\uFEFFretry: 2500\n\n: a comment\n\n'
    + 'event: changes\r\nid: k-1\r\ndata: {"title":"Gödel ♫ 🎵"}\r\n\r\n'
    + 'data:one\rdata: two\rdata\rid\r\r'
    + 'event: nothing\n\nid: k-2\u0000\nretry: 5x\nunknown: x\ndata:  spaced: \uFEFF\n\n'
    + 'event: bye\ndata: {}\n\ndata: cut off';
const meant = [
    { type: 'changes', data: '{"title":"Gödel ♫ 🎵"}', id: 'k-1' },
    { type: 'message', data: 'one\ntwo\n', id: '' },
    { type: 'message', data: ' spaced: \uFEFF', id: '' },
    { type: 'bye', data: '{}', id: '' },
];

test('a stream of events gives the same events in every split of its bytes', () => {
    const bytes = new TextEncoder().encode(text);
    const read = (...pieces) => {
        const stream = new EventStream();
        const events = pieces.flatMap((piece) => Array.from(stream.feed(piece)));
        assert.equal(stream.retry, 2500);
        return events;
    };
    assert.deepEqual(read(bytes), meant);
    for (let first = 0; first <= bytes.length; first += 1) {
        for (let second = first; second <= bytes.length; second += 1) {
            const events = read(bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second));
            assert.deepEqual(events, meant, `split at ${first} and ${second}`);
        }
    }
    assert.deepEqual(read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), meant);
});

test('bytes that the reader takes back after they were fed do no harm', () => {
    const stream = new EventStream();
    const buffer = new TextEncoder().encode('data: on');
    assert.deepEqual(Array.from(stream.feed(buffer)), []);
    buffer.fill(0);
    assert.equal(Array.from(stream.feed(new TextEncoder().encode('e\n\n')))[0].data, 'one');
});

test('waits grow, stay under their bounds, and reach all of them', () => {
    const bounds = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    const highest = new Backoff({ random: () => 1 });
    assert.deepEqual(bounds.map(() => highest.failed()), bounds);
    const lowest = new Backoff({ random: () => 0 });
    assert.deepEqual(bounds.map(() => lowest.failed()), bounds.map(() => 0));
    highest.succeeded();
    assert.equal(highest.failed(), 1_000);
    for (let failure = 0; failure < 5_000; failure += 1) highest.failed();
    assert.equal(highest.failed(), 30_000);
});

test('a wait is never shorter than what the server asked for', () => {
    for (const part of [0, 0.5, 1]) {
        const backoff = new Backoff({ random: () => part });
        assert.equal(backoff.failed(7_000), 7_000 + part * 1_000);
        assert.equal(backoff.ended(4_000), 4_000 + part * 2_000);
    }
});

test('revisions are compared within a lineage only', () => {
    assert.ok(isPast('a-9', 'a-10') && isPast('a-10', 'a-10'));
    assert.ok(!isPast('a-10', 'a-9') && !isPast('a-1', 'b-2') && !isPast('a-1', null));
});

test('a listener that throws or leaves disturbs no other', () => {
    const errors = [];
    globalThis.reportError = (error) => errors.push(error.message);
    const emitter = new Emitter();
    const heard = [];
    emitter.on('x', () => { throw new Error('mine'); });
    const leave = emitter.on('x', (event) => { heard.push(event); leave(); });
    emitter.on('x', (event) => heard.push(event + 1));
    emitter.emit('x', 1);
    emitter.emit('x', 5);
    delete globalThis.reportError;
    assert.deepEqual(heard, [1, 2, 6]);
    assert.deepEqual(errors, ['mine', 'mine']);
});
