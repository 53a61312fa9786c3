// JSON whose numbers keep their text, so that what the page sends back is what came: 1.10 and 9007199254740993 too.
// A browser that cannot keep the text gives the number as it understands it.

export function parseJSON(text) {
    if (!JSON.rawJSON) return JSON.parse(text);
    return JSON.parse(text, (_name, value, context) => {
        const isRounded = typeof value === 'number' && context.source !== JSON.stringify(value);
        return isRounded ? JSON.rawJSON(context.source) : value;
    });
}

/** A number for reckoning, or NaN. */
export function numberOf(value) {
    if (typeof value === 'number') return value;
    return typeof value?.rawJSON === 'string' ? Number(value.rawJSON) : NaN;
}

/** A value as text for people. */
export function textOf(value) {
    if (typeof value === 'string') return value;
    return JSON.stringify(value);
}
