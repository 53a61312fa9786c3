// Changes in words.

/** One sentence for each thing that changes; `collection` is as it was before. */
export function inWords(changes, collection) {
    const titles = new Map();
    const sectionTitles = new Map();
    for (const change of changes) {
        if (change.op === 'insert' || change.op === 'update') {
            for (const model of change.items) titles.set(model.id, model.title || model.id);
        }
        if (change.op === 'insertSection') {
            for (const section of change.sections) sectionTitles.set(section.id, section.title || section.id);
        }
    }
    const name = (id) => `“${titles.get(id) ?? (collection.model(id)?.title || id)}”`;
    const oldName = (id) => `“${collection.model(id)?.title || id}”`;
    const sectionName = (id) => sectionTitles.get(id) ?? (collection.section(id)?.members.title || id);
    const where = ({ section, after }) =>
        after == null ? `to the start of ${sectionName(section)}` : `behind ${name(after)}`;

    return changes.flatMap((change) => {
        switch (change.op) {
        case 'delete': return listed(change.ids, oldName, 'deleted');
        case 'insert': return listed(change.items.map((model) => model.id), name, 'is new');
        case 'move': return listed(change.ids, name, `moved ${where(change)}`);
        case 'update': return updates(change.items, collection, name);
        case 'insertSection':
            return change.sections.map((section) => `New section ${sectionName(section.id)}`);
        case 'moveSection': return change.ids.map((id) => `Section ${sectionName(id)} moved`);
        case 'deleteSection': return change.ids.map((id) => `Section ${sectionName(id)} deleted`);
        case 'updateSection':
            return change.sections.map((section) => `Section ${section.title || section.id} edited`);
        case 'updateCollection': return ['The collection itself edited'];
        default: return [];
        }
    });
}

/** Up to three by name; more than that by number. */
function listed(ids, name, what) {
    if (ids.length <= 3) return ids.map((id) => `${name(id)} ${what}`);
    return [`${name(ids[0])} and ${ids.length - 1} others ${what}`];
}

function updates(models, collection, name) {
    const [liked, unliked, edited] = [[], [], []];
    for (const model of models) {
        const before = collection.model(model.id);
        if (!before || before.liked === model.liked) edited.push(model.id);
        else (model.liked ? liked : unliked).push(model.id);
    }
    return [
        ...listed(liked, name, 'liked'), ...listed(unliked, name, 'no longer liked'), ...listed(edited, name, 'edited'),
    ];
}
