// A cell's form for each type of item. A form says what is drawn beside the title; a type without a form of its own
// gets the generic one.

import { element, icon } from './elements.js';
import { numberOf, textOf } from './json.js';

const forms = {
    video: (model) => ({
        art: icon('play'), lines: [joined(model.creator, date(model.publishedAt))], duration: model.duration,
    }),
    music: (model) => ({
        art: icon('note'), lines: [joined(model.artist, model.album)], duration: model.duration,
    }),
    shortVideo: (model) => ({ art: icon('play'), lines: [joined(model.creator)], duration: model.duration }),
    framework: (model) => ({ art: initials(model.title || model.id, 2), lines: [model.description] }),
    character: (model) => ({
        art: initials(model.title || model.id, 2), lines: [model.species], badge: model.status,
    }),
};

function generic(model) {
    const known = joined(model.artist ?? model.creator, model.album);
    const others = Object.entries(model)
        .filter(([name, value]) => !reserved.has(name) && value !== null && typeof value !== 'object')
        .slice(0, 3)
        .map(([name, value]) => `${name} ${textOf(value)}`);
    return { art: initials(model.title || model.id, 1), lines: [known || joined(...others)], duration: model.duration };
}

const reserved = new Set(['id', 'type', 'liked', 'title', 'duration', 'artworkURL', 'url']);

/** What a cell shows; `isSelected` opens all members, `isReadOnly` lets nothing be done with it. */
export function cellContent(model, isSelected, isReadOnly) {
    const title = model.title || model.id;
    const { art, lines, duration, badge } = (Object.hasOwn(forms, model.type) ? forms[model.type] : generic)(model);
    const seconds = numberOf(duration);
    return [
        element('span', { class: 'art', 'aria-hidden': 'true' }, art),
        element('div', { class: 'text' },
            element('button', {
                type: 'button', class: 'name', 'data-do': 'select', 'aria-pressed': String(isSelected),
            }, isSelected ? icon('check') : null, ...breakable(title)),
            ...lines.filter(Boolean).map((line) => element('p', { class: 'line' }, line)),
            badge ? element('p', { class: 'badge', 'data-badge': badge }, badge) : null),
        Number.isFinite(seconds) ? element('span', { class: 'duration' }, clock(seconds)) : null,
        element('button', {
            type: 'button', class: 'heart', 'data-do': 'like', 'aria-pressed': String(model.liked === true),
            'aria-label': `Like ${title}`, disabled: isReadOnly,
        }, icon('heart')),
        isSelected ? detail(model) : null,
    ].filter((part) => part !== null);
}

/** What edit mode adds to a cell. */
export function accessories(model) {
    const title = model.title || model.id;
    const button = (what, label, drawing) => element('button', {
        type: 'button', class: what, 'data-do': what, 'aria-label': `${label} ${title}`,
    }, icon(drawing));
    return element('div', { class: 'accessories' },
        element('span', { class: 'grip', title: 'Drag to move' }, icon('grip')),
        button('up', 'Move up', 'up'), button('down', 'Move down', 'down'), button('delete', 'Delete', 'trash'));
}

/** A colour that an id always has, as an angle. */
export function hue(id) {
    let hash = 0;
    for (const character of id) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
    return (hash * 137) % 360;
}

function detail(model) {
    const rows = Object.entries(model)
        .filter(([name]) => name !== 'liked' && name !== 'title')
        .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, textOf(value))));
    return element('dl', { class: 'detail' }, ...rows);
}

/** A title whose words are written together, as BackgroundTasks is, may break between them. */
function breakable(title) {
    const parts = title.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.flatMap((part, index) => (index > 0 ? [element('wbr'), part] : [part]));
}

function joined(...parts) {
    return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

function date(text) {
    const time = new Date(text ?? '');
    if (Number.isNaN(time.getTime())) return '';
    return time.toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
}

function clock(seconds) {
    const whole = Math.round(seconds);
    const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    if (parts[0] === 0) parts.shift();
    return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

function initials(text, count) {
    const words = text.split(/[\s-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word) && word.toLowerCase() !== 'the');
    const letters = words.length > 1
        ? words.map((word) => word.charAt(0))
        : [...(words[0] ?? text)];
    return letters.slice(0, count).join('');
}
