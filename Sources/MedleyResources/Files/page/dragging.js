// Drag and drop of cells, for those with a mouse; the buttons up and down do the same for everyone.

export class Dragging {
    #root;
    #drop;
    #dragged = null;
    #target = null;

    /** `drop(id, place)` is called with a place as a change names it. */
    constructor(root, drop) {
        this.#root = root;
        this.#drop = drop;
        root.addEventListener('dragstart', (event) => this.#start(event));
        root.addEventListener('dragover', (event) => this.#over(event));
        root.addEventListener('drop', (event) => this.#dropped(event));
        root.addEventListener('dragend', () => this.#end());
    }

    #start(event) {
        const cell = event.target.closest?.('.cell');
        if (!cell?.draggable) return;
        this.#dragged = cell;
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', cell.dataset.id);
        cell.classList.add('dragged');
    }

    #over(event) {
        if (!this.#dragged) return;
        const target = this.#targetAt(event);
        if (target) event.preventDefault();
        this.#mark(target);
    }

    #dropped(event) {
        if (!this.#dragged) return;
        event.preventDefault();
        const target = this.#targetAt(event);
        const id = this.#dragged.dataset.id;
        this.#end();
        if (target) this.#drop(id, target.place);
    }

    #targetAt(event) {
        const cell = event.target.closest?.('.cell');
        if (cell === this.#dragged) return null;
        if (cell) {
            const rect = cell.getBoundingClientRect();
            const isBefore = cell.parentElement.classList.contains('grid')
                ? event.clientX < rect.left + rect.width / 2
                : event.clientY < rect.top + rect.height / 2;
            const place = isBefore ? { before: cell.dataset.id } : { after: cell.dataset.id };
            return { element: cell, mark: isBefore ? 'drop-before' : 'drop-after', place };
        }
        const section = event.target.closest?.('.section');
        return section && { element: section, mark: 'drop-into', place: { section: section.dataset.id } };
    }

    #mark(target) {
        if (this.#target?.element === target?.element && this.#target?.mark === target?.mark) return;
        this.#target?.element.classList.remove(this.#target.mark);
        target?.element.classList.add(target.mark);
        this.#target = target;
    }

    #end() {
        this.#mark(null);
        this.#dragged?.classList.remove('dragged');
        this.#dragged = null;
    }
}
