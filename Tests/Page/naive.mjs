// A collection as plain arrays, and changes applied to it in the most literal way: the oracle for collection.js.

/** Numbers from a seed (mulberry32), so that a failure can be repeated. */
export function seeded(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const below = (bound) => Math.floor(next() * bound);
    return {
        below,
        chance: (probability) => next() < probability,
        pick: (list) => list[below(list.length)],
        shuffled(list) {
            const copy = [...list];
            for (let index = copy.length - 1; index > 0; index -= 1) {
                const other = below(index + 1);
                [copy[index], copy[other]] = [copy[other], copy[index]];
            }
            return copy;
        },
    };
}

export function copy(value) {
    return JSON.parse(JSON.stringify(value));
}

/** What a collection holds, without what only a server states. */
export function contentOf(collection) {
    const { revision, counts, types, ...content } = collection.snapshot;
    return content;
}

/** The snapshot after one change of the normal form. */
export function applied(snapshot, change) {
    const next = copy(snapshot);
    const { sections } = next;
    const takeItems = (ids) => ids.map((id) => {
        const section = sections.find((one) => one.items.some((item) => item.id === id));
        return section.items.splice(section.items.findIndex((item) => item.id === id), 1)[0];
    });
    const putItems = (items) => {
        const section = change.after == null
            ? sections.find((one) => one.id === change.section)
            : sections.find((one) => one.items.some((item) => item.id === change.after));
        const index = change.after == null ? 0 : section.items.findIndex((item) => item.id === change.after) + 1;
        section.items.splice(index, 0, ...copy(items));
    };
    const takeSections = (ids) => ids.map((id) => sections.splice(sections.findIndex((one) => one.id === id), 1)[0]);
    const putSections = (made) => {
        const index = change.after === null ? 0 : sections.findIndex((one) => one.id === change.after) + 1;
        sections.splice(index, 0, ...made);
    };
    switch (change.op) {
    case 'delete': takeItems(change.ids); break;
    case 'insert': putItems(change.items); break;
    case 'move': putItems(takeItems(change.ids)); break;
    case 'update':
        for (const model of change.items) {
            const section = sections.find((one) => one.items.some((item) => item.id === model.id));
            section.items[section.items.findIndex((item) => item.id === model.id)] = copy(model);
        }
        break;
    case 'insertSection': putSections(change.sections.map((section) => ({ ...section, items: [] }))); break;
    case 'moveSection': putSections(takeSections(change.ids)); break;
    case 'deleteSection': takeSections(change.ids); break;
    case 'updateSection':
        for (const members of change.sections) {
            const index = sections.findIndex((one) => one.id === members.id);
            sections[index] = { ...members, items: sections[index].items };
        }
        break;
    case 'updateCollection':
        for (const [name, value] of Object.entries(change.set)) {
            if (value === null) delete next[name];
            else next[name] = value;
        }
        break;
    default: throw new Error(`no change is called ${change.op}`);
    }
    return next;
}

/** A snapshot of random sections and items. */
export function randomSnapshot(random) {
    const snapshot = { id: 'c', title: 'C', sections: [] };
    let made = 0;
    for (let section = random.below(5); section >= 0; section -= 1) {
        const items = Array.from({ length: random.below(9) }, () => randomItem(random, `i${made++}`));
        snapshot.sections.push({ id: `s${section}`, title: `S${section}`, items });
    }
    return snapshot;
}

export function randomItem(random, id) {
    const type = random.pick(['music', 'video', 'shortVideo']);
    return { id, type, liked: random.chance(0.5), title: `T${random.below(99)}` };
}

/**
 * What random edits make of a snapshot: the snapshot after them, and the changes in the normal form. Which ids are
 * moved is drawn as well, so that some are moved that could have stayed, as a server may say.
 */
