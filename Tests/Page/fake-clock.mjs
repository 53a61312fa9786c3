// Time that passes when a test says so, and a server's answers that come when it says so.

/** Lets everything run that waits for nothing but its turn. */
export async function settled() {
    for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export class FakeClock {
    #now = 0;
    #timers = new Set();

    now = () => this.#now;

    after = (milliseconds, work) => {
        const timer = { time: this.#now + milliseconds, work };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
    };

    /** How long until the next timer, or null. */
    get next() {
        const times = Array.from(this.#timers, (timer) => timer.time);
        return times.length > 0 ? Math.min(...times) - this.#now : null;
    }

    /** Lets time pass, timer by timer, each with all that follows from it. */
    async advance(milliseconds) {
        const end = this.#now + milliseconds;
        await settled();
        for (;;) {
            const due = Array.from(this.#timers).filter((timer) => timer.time <= end);
            if (due.length === 0) break;
            const first = due.reduce((a, b) => (b.time < a.time ? b : a));
            this.#timers.delete(first);
            this.#now = Math.max(this.#now, first.time);
            first.work();
            await settled();
        }
        this.#now = end;
    }
}

/** Answers to requests, one script line after the other; each gets the request and gives a Response or throws. */
export class ScriptedServer {
    requests = [];
    #answers = [];

    then(...answers) {
        this.#answers.push(...answers);
        return this;
    }

    fetch = async (url, init) => {
        const { pathname, search } = new URL(url);
        const request = { method: init.method, path: pathname + search, headers: init.headers, body: init.body };
        this.requests.push(request);
        const answer = this.#answers.shift();
        if (!answer) return never(init.signal);
        return answer(request, init.signal);
    };

    get paths() {
        return this.requests.map((request) => request.path);
    }
}

/** No answer until the client gives up. */
export function never(signal) {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

export function refused() {
    throw new TypeError('fetch failed');
}

export function json(value, status = 200, headers = {}) {
    return () => new Response(JSON.stringify(value), { status, headers });
}

export function problem(status, code, headers = {}) {
    return json({ type: `/problems/${code}`, title: code, status }, status, headers);
}

/** A stream that a test writes to. */
export class Pushed {
    #controller;
    #body;
    isOpen = false;

    constructor() {
        this.#body = new ReadableStream({ start: (controller) => { this.#controller = controller; } });
    }

    answer = (_request, signal) => {
        this.isOpen = true;
        signal.addEventListener('abort', () => this.cut());
        return new Response(this.#body, { headers: { 'Content-Type': 'text/event-stream' } });
    };

    write(text) {
        this.#controller.enqueue(new TextEncoder().encode(text));
    }

    event(type, data, id = data.to) {
        this.write(`event: ${type}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
    }

    end() {
        if (this.isOpen) this.#controller.close();
        this.isOpen = false;
    }

    cut() {
        if (this.isOpen) this.#controller.error(new TypeError('terminated'));
        this.isOpen = false;
    }
}
