import assert from 'node:assert/strict';
import test from 'node:test';
import { Collection, Misfit } from '../../Sources/MedleyResources/Files/medley.js';
import { applied, contentOf, copy, randomSnapshot, randomStep, seeded } from './naive.mjs';

const seed = Number(process.env.MEDLEY_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`MEDLEY_SEED=${seed}`);

test('changes applied to a collection give what the naive oracle gives, and the snapshot that was meant', () => {
    const random = seeded(seed);
    for (let round = 0; round < 400; round += 1) {
        let snapshot = randomSnapshot(random);
        const collection = Collection.from(copy(snapshot));
        for (let step = 0; step < 5; step += 1) {
            const { after, changes } = randomStep(random, snapshot);
            const naive = changes.reduce(applied, snapshot);
            collection.apply(copy(changes));
            assert.deepEqual(naive, after);
            assert.deepEqual(contentOf(collection), after);
            for (const section of after.sections) {
                for (const model of section.items) {
                    assert.deepEqual(collection.model(model.id), model);
                    assert.equal(collection.item(model.id).section.id, section.id);
                }
            }
            assert.equal(collection.count, after.sections.flatMap((section) => section.items).length);
            assert.equal(collection.models.size, collection.count);
            snapshot = after;
        }
    }
});

test('the list itself holds ids and types only, from either end', () => {
    const random = seeded(seed + 1);
    const collection = Collection.from(randomSnapshot(random));
    for (const section of collection.sections) {
        const forward = Array.from(section.items);
        const backward = [];
        for (let item = section.items.last; item; item = item.previous) backward.unshift(item);
        assert.deepEqual(backward.map((item) => item.id), forward.map((item) => item.id));
        assert.equal(section.items.count, forward.length);
        for (const item of forward) {
            assert.deepEqual(Object.keys(item).sort(), ['chain', 'id', 'next', 'previous', 'section', 'type']);
        }
    }
});

test('an observer that does only what it is told ends with the same list, and hears of nothing else', () => {
    const random = seeded(seed + 2);
    for (let round = 0; round < 400; round += 1) {
        const before = randomSnapshot(random);
        const collection = Collection.from(copy(before));
        const { after, changes } = randomStep(random, before);
        const mirror = new Mirror(before);
        collection.apply(changes, mirror);
        assert.deepEqual(mirror.order, after.sections.map((one) => [one.id, one.items.map((item) => item.id)]));
        const named = new Set(changes.flatMap((change) => [
            ...(change.ids ?? []), ...(change.items ?? []).map((item) => item.id),
            ...(change.sections ?? []).map((section) => section.id),
        ]));
        assert.deepEqual([...mirror.touched].sort(), [...named].sort());
    }
});

test('a reset is nothing and then its changes', () => {
    const collection = Collection.fromReset('c', {
        reset: true, from: null, to: 'x-3', changes: [
            { op: 'insertSection', sections: [{ id: 's', title: 'S' }], after: null },
            { op: 'insert', items: [{ id: 'a', type: 'music', liked: false }], section: 's', after: null },
            { op: 'updateCollection', set: { title: 'C', notes: { a: 1 } } },
        ],
    });
    assert.equal(collection.revision, 'x-3');
    assert.deepEqual(contentOf(collection), {
        id: 'c', title: 'C', notes: { a: 1 },
        sections: [{ id: 's', title: 'S', items: [{ id: 'a', type: 'music', liked: false }] }],
    });
    collection.apply([{ op: 'updateCollection', set: { notes: { a: null, b: [2] } } }]);
    assert.deepEqual(collection.members.notes, { b: [2] });
});

test('a change that does not fit is a misfit, never a broken list', async (context) => {
    const misfits = {
        'delete of what is not there': { op: 'delete', ids: ['x'] },
        'insert of what is there': { op: 'insert', items: [{ id: 'a', type: 'music' }], section: 's', after: null },
        'insert behind what is not there': { op: 'insert', items: [{ id: 'n', type: 'music' }], after: 'x' },
        'insert into no section': { op: 'insert', items: [{ id: 'n', type: 'music' }], section: 'x', after: null },
        'move of what is not there': { op: 'move', ids: ['x'], section: 's', after: null },
        'move behind itself': { op: 'move', ids: ['a'], after: 'a' },
        'update of what is not there': { op: 'update', items: [{ id: 'x', type: 'music' }] },
        'section inserted twice': { op: 'insertSection', sections: [{ id: 's', title: '' }], after: null },
        'section deleted with items': { op: 'deleteSection', ids: ['s'] },
        'section that is not there': { op: 'moveSection', ids: ['x'], after: null },
        'unknown op': { op: 'shuffle' },
    };
    for (const [name, change] of Object.entries(misfits)) {
        await context.test(name, () => {
            const items = [{ id: 'a', type: 'music', liked: false }];
            const snapshot = { id: 'c', title: '', sections: [{ id: 's', title: '', items }] };
            const collection = Collection.from(copy(snapshot));
            assert.throws(() => collection.apply([change]), Misfit);
            assert.deepEqual(contentOf(collection), snapshot);
        });
    }
});

/** Sections and items in order, kept by an observer's calls alone. */
class Mirror {
    touched = new Set();

    constructor(snapshot) {
        this.order = snapshot.sections.map((section) => [section.id, section.items.map((item) => item.id)]);
    }

    itemInserted(item) { this.#touch(item); this.#put(item); }
    itemMoved(item) { this.#touch(item); this.#take(item); this.#put(item); }
    itemDeleted(item) { this.#touch(item); this.#take(item); }
    itemUpdated(item) { this.#touch(item); }
    sectionInserted(section) { this.#touch(section); this.#putSection(section, [section.id, []]); }
    sectionMoved(section) { this.#touch(section); this.#putSection(section, this.#takeSection(section)); }
    sectionDeleted(section) { this.#touch(section); this.#takeSection(section); }
    sectionUpdated(section) { this.#touch(section); }

    #touch(node) { this.touched.add(node.id); }

    #take(item) {
        const [, ids] = this.order.find(([, all]) => all.includes(item.id));
        ids.splice(ids.indexOf(item.id), 1);
    }

    #put(item) {
        const [, ids] = this.order.find(([id]) => id === item.section.id);
        ids.splice(item.previous ? ids.indexOf(item.previous.id) + 1 : 0, 0, item.id);
    }

    #takeSection(section) {
        return this.order.splice(this.order.findIndex(([id]) => id === section.id), 1)[0];
    }

    #putSection(section, entry) {
        const { previous } = section;
        this.order.splice(previous ? this.order.findIndex(([id]) => id === previous.id) + 1 : 0, 0, entry);
    }
}
