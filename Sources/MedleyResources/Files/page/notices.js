// Short notices above the list. What failed stays until it is dismissed or something succeeds; the rest goes by itself.

import { element } from './elements.js';

const shownFor = 12_000;
const mostShown = 3;

export class Notices {
    #root;

    constructor(root) {
        this.#root = root;
    }

    /** Takes the place of the notice before it; goes by itself unless it stays until the next. */
    add(text, { stays = false } = {}) {
        for (const notice of this.#root.querySelectorAll('.news')) notice.remove();
        const notice = this.#show('notice news', text);
        if (!stays) setTimeout(() => notice.remove(), shownFor);
    }

    /** What the server said; it takes the place of the problem before it. */
    addProblem(error) {
        this.dismissProblems();
        const text = error.title ? `${error.title}: ${error.message}` : error.message;
        const advice = error.status === 412 ? ' The list is in step again; try once more.' : '';
        this.#show('notice problem', text + advice);
    }

    /** A notice with something to do about it. */
    addChoice(text, label, work) {
        const button = element('button', { type: 'button' }, label);
        const notice = this.#show('notice', text, button);
        button.addEventListener('click', () => {
            notice.remove();
            work();
        });
    }

    dismissProblems() {
        for (const problem of this.#root.querySelectorAll('.problem')) problem.remove();
    }

    clear() {
        this.#root.replaceChildren();
    }

    #show(form, text, ...others) {
        const close = element('button', { type: 'button', class: 'close', 'aria-label': 'Dismiss' }, '×');
        const notice = element('div', { class: form }, element('p', {}, text), ...others, close);
        close.addEventListener('click', () => notice.remove());
        this.#root.append(notice);
        while (this.#root.childElementCount > mostShown) this.#root.firstElementChild.remove();
        return notice;
    }
}
