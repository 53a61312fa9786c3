// Server-Sent Events as the HTML standard has them, from bytes that come in any split.

const carriageReturn = 13;
const lineFeed = 10;

export class EventStream {
    /** The last `retry:` in milliseconds, or null. */
    retry = null;
    /** The last `id:`, which holds for the events after it too. */
    lastEventID = '';

    /** The pieces of a line that is not over: a long one comes in many and is joined once. */
    #pieces = [];
    #skipsLineFeed = false;
    /** Leaves out a byte order mark, which may stand at the stream's start and nowhere else. */
    #decoder = new TextDecoder();
    #type = '';
    #data = [];

    /** The events that are complete with these bytes: `{type, data, id}`. O(bytes). */
    *feed(bytes) {
        let start = 0;
        for (let index = 0; index < bytes.length; index += 1) {
            const byte = bytes[index];
            const skips = this.#skipsLineFeed && byte === lineFeed;
            this.#skipsLineFeed = byte === carriageReturn;
            if (skips) {
                start = index + 1;
            } else if (byte === lineFeed || byte === carriageReturn) {
                const event = this.#line(this.#text(bytes.subarray(start, index)));
                start = index + 1;
                if (event) yield event;
            }
        }
        if (start < bytes.length) this.#pieces.push(bytes.slice(start));
    }

    #text(last) {
        let text = '';
        for (const piece of this.#pieces) text += this.#decoder.decode(piece, { stream: true });
        text += this.#decoder.decode(last);
        if (!this.#decoder.ignoreBOM) this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        this.#pieces = [];
        return text;
    }

    #line(line) {
        if (line === '') return this.#dispatch();
        const colon = line.indexOf(':');
        if (colon === 0) return null;
        const name = colon < 0 ? line : line.slice(0, colon);
        const rest = colon < 0 ? '' : line.slice(colon + 1);
        const value = rest.startsWith(' ') ? rest.slice(1) : rest;
        switch (name) {
        case 'event': this.#type = value; break;
        case 'data': this.#data.push(value); break;
        case 'id': if (!value.includes('\0')) this.lastEventID = value; break;
        case 'retry': if (/^[0-9]+$/.test(value)) this.retry = Number(value); break;
        }
        return null;
    }

    #dispatch() {
        const event = { type: this.#type || 'message', data: this.#data.join('\n'), id: this.lastEventID };
        const isEmpty = this.#data.length === 0;
        this.#type = '';
        this.#data = [];
        return isEmpty ? null : event;
    }
}
