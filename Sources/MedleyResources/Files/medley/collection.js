// A collection as a client holds it: the order of sections and items as (id, type) only, and beside it the models,
// each found by its id in O(1). The server's changes are applied one after the other; whoever shows the collection
// hears of each node that a change touches, and of no other.

import { Chain } from './chain.js';
import { mergePatch } from './merge-patch.js';

/** The members of a snapshot that are not the collection's own. */
const notOwn = new Set(['id', 'revision', 'counts', 'types', 'sections', 'next']);

/** A change that does not fit what is held: the snapshot has to be loaded again. */
export class Misfit extends Error {}

export class Collection {
    id;
    #revision = null;
    /** Title and the other members of the collection itself. */
    members = {};
    /** How many items there are of each type that occurs. */
    types = new Map();
    /** The sections in order: nodes with `id`, `members` and `items`, a chain of nodes with `id`, `type`, `section`. */
    sections = new Chain();
    /** The model store: id to model. */
    models = new Map();

    #sectionNodes = new Map();
    #itemNodes = new Map();
    #value = null;

    constructor(id) {
        this.id = id;
    }

    /** The collection that a snapshot states. */
    static from(snapshot) {
        const collection = new Collection(snapshot.id);
        collection.revision = snapshot.revision ?? null;
        collection.members = Object.fromEntries(Object.entries(snapshot).filter(([name]) => !notOwn.has(name)));
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

    /** The revision that this is, or null when that is not known. */
    get revision() {
        return this.#revision;
    }

    set revision(revision) {
        if (revision !== this.#revision) this.#value = null;
        this.#revision = revision;
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

    /**
     * The snapshot form, as GET answers it and PUT takes it: a value that later changes leave as it is, and the same
     * object until there are any. What no change touched is shared with the value before, down to whole sections.
     * O(sections, and items of the sections that were touched).
     */
    get snapshot() {
        this.#value ??= {
            id: this.id, ...this.members, revision: this.revision,
            counts: { sections: this.sections.count, items: this.count },
            types: Object.fromEntries(this.types),
            sections: Array.from(this.sections, (section) => {
                const items = () => Array.from(section.items, ({ id }) => this.models.get(id));
                section.value ??= { ...section.members, items: items() };
                return section.value;
            }),
        };
        return this.#value;
    }

    /**
     * Applies changes in the normal form, one after the other; O(1) for each id in them. The observer's methods, each
     * optional, are called when the node stands where it now belongs: `itemDeleted`, `itemInserted`, `itemMoved`,
     * `itemUpdated`, `sectionDeleted`, `sectionInserted`, `sectionMoved`, `sectionUpdated`, `collectionUpdated`; the
     * model or members from before are the second argument of those that update and delete.
     * Throws a Misfit at the first id that does not fit; those before it stay applied, and the order stays sound.
     */
    apply(changes, observer = {}) {
        this.#value = null;
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
                this.#updateCollection(change, observer);
                break;
            default: throw new Misfit(`no change is called ${change.op}`);
            }
        }
    }

    #delete({ ids }, observer) {
        for (const id of ids) {
            const item = this.#knownItem(id);
            const model = this.models.get(id);
            item.section.items.remove(item);
            item.section.value = null;
            this.#itemNodes.delete(id);
            this.models.delete(id);
            this.#count(item.type, -1);
            observer.itemDeleted?.(item, model);
        }
    }

    #insert(change, observer = {}) {
        let { section, previous } = this.#place(change);
        section.value = null;
        for (const model of change.items) {
            if (this.#itemNodes.has(model.id)) throw new Misfit(`there is an item ${model.id} already`);
            const item = { id: model.id, type: model.type, section };
            section.items.insert(item, previous);
            this.#itemNodes.set(model.id, item);
            this.models.set(model.id, model);
            this.#count(item.type, 1);
            observer.itemInserted?.(item);
            previous = item;
        }
    }

    #move(change, observer) {
        const items = change.ids.map((id) => this.#knownItem(id));
        checkMoved(change, 'item');
        this.#place(change);
        for (const item of items) {
            item.section.items.remove(item);
            item.section.value = null;
        }
        let { section, previous } = this.#place(change);
        section.value = null;
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
            if (item.type !== model.type) throw new Misfit(`the item ${item.id} is of another type`);
            const before = this.models.get(model.id);
            this.models.set(model.id, model);
            item.section.value = null;
            observer.itemUpdated?.(item, before);
        }
    }

    #insertSections(change, observer = {}) {
        let previous = this.#sectionPlace(change);
        for (const members of change.sections) {
            if (this.#sectionNodes.has(members.id)) throw new Misfit(`there is a section ${members.id} already`);
            const section = { id: members.id, members, items: new Chain(), value: null };
            this.sections.insert(section, previous);
            this.#sectionNodes.set(members.id, section);
            observer.sectionInserted?.(section);
            previous = section;
        }
    }

    #moveSections(change, observer) {
        const sections = change.ids.map((id) => this.#knownSection(id));
        checkMoved(change, 'section');
        this.#sectionPlace(change);
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
            const before = section.members;
            section.members = members;
            section.value = null;
            observer.sectionUpdated?.(section, before);
        }
    }

    #deleteSections({ ids }, observer) {
        for (const id of ids) {
            const section = this.#knownSection(id);
            if (section.items.count > 0) throw new Misfit(`the section ${id} is not empty`);
            this.sections.remove(section);
            this.#sectionNodes.delete(id);
            observer.sectionDeleted?.(section, section.members);
        }
    }

    #updateCollection({ set }, observer) {
        const before = this.members;
        this.members = mergePatch(before, set);
        observer.collectionUpdated?.(before);
    }

    #count(type, step) {
        const count = (this.types.get(type) ?? 0) + step;
        if (count > 0) this.types.set(type, count);
        else this.types.delete(type);
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

function checkMoved({ ids, after }, what) {
    if (ids.includes(after)) throw new Misfit(`the ${what} ${after} cannot stand behind itself`);
    if (new Set(ids).size < ids.length) throw new Misfit(`one ${what} cannot stand in two places`);
}
