import assert from 'node:assert/strict';
import test from 'node:test';
import { arranged, arrangementOf, canBeArranged } from '../../Sources/MedleyResources/Files/page/arrangement.js';
import { Collection } from '../../Sources/MedleyResources/Files/medley.js';
import { difference } from '../../Sources/MedleyResources/Files/medley.js';
import { inWords } from '../../Sources/MedleyResources/Files/page/words.js';
import { readFileSync } from 'node:fs';
import { applied, contentOf, copy, randomSnapshot, randomStep, seeded } from './naive.mjs';

const seed = Number(process.env.MEDLEY_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`MEDLEY_SEED=${seed}`);

const sample = (name) => JSON.parse(readFileSync(new URL(`../../Samples/${name}.json`, import.meta.url), 'utf8'));

test('the difference of two snapshots makes one of the other and moves as few as can be', () => {
    const random = seeded(seed);
    for (let round = 0; round < 400; round += 1) {
        const before = randomSnapshot(random);
        let after = before;
        for (let step = random.below(3); step >= 0; step -= 1) after = randomStep(random, after).after;
        const changes = difference(Collection.from(copy(before)), Collection.from(copy(after)));
        assert.deepEqual(changes.reduce(applied, before), after);
        const collection = Collection.from(copy(before));
        collection.apply(changes);
        assert.deepEqual(contentOf(collection), after);
        const moved = changes.filter((change) => change.op === 'move').flatMap((change) => change.ids);
        assert.equal(moved.length, fewestMoves(before, after));
        assert.deepEqual(difference(collection, Collection.from(after)), []);
    }
});

test('the difference brings a collection’s own members into the same order, nested ones too', () => {
    const random = seeded(seed + 1);
    const value = (depth = 0) => (depth < 2 && random.chance(0.4) ? members(depth + 1) : random.below(3));
    const members = (depth) => Object.fromEntries(
        random.shuffled(['a', 'b', 'c', '__proto__']).slice(random.below(4)).map((name) => [name, value(depth)]));
    const collection = (own) => Collection.from({ id: 'c', ...own, sections: [] });
    for (let round = 0; round < 2_000; round += 1) {
        const [before, after] = [members(), members()];
        const held = collection(before);
        held.apply(difference(held, collection(after)));
        assert.equal(JSON.stringify(held.members), JSON.stringify(after));
    }
    const swapped = difference(collection({ a: 1, b: 2 }), collection({ b: 2, a: 1 }));
    assert.deepEqual(swapped.map(({ set }) => set), [{ a: null, b: null }, { b: 2, a: 1 }]);
    const edited = difference(collection({ a: 1, b: { c: 1 } }), collection({ a: 2, b: { c: 2 } }));
    assert.deepEqual(edited.map(({ set }) => set), [{ a: 2, b: { c: 2 } }]);
});

test('the samples arranged by the page are the samples as they lie in the repository', () => {
    const byStory = Collection.from(sample('characters'));
    assert.ok(canBeArranged(byStory));
    assert.equal(arrangementOf(byStory), 'story');
    const byStatus = arranged(byStory, 'status');
    assert.deepEqual(byStatus, sample('characters-by-status'));
    assert.equal(arrangementOf(Collection.from(byStatus)), 'status');
    const back = sample('characters');
    for (const section of back.sections) section.items.forEach((item) => delete item.liked);
    assert.deepEqual(arranged(Collection.from(byStatus), 'story'), back);
    assert.ok(!canBeArranged(Collection.from(sample('mix'))));
});

test('changes in words', () => {
    const collection = Collection.from(sample('mix'));
    const liked = { ...collection.model('v2'), liked: true };
    const words = inWords([
        { op: 'delete', ids: ['v1'] },
        { op: 'move', ids: ['v3'], section: 'featured', after: null },
        { op: 'move', ids: ['v4'], after: 'v2' },
        { op: 'move', ids: ['m1', 'm2', 'm3', 'm5'], after: 'v4' },
        { op: 'update', items: [liked] },
    ], collection);
    const title = (id) => `“${collection.model(id).title}”`;
    assert.deepEqual(words, [
        `${title('v1')} deleted`, `${title('v3')} moved to the start of Featured`,
        `${title('v4')} moved behind ${title('v2')}`, `${title('m1')} and 3 others moved behind ${title('v4')}`,
        `${title('v2')} liked`,
    ]);
});

/** Items in both that are not part of the longest runs that keep their order, section by section; O(n²). */
function fewestMoves(before, after) {
    let moves = 0;
    const held = new Map(before.sections.flatMap((section) =>
        section.items.map((item, index) => [item.id, { section: section.id, index, type: item.type }])));
    for (const section of after.sections) {
        const here = section.items.filter((item) => held.get(item.id)?.type === item.type);
        const kept = here.map((item) => held.get(item.id)).filter((place) => place.section === section.id);
        const lengths = [];
        kept.forEach((place, index) => {
            const shorter = kept.slice(0, index).map((one, other) => (one.index < place.index ? lengths[other] : 0));
            lengths.push(1 + Math.max(0, ...shorter));
        });
        moves += here.length - Math.max(0, ...lengths);
    }
    return moves;
}
