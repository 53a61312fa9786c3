// Applying a difference by way of a callback that is not ours.

/**
 * Has `applying(apply, batch)` call `apply`, and sees to it that it was carried out once when this returns, whatever the
 * callback does: one that puts it off is reported to `report`, and its later calls do nothing. Throws what `apply`
 * threw, even if the callback caught it, and what the callback throws.
 */
export function applyOnce(applying, apply, batch, report) {
    let isOver = false;
    let failure = null;
    const once = (observer) => {
        if (isOver) return;
        isOver = true;
        try {
            apply(observer);
        } catch (error) {
            failure = { error };
            throw error;
        }
    };
    let isLate = false;
    try {
        applying(once, batch);
        isLate = !isOver;
    } finally {
        isOver = true;
    }
    if (failure) throw failure.error;
    if (!isLate) return;
    apply();
    report(new TypeError('`applying` has to call `apply` before it returns; the changes were applied without it.'));
}
