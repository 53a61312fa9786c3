// What differs between two collections, in the normal form of the server's changes. It is for the moments when the
// server cannot say it (its history was cut or made anew) and a whole snapshot comes: only what differs is touched.

import { differ, mergePatch, mergePatchBetween } from './merge-patch.js';

/** The changes that make `to` out of `from`; O(n log n). Nothing is moved that can stay. */
export function difference(from, to) {
    const gone = [];
    for (const { id, type } of from.items()) if (to.item(id)?.type !== type) gone.push(id);
    const changes = gone.length > 0 ? [{ op: 'delete', ids: gone }] : [];

    placeNodes(to.sections, stayingSections(from, to), (section) => from.section(section.id), {
        insert: (section, after) => changes.push({ op: 'insertSection', sections: [section.members], after }),
        move: (section, after) => changes.push({ op: 'moveSection', ids: [section.id], after }),
    });

    const positions = new Map();
    for (const item of from.items()) positions.set(item.id, positions.size);
    const held = ({ id, type }) => (from.item(id)?.type === type ? from.item(id) : undefined);
    for (const section of to.sections) {
        const kept = Array.from(section.items).filter((item) => held(item)?.section.id === section.id);
        const staying = longestRun(kept, (item) => positions.get(item.id));
        placeNodes(section.items, staying, held, {
            insert: (item, after) => {
                const last = changes.at(-1);
                const model = to.model(item.id);
                if (last?.op === 'insert' && after !== null && last.items.at(-1).id === after) last.items.push(model);
                else changes.push({ op: 'insert', items: [model], ...place(section, after) });
            },
            move: (item, after) => {
                const last = changes.at(-1);
                if (last?.op === 'move' && after !== null && last.ids.at(-1) === after) last.ids.push(item.id);
                else changes.push({ op: 'move', ids: [item.id], ...place(section, after) });
            },
        });
    }

    const empty = Array.from(from.sections).filter((section) => !to.section(section.id));
    if (empty.length > 0) changes.push({ op: 'deleteSection', ids: empty.map((section) => section.id) });
    const sections = Array.from(to.sections, (section) => section.members)
        .filter((members) => from.section(members.id) && differ(from.section(members.id).members, members));
    if (sections.length > 0) changes.push({ op: 'updateSection', sections });
    const items = Array.from(to.items(), (item) => to.model(item.id))
        .filter((model) => held(model) && differ(from.model(model.id), model));
    if (items.length > 0) changes.push({ op: 'update', items });
    changes.push(...memberChanges(from.members, to.members));
    return changes;
}

/**
 * One merge patch; or two where one cannot say it, since it replaces no object as a whole and reorders nothing: the
 * first removes the members from the first affected one on, the second sets them.
 */
function memberChanges(from, to) {
    if (!differ(from, to)) return [];
    const set = mergePatchBetween(from, to);
    const merged = Object.entries(mergePatch(from, set));
    const wanted = Object.entries(to);
    const start = wanted.findIndex((member, index) => differ(member, merged[index]));
    if (start < 0) return [{ op: 'updateCollection', set }];
    const staying = new Set(wanted.slice(0, start).map(([name]) => name));
    const first = [
        ...Object.entries(set).filter(([name]) => staying.has(name)),
        ...Object.keys(from).filter((name) => !staying.has(name)).map((name) => [name, null]),
    ];
    return [first, wanted.slice(start)].filter((members) => members.length > 0)
        .map((members) => ({ op: 'updateCollection', set: Object.fromEntries(members) }));
}

function place(section, after) {
    return after === null ? { section: section.id, after } : { after };
}

function stayingSections(from, to) {
    const positions = new Map();
    for (const section of from.sections) positions.set(section.id, positions.size);
    const kept = Array.from(to.sections).filter((section) => positions.has(section.id));
    return longestRun(kept, (section) => positions.get(section.id));
}

/** Says for each node, in order, whether it is new or moved, and which stands before it. */
function placeNodes(nodes, staying, held, { insert, move }) {
    let after = null;
    for (const node of nodes) {
        if (!held(node)) insert(node, after);
        else if (!staying.has(node)) move(node, after);
        after = node.id;
    }
}

/** The nodes of a longest increasing subsequence of their positions; O(n log n). */
function longestRun(nodes, position) {
    const ends = [];
    const previous = new Map();
    for (const node of nodes) {
        let low = 0;
        let high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (position(ends[middle]) < position(node)) low = middle + 1;
            else high = middle;
        }
        previous.set(node, ends[low - 1]);
        ends[low] = node;
    }
    const run = new Set();
    for (let node = ends.at(-1); node; node = previous.get(node)) run.add(node);
    return run;
}
