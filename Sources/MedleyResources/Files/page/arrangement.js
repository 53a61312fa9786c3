// The two arrangements of the characters: by the story that they are in, and by what has become of them.

const byNumber = new Intl.Collator('en', { numeric: true });
const statuses = ['alive', 'missing', 'dead', 'unknown'];

const arrangements = {
    story: {
        description: 'Grouped by the story that they are in',
        section: (model) => ({ id: slug(model.universe), title: model.universe }),
        order: (a, b) => byNumber.compare(a.id, b.id),
        sectionOrder: () => 0,
    },
    status: {
        description: 'Grouped by what has become of them',
        section: (model) => ({ id: `status-${slug(model.status)}`, title: capitalised(model.status) }),
        order: (a, b) => byNumber.compare(a.title ?? '', b.title ?? '') || byNumber.compare(a.id, b.id),
        sectionOrder: (a, b) => rank(a) - rank(b),
    },
};

/** Whether a collection's items can be arranged so: all of them are characters with a story and a status. */
export function canBeArranged(collection) {
    if (collection.count === 0) return false;
    for (const { id, type } of collection.items()) {
        const { universe, status } = collection.model(id);
        if (type !== 'character' || typeof universe !== 'string' || typeof status !== 'string') return false;
    }
    return true;
}

/** The arrangement that a collection is in. */
export function arrangementOf(collection) {
    return collection.sections.first?.id.startsWith('status-') ? 'status' : 'story';
}

/** The collection in another arrangement, in the snapshot form, without `liked`, so that likes stay as they are. */
export function arranged(collection, name) {
    const { description, section, order, sectionOrder } = arrangements[name];
    const models = Array.from(collection.items(), (item) => collection.model(item.id)).sort(order);
    const sections = new Map();
    for (const model of models) {
        const members = section(model);
        if (!sections.has(members.id)) sections.set(members.id, { ...members, items: [] });
        const { liked, ...rest } = model;
        sections.get(members.id).items.push(rest);
    }
    const ordered = Array.from(sections.values()).sort(sectionOrder);
    return { id: collection.id, ...collection.members, description, sections: ordered };
}

function rank(section) {
    const index = statuses.indexOf(section.id.slice('status-'.length));
    return index < 0 ? statuses.length : index;
}

function slug(text) {
    const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('&', 'and');
    return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'other';
}

function capitalised(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
