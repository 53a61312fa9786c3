// Merge patches (RFC 7396): how changes of a collection's own members travel.

/** The value that a merge patch makes of another. */
export function mergePatch(target, patch) {
    if (!isObject(patch)) return patch;
    // A map, since a member may be called anything, __proto__ too.
    const merged = new Map(isObject(target) ? Object.entries(target) : []);
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) merged.delete(name);
        else merged.set(name, mergePatch(merged.get(name), value));
    }
    return Object.fromEntries(merged);
}

/** The merge patch that makes one object out of another. */
export function mergePatchBetween(from, to) {
    const patch = new Map();
    for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) patch.set(name, null);
    for (const [name, value] of Object.entries(to)) {
        const before = Object.hasOwn(from, name) ? from[name] : undefined;
        if (!differ(before, value)) continue;
        patch.set(name, isObject(before) && isObject(value) ? mergePatchBetween(before, value) : value);
    }
    return Object.fromEntries(patch);
}

/** Whether two values are written differently. */
export function differ(a, b) {
    return JSON.stringify(a) !== JSON.stringify(b);
}

/** Not a list, and not a number whose text is kept. */
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON?.(value);
}