export function randomStep(random, before) {
    const kept = new Set();
    const sectionsGone = new Set();
    const changes = [];

    const beforeItems = before.sections.flatMap((section) => section.items);
    const gone = beforeItems.filter(() => random.chance(0.15)).map((item) => item.id);
    const living = beforeItems.filter((item) => !gone.includes(item.id)).map((item) => item.id);
    for (const section of before.sections) if (random.chance(0.15)) sectionsGone.add(section.id);

    // Where each item and section stays unless it is drawn as moved.
    const target = copy(before);
    target.sections = target.sections.filter((section) => !sectionsGone.has(section.id));
    const movedSections = target.sections.filter(() => random.chance(0.15)).map((section) => section.id);
    const newSections = Array.from({ length: random.below(3) }, () => `s${random.below(1e9)}`);
    if (target.sections.length === 0 && newSections.length === 0) newSections.push(`s${random.below(1e9)}`);
    const movedSectionNodes = target.sections.filter((section) => movedSections.includes(section.id));
    target.sections = target.sections.filter((section) => !movedSections.includes(section.id));
    const loose = [...movedSectionNodes, ...newSections.map((id) => ({ id, title: `New ${id}`, items: [] }))];
    for (const section of random.shuffled(loose)) {
        target.sections.splice(random.below(target.sections.length + 1), 0, section);
    }

    const stays = (id) => living.includes(id) && target.sections.some((one) => one.items.some((item) => item.id === id));
    const moved = living.filter((id) => !stays(id) || random.chance(0.2));
    for (const id of living) if (!moved.includes(id)) kept.add(id);
    for (const section of target.sections) section.items = section.items.filter((item) => kept.has(item.id));
    const fresh = Array.from({ length: random.below(6) }, () => randomItem(random, `n${random.below(1e9)}`));
    // An id that is gone may come back as another item in the same difference.
    if (gone.length > 0 && random.chance(0.3)) fresh.push(randomItem(random, random.pick(gone)));
    const models = new Map(beforeItems.map((item) => [item.id, item]));
    for (const item of random.shuffled([...moved.map((id) => copy(models.get(id))), ...fresh])) {
        const section = random.pick(target.sections);
        section.items.splice(random.below(section.items.length + 1), 0, item);
    }

    // Edits.
    const edited = living.filter(() => random.chance(0.2));
    for (const section of target.sections) {
        for (const item of section.items) {
            if (edited.includes(item.id)) Object.assign(item, { liked: !item.liked, title: `${item.title}!` });
        }
    }
    const titled = target.sections.filter((section) => !newSections.includes(section.id) && random.chance(0.2));
    for (const section of titled) section.title += '?';
    if (random.chance(0.2)) target.title = `C${random.below(99)}`;

    // The normal form.
    if (gone.length > 0) changes.push({ op: 'delete', ids: gone });
    target.sections.forEach(({ items, ...members }, index) => {
        const after = target.sections[index - 1]?.id ?? null;
        if (newSections.includes(members.id)) changes.push({ op: 'insertSection', sections: [members], after });
        else if (movedSections.includes(members.id)) changes.push({ op: 'moveSection', ids: [members.id], after });
    });
    for (const section of target.sections) {
        section.items.forEach((item, index) => {
            const after = section.items[index - 1]?.id ?? null;
            const place = after === null ? { section: section.id, after } : { after };
            const last = changes.at(-1);
            if (fresh.some((one) => one.id === item.id)) {
                if (last?.op === 'insert' && last.items.at(-1).id === after) last.items.push(item);
                else changes.push({ op: 'insert', items: [item], ...place });
            } else if (moved.includes(item.id)) {
                if (last?.op === 'move' && last.ids.at(-1) === after) last.ids.push(item.id);
                else changes.push({ op: 'move', ids: [item.id], ...place });
            }
        });
    }
    if (sectionsGone.size > 0) changes.push({ op: 'deleteSection', ids: [...sectionsGone] });
    if (titled.length > 0) {
        changes.push({ op: 'updateSection', sections: titled.map(({ items, ...members }) => members) });
    }
    const all = target.sections.flatMap((section) => section.items);
    const items = all.filter((item) => edited.includes(item.id));
    if (items.length > 0) changes.push({ op: 'update', items });
    if (target.title !== before.title) changes.push({ op: 'updateCollection', set: { title: target.title } });
    return { after: target, changes };
}
