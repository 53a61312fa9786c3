// Elements made in one expression.

/** An element with attributes and children; an attribute that is null, undefined or false is left out. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        if (value != null && value !== false) made.setAttribute(attribute, value === true ? '' : value);
    }
    made.append(...children.filter((child) => child != null));
    return made;
}

const shapes = {
    heart: 'M12 20.5 4.2 12.6a5 5 0 0 1 7.1-7.1l.7.8.7-.8a5 5 0 0 1 7.1 7.1z',
    play: 'M8 5.5v13l11-6.5z',
    note: 'M10 17.5a2.8 2.3 0 1 1-1.6-2V5.2l9.6-1.7v11.7a2.8 2.3 0 1 1-1.6-2V7L10 8.2z',
    up: 'M12 6v13M6 12l6-6 6 6',
    down: 'M12 18V5M6 12l6 6 6-6',
    trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.3 10.5v5.5M13.7 10.5v5.5',
    grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
    check: 'M5 12.5l4.5 4.5L19 7.5',
};

/** A drawing that says nothing to those who listen. */
export function icon(name) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', `icon icon-${name}`);
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', shapes[name]);
    svg.append(path);
    return svg;
}
