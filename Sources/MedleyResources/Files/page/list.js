// The list on the page: an element for each section and a cell for each item, found by id. It hears from the
// collection what a change touches, and touches that and nothing else.

import { accessories, cellContent, hue } from './cells.js';
import { Dragging } from './dragging.js';
import { element } from './elements.js';
import { Motion } from './motion.js';

export class List {
    #root;
    #actions;
    #collection = null;
    #cells = new Map();
    #sections = new Map();
    #selected = new Set();
    #words = [];
    #isEditing = false;
    #isReadOnly = false;
    #layout = 'list';

    /** `actions`: `like(id)`, `delete(id)` and `move(id, place)`. */
    constructor(root, actions) {
        this.#root = root;
        this.#actions = actions;
        root.addEventListener('click', (event) => this.#clicked(event));
        new Dragging(root, (id, place) => actions.move(id, place));
    }

    /** Shows another collection. */
    show(collection) {
        this.#collection = collection;
        this.#cells.clear();
        this.#sections.clear();
        this.#selected.clear();
        const sections = Array.from(collection?.sections ?? [], (section) => {
            const made = this.#makeSection(section);
            made.querySelector('.cells').append(...Array.from(section.items, (item) => this.#makeCell(item)));
            return made;
        });
        this.#root.replaceChildren(...sections);
        this.#refresh();
    }

    /** Does something to the list: animated, and with the focus where it was or at what came in its place. */
    change(work) {
        const focus = this.#focus();
        const motion = new Motion(this.#movable());
        try {
            work();
        } finally {
            this.#refresh();
            motion.play(this.#movable());
            this.#restore(focus);
        }
    }

    get isEditing() {
        return this.#isEditing;
    }

    set isEditing(isEditing) {
        this.#isEditing = isEditing;
        for (const cell of this.#cells.values()) this.#setAccessories(cell);
    }

    /** Whether the visitor may change nothing. */
    set isReadOnly(isReadOnly) {
        if (isReadOnly === this.#isReadOnly) return;
        this.#isReadOnly = isReadOnly;
        this.change(() => {
            for (const cell of this.#cells.values()) this.#render(cell);
        });
    }

    get layout() {
        return this.#layout;
    }

    set layout(layout) {
        this.change(() => {
            this.#layout = layout;
            for (const section of this.#sections.values()) {
                section.querySelector('.cells').className = `cells ${layout}`;
            }
        });
    }

    /** Shows only the items that have all words of a text somewhere. */
    filter(text) {
        this.#words = folded(text).split(/\s+/).filter(Boolean);
        this.change(() => {
            for (const cell of this.#cells.values()) cell.hidden = !this.#matches(cell.dataset.id);
        });
    }

    /** How many cells are shown. */
    get shownCount() {
        let count = 0;
        for (const cell of this.#cells.values()) if (!cell.hidden) count += 1;
        return count;
    }

    // ---- what the collection tells

    itemInserted(item) {
        this.#put(this.#makeCell(item), item);
    }

    itemMoved(item) {
        this.#put(this.#cells.get(item.id), item);
    }

    itemUpdated(item) {
        this.#render(this.#cells.get(item.id));
    }

    itemDeleted(item) {
        this.#cells.get(item.id).remove();
        this.#cells.delete(item.id);
        this.#selected.delete(item.id);
    }

    sectionInserted(section) {
        this.#putSection(this.#makeSection(section), section);
    }

    sectionMoved(section) {
        this.#putSection(this.#sections.get(section.id), section);
    }

    sectionUpdated(section) {
        this.#sections.get(section.id).querySelector('.title').textContent = section.members.title || section.id;
    }

    sectionDeleted(section) {
        this.#sections.get(section.id).remove();
        this.#sections.delete(section.id);
    }

    // ---- elements

    #makeSection(section) {
        const made = element('section', { class: 'section', 'data-id': section.id },
            element('h2', {},
                element('span', { class: 'title' }, section.members.title || section.id), ' ',
                element('span', { class: 'count' })),
            element('ul', { class: `cells ${this.#layout}` }));
        this.#sections.set(section.id, made);
        return made;
    }

    #makeCell(item) {
        const form = /^[a-z][A-Za-z0-9]*$/.test(item.type) ? `cell-${item.type}` : '';
        const cell = element('li', { class: `cell ${form}`, 'data-id': item.id });
        cell.style.setProperty('--hue', hue(item.id));
        this.#cells.set(item.id, cell);
        this.#render(cell);
        return cell;
    }

    #render(cell) {
        const id = cell.dataset.id;
        const isSelected = this.#selected.has(id);
        cell.replaceChildren(...cellContent(this.#collection.model(id), isSelected, this.#isReadOnly));
        cell.classList.toggle('selected', isSelected);
        cell.hidden = !this.#matches(id);
        this.#setAccessories(cell);
    }

    #setAccessories(cell) {
        cell.querySelector('.accessories')?.remove();
        cell.draggable = this.#isEditing;
        if (this.#isEditing) cell.append(accessories(this.#collection.model(cell.dataset.id)));
    }

    #put(cell, item) {
        const cells = this.#sections.get(item.section.id).querySelector('.cells');
        if (item.previous) this.#cells.get(item.previous.id).after(cell);
        else cells.prepend(cell);
    }

    #putSection(made, section) {
        if (section.previous) this.#sections.get(section.previous.id).after(made);
        else this.#root.prepend(made);
    }

    /** Counts, and sections that a filter empties. */
    #refresh() {
        for (const section of this.#sections.values()) {
            const cells = section.querySelector('.cells');
            const all = cells.childElementCount;
            const shown = this.#words.length === 0 ? all : cells.querySelectorAll(':scope > :not([hidden])').length;
            const text = shown === all ? String(all) : `${shown} of ${all}`;
            const count = section.querySelector('.count');
            if (count.textContent !== text) count.textContent = text;
            section.hidden = this.#words.length > 0 && shown === 0;
            cells.hidden = all === 0;
        }
    }

    #matches(id) {
        if (this.#words.length === 0) return true;
        const text = folded(Object.values(this.#collection.model(id)).filter((value) => typeof value === 'string')
            .join(' '));
        return this.#words.every((word) => text.includes(word));
    }

    #movable() {
        return [...this.#cells.values(), ...Array.from(this.#sections.values(), (one) => one.firstElementChild)];
    }

    // ---- what people do

    #clicked(event) {
        const button = event.target.closest('button[data-do]');
        const cell = button?.closest('.cell');
        if (!cell) return;
        const id = cell.dataset.id;
        switch (button.dataset.do) {
        case 'select': this.change(() => this.#select(id, cell)); break;
        case 'like': this.#actions.like(id); break;
        case 'delete': this.#actions.delete(id); break;
        case 'up': this.#step(id, 'previous'); break;
        case 'down': this.#step(id, 'next'); break;
        }
    }

    #select(id, cell) {
        if (!this.#selected.delete(id)) this.#selected.add(id);
        this.#render(cell);
    }

    /** Moves an item past its neighbour that is shown, or over to the next section. */
    #step(id, direction) {
        const item = this.#collection.item(id);
        let neighbour = item[direction];
        while (neighbour && this.#cells.get(neighbour.id).hidden) neighbour = neighbour[direction];
        if (neighbour) {
            this.#actions.move(id, { [direction === 'previous' ? 'before' : 'after']: neighbour.id });
            return;
        }
        const section = item.section[direction];
        if (!section) return;
        const isEmpty = section.items.count === 0;
        if (isEmpty || direction === 'previous') this.#actions.move(id, { section: section.id });
        else this.#actions.move(id, { before: section.items.first.id });
    }

    // ---- focus

    #focus() {
        const cell = document.activeElement?.closest?.('.cell');
        if (!cell || !this.#root.contains(cell)) return null;
        const item = this.#collection.item(cell.dataset.id);
        // Where to go on if the cell is gone afterwards: the ones behind it, then the ones before.
        const neighbours = [];
        for (let node = item?.next; node; node = node.next) neighbours.push(node.id);
        for (let node = item?.previous; node; node = node.previous) neighbours.push(node.id);
        const focused = document.activeElement;
        return { id: cell.dataset.id, doing: focused.dataset.do, element: focused, neighbours };
    }

    #restore(focus) {
        if (!focus || document.activeElement === focus.element) return;
        const id = [focus.id, ...focus.neighbours].find((one) => this.#cells.get(one)?.hidden === false);
        const cell = id === undefined ? null : this.#cells.get(id);
        const target = cell?.querySelector(`[data-do="${focus.doing}"]`) ?? cell?.querySelector('button');
        if (target) {
            target.focus({ preventScroll: true });
            if (focus.doing === 'up' || focus.doing === 'down') cell.scrollIntoView({ block: 'nearest' });
        } else {
            this.#root.focus({ preventScroll: true });
        }
    }
}

/** Text for comparing: without case and accents. */
function folded(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
