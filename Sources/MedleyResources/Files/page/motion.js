// Animates the way from one state of the list to the next: what moved glides from where it was, what is new fades in,
// what is gone fades out on a layer of its own. Who prefers reduced motion sees the new state at once.

const duration = 280;
const easing = 'cubic-bezier(0.2, 0, 0, 1)';
/** Measuring more than so many cells would cost more than the eye can follow. */
const mostMeasured = 1_200;

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export class Motion {
    #before = null;

    /** Measures where elements stand. To be called before the change. */
    constructor(elements) {
        if (reducedMotion.matches || document.visibilityState !== 'visible' || elements.length > mostMeasured) return;
        this.#before = new Map(elements.map((element) => [element, element.getBoundingClientRect()]));
    }

    /** Starts the animations. To be called after the change, with all elements that are there now. */
    play(elements) {
        if (!this.#before) return;
        const after = new Map(elements.map((element) => [element, element.getBoundingClientRect()]));
        for (const [element, rect] of after) {
            const before = this.#before.get(element);
            if (!isVisible(rect) && !(before && isVisible(before))) continue;
            if (before?.width > 0 && rect.width > 0) glide(element, before, rect);
            else if (rect.width > 0) fadeIn(element);
        }
        for (const [element, rect] of this.#before) {
            if (!after.has(element) && isVisible(rect)) fadeOut(element, rect);
        }
    }
}

function isVisible(rect) {
    return rect.width > 0 && rect.bottom > 0 && rect.top < innerHeight;
}

function glide(element, before, after) {
    const x = before.left - after.left;
    const y = before.top - after.top;
    if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
    element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration, easing });
}

function fadeIn(element) {
    const frames = [{ opacity: 0, transform: 'scale(0.96)' }, { opacity: 1, transform: 'none' }];
    element.animate(frames, { duration, easing });
}

function fadeOut(element, rect) {
    if (element.isConnected || !element.matches('.cell')) return;
    const ghost = element.cloneNode(true);
    ghost.removeAttribute('data-id');
    ghost.classList.add('ghost');
    for (const side of ['left', 'top', 'width', 'height']) ghost.style[side] = `${rect[side]}px`;
    const layer = document.getElementById('ghosts');
    layer.append(ghost);
    const animation = ghost.animate([{ opacity: 1 }, { opacity: 0, transform: 'scale(0.96)' }], { duration, easing });
    animation.onfinish = animation.oncancel = () => ghost.remove();
}
