// Signing in and out on the page: the form, and the line that says who it is.

const reasons = {
    needed: 'This server wants to know who you are.',
    ended: 'You are no longer signed in: the session has ended, or its token was withdrawn. Sign in to go on.',
    wanted: 'A token says what you may do here.',
};

export class Signing {
    #session;
    #parts;
    #isBusy = false;
    #shown = null;

    /**
     * `parts` are elements: `form`, `reason`, `token`, `problem`, `send`, `later`; `who`, `name`, `signIn`, `signOut`;
     * `next` gets the focus when someone has signed in. `failed(error)` hears of a signing out that failed.
     */
    constructor(session, parts, failed) {
        this.#session = session;
        this.#parts = parts;
        parts.form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.#submit();
        });
        parts.token.addEventListener('input', () => this.#complain(''));
        parts.later.addEventListener('click', () => session.leave());
        parts.signIn.addEventListener('click', () => session.want());
        parts.signOut.addEventListener('click', () => session.signOut().catch(failed));
    }

    /** Shows what the session says. */
    update() {
        const { form, reason, token, later, who, name, signIn, signOut } = this.#parts;
        const session = this.#session;
        const { asks } = session;
        const focused = document.activeElement;
        who.hidden = !session.takesTokens;
        name.textContent = session.name === null ? '' : `Signed in as ${session.name}`;
        signOut.hidden = session.name === null;
        signIn.hidden = session.name !== null || asks !== null;
        reason.textContent = asks === null ? '' : reasons[asks];
        later.hidden = !session.canWait;
        form.hidden = asks === null;
        if (focused === signOut && asks === null) signIn.focus();
        if (asks === this.#shown) return;
        this.#shown = asks;
        token.value = '';
        this.#complain('');
        if (asks !== null) token.focus();
        else if (form.contains(focused)) (session.name === null ? signIn : this.#parts.next).focus();
    }

    async #submit() {
        if (this.#isBusy) return;
        const { token, send } = this.#parts;
        const text = token.value;
        this.#isBusy = true;
        send.setAttribute('aria-disabled', 'true');
        this.#complain('');
        const problem = await this.#session.signIn(text);
        this.#isBusy = false;
        send.removeAttribute('aria-disabled');
        // It is nowhere on the page any longer, whatever came of it.
        token.value = '';
        if (problem === null) return;
        this.#complain(problem);
        token.focus();
    }

    #complain(text) {
        const { token, problem } = this.#parts;
        if (problem.textContent !== text) problem.textContent = text;
        if (text === '') token.removeAttribute('aria-invalid');
        else token.setAttribute('aria-invalid', 'true');
    }
}
