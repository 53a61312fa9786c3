// Revisions: `<lineage>-<number>`. Numbers of one lineage can be compared, and nothing else.

/** Whether a revision is one that another has reached or left behind. */
export function isPast(revision, held) {
    return held !== null && isSameLineage(revision, held) && number(revision) <= number(held);
}

/** Whether two revisions are of one history. */
export function isSameLineage(a, b) {
    return a.slice(0, a.lastIndexOf('-')) === b.slice(0, b.lastIndexOf('-'));
}

function number(revision) {
    return Number(revision.slice(revision.lastIndexOf('-') + 1));
}
