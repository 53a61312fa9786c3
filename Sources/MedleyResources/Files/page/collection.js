// A collection as a client holds it: the order of sections and items as (id, type) only, and beside it the models,
// each found by its id in O(1). The server's changes are applied one after the other; whoever shows the collection
// hears of each node that a change touches, and of no other.

import { Chain } from './chain.js';

/** The members of a snapshot that are not the collection's own. */
const notOwn = new Set(['id', 'revision', 'counts', 'types', 'sections', 'next']);

/** A change that does not fit what is held: the snapshot has to be loaded again. */
export class Misfit extends Error {}

export class Collection {
    id;
    revision = null;
    /** Title and the other members of the collection itself. */
    members = {};
    /** The sections in order: nodes with `id`, `members` and `items`, a chain of nodes with `id`, `type`, `section`. */
    sections = new Chain();
    /** The model store: id to model. */
    models = new Map();

    #sectionNodes = new Map();
    #itemNodes = new Map();

    constructor(id) {
        this.id = id;
    }

    /** The collection that a snapshot states. */
    static from(snapshot) {
        const collection = new Collection(snapshot.id);
        collection.revision = snapshot.revision ?? null;
        for (const [name, value] of Object.entries(snapshot)) {
            if (!notOwn.has(name)) collection.members[name] = value;
        }
        for (const { items = [], ...section } of snapshot.sections) {
            collection.#insertSections({ sections: [section] });
            collection.#insert({ items, section: section.id });
        }
        return collection;
    }

    /** The collection that an answer with `reset` states: nothing, and then its changes. */
    static fromReset(id, answer) {
        const collection = new Collection(id);
        collection.apply(answer.changes);
        collection.revision = answer.to;
        return collection;
    }

    get count() {
        return this.#itemNodes.size;
    }

    get title() {
        return this.members.title || this.id;
    }

    item(id) {
        return this.#itemNodes.get(id);
    }

    section(id) {
        return this.#sectionNodes.get(id);
    }

    model(id) {
        return this.models.get(id);
    }

    /** All items, in order. */
    *items() {
        for (const section of this.sections) yield* section.items;
    }

    /** The snapshot form, as PUT takes it. */
    snapshot() {
        const sections = Array.from(this.sections, (section) => ({
            ...section.members,
            items: Array.from(section.items, (item) => this.models.get(item.id)),
        }));
        return { id: this.id, ...this.members, sections };
    }

    /**
     * Applies changes in the normal form, one after the other; O(1) for each id in them. The observer's methods, each
     * optional, are called when the node stands where it now belongs: `itemDeleted`, `itemInserted`, `itemMoved`,
     * `itemUpdated`, `sectionDeleted`, `sectionInserted`, `sectionMoved`, `sectionUpdated`, `collectionUpdated`.
     * Throws a Misfit at the first change that does not fit; those before it stay applied.
     */
    apply(changes, observer = {}) {
        for (const change of changes) {
            switch (change.op) {
            case 'delete': this.#delete(change, observer); break;
            case 'insertSection': this.#insertSections(change, observer); break;
            case 'moveSection': this.#moveSections(change, observer); break;
            case 'insert': this.#insert(change, observer); break;
            case 'move': this.#move(change, observer); break;
            case 'deleteSection': this.#deleteSections(change, observer); break;
            case 'updateSection': this.#updateSections(change, observer); break;
            case 'update': this.#update(change, observer); break;
            case 'updateCollection':
                this.members = mergePatch(this.members, change.set);
                observer.collectionUpdated?.();
                break;
            default: throw new Misfit(`no change is called ${change.op}`);
            }
        }
    }

    #delete({ ids }, observer) {
        for (const id of ids) {
            const item = this.#knownItem(id);
            item.chain.remove(item);
            this.#itemNodes.delete(id);
            this.models.delete(id);
            observer.itemDeleted?.(item);
        }
    }

    #insert(change, observer = {}) {
        let { section, previous } = this.#place(change);
        for (const model of change.items) {
            if (this.#itemNodes.has(model.id)) throw new Misfit(`there is an item ${model.id} already`);
            const item = { id: model.id, type: model.type, section };
            section.items.insert(item, previous);
            this.#itemNodes.set(model.id, item);
            this.models.set(model.id, model);
            observer.itemInserted?.(item);
            previous = item;
        }
    }

    #move(change, observer) {
        const items = change.ids.map((id) => this.#knownItem(id));
        if (items.some((item) => item.id === change.after)) throw new Misfit('an item cannot stand behind itself');
        for (const item of items) item.chain.remove(item);
        let { section, previous } = this.#place(change);
        for (const item of items) {
            section.items.insert(item, previous);
            item.section = section;
            observer.itemMoved?.(item);
            previous = item;
        }
    }

    #update({ items }, observer) {
        for (const model of items) {
            const item = this.#knownItem(model.id);
            this.models.set(model.id, model);
            observer.itemUpdated?.(item);
        }
    }

    #insertSections(change, observer = {}) {
        let previous = this.#sectionPlace(change);
        for (const members of change.sections) {
            if (this.#sectionNodes.has(members.id)) throw new Misfit(`there is a section ${members.id} already`);
            const section = { id: members.id, members, items: new Chain() };
            this.sections.insert(section, previous);
            this.#sectionNodes.set(members.id, section);
            observer.sectionInserted?.(section);
            previous = section;
        }
    }

    #moveSections(change, observer) {
        const sections = change.ids.map((id) => this.#knownSection(id));
        if (sections.some((section) => section.id === change.after)) {
            throw new Misfit('a section cannot stand behind itself');
        }
        for (const section of sections) this.sections.remove(section);
        let previous = this.#sectionPlace(change);
        for (const section of sections) {
            this.sections.insert(section, previous);
            observer.sectionMoved?.(section);
            previous = section;
        }
    }

    #updateSections({ sections }, observer) {
        for (const members of sections) {
            const section = this.#knownSection(members.id);
            section.members = members;
            observer.sectionUpdated?.(section);
        }
    }

    #deleteSections({ ids }, observer) {
        for (const id of ids) {
            const section = this.#knownSection(id);
            if (section.items.count > 0) throw new Misfit(`the section ${id} is not empty`);
            this.sections.remove(section);
            this.#sectionNodes.delete(id);
            observer.sectionDeleted?.(section);
        }
    }

    #knownItem(id) {
        const item = this.#itemNodes.get(id);
        if (!item) throw new Misfit(`no item has the id ${id}`);
        return item;
    }

    #knownSection(id) {
        const section = this.#sectionNodes.get(id);
        if (!section) throw new Misfit(`no section has the id ${id}`);
        return section;
    }

    /** The section of a place and the item before it; null is the section's start. */
    #place({ section: sectionID, after }) {
        if (after != null) {
            const previous = this.#knownItem(after);
            return { section: previous.section, previous };
        }
        const section = sectionID === undefined ? this.sections.first : this.#knownSection(sectionID);
        if (!section) throw new Misfit('there is no section');
        return { section, previous: after === null ? null : section.items.last };
    }

    #sectionPlace({ after }) {
        if (after != null) return this.#knownSection(after);
        return after === null ? null : this.sections.last;
    }
}

/** The value that a merge patch makes of another (RFC 7396). */
function mergePatch(target, patch) {
    if (!isObject(patch)) return patch;
    const merged = isObject(target) ? { ...target } : {};
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete merged[name];
        else merged[name] = mergePatch(merged[name], value);
    }
    return merged;
}

function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value);
}
