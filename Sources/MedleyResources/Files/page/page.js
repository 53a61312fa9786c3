// The page: a list of one collection, the controls around it, and what has changed, in words.

import { Service } from '../medley.js';
import { arranged, arrangementOf, canBeArranged } from './arrangement.js';
import { element } from './elements.js';
import { follow } from './following.js';
import { List } from './list.js';
import { Notices } from './notices.js';
import { Session } from './session.js';
import { Signing } from './signing.js';
import { inWords } from './words.js';

/** A collection of more items is shown only when asked for: each is a cell in the document. */
const mostItems = 5_000;
const mostEntries = 40;
const pickerInterval = 10_000;
const mostLines = 6;

const find = (id) => document.getElementById(id);
const toolbar = find('toolbar');
const picker = find('collection');
const notices = new Notices(find('notices'));

const list = new List(find('list'), {
    like: (id) => edit([{ op: 'toggleLike', ids: [id] }]),
    delete: (id) => edit([{ op: 'delete', ids: [id] }]),
    move: (id, place) => edit([{ op: 'move', ids: [id], ...place }]),
});

const service = new Service();
/** What is followed: a connection and how to stop. */
let followed = null;
let shownID = null;

function edit(changes) {
    return attempt((connection) => connection.edit(changes));
}

/** Does something to the collection that is shown, and says so if it fails. */
async function attempt(work) {
    const { connection } = followed ?? {};
    if (!connection) return;
    try {
        await work(connection);
        notices.dismissProblems();
    } catch (error) {
        if (connection !== followed?.connection) return;
        if (error.status === 401) {
            await askAgain();
        } else {
            notices.addProblem(error);
            // What the visitor may do may be less than it was.
            if (error.status === 403) session.load().catch(() => {});
        }
    }
}

// ---- who is signed in

const session = new Session(sessionChanged);
const signing = new Signing(session, {
    form: find('sign-in'),
    reason: find('sign-in-reason'),
    token: find('token'),
    problem: find('sign-in-problem'),
    send: find('sign-in-send'),
    later: find('sign-in-later'),
    who: find('who'),
    name: find('name'),
    signIn: find('sign-in-now'),
    signOut: find('sign-out'),
    next: find('title'),
}, (error) => notices.addProblem(error));
/** Whose the collection is that is held; null for nobody's. */
let owner = null;

function sessionChanged() {
    const mayRead = session.may('read');
    // Who comes back goes on where they were; nobody else sees what they saw.
    const hasLeft = session.name === null && session.asks !== 'ended';
    if (owner !== null && session.name !== owner && (session.name !== null || (hasLeft && !mayRead))) {
        forget();
        picker.replaceChildren();
    }
    if (session.name !== null || session.asks !== 'ended') owner = session.name;
    for (const id of ['content', 'picking', 'json']) find(id).hidden = !mayRead;
    const mayWrite = session.may('write');
    if (!mayWrite) setEditing(false);
    list.isReadOnly = !mayWrite;
    find('edit').hidden = !mayWrite;
    find('arrangements').disabled = !mayWrite;
    signing.update();
    if (mayRead && session.asks !== 'ended') goOn();
}

/** Something was refused that needs to be signed in for: so the visitor no longer is, or has never been. */
async function askAgain() {
    await session.load().catch(() => {});
    if (session.asks === null && session.name === null) session.want();
}

/** Follows what was shown under the rights that there are now, if it is still there. */
async function goOn() {
    const before = followed;
    try {
        await loadPicker();
    } catch (error) {
        // It is looked for again in a while.
        if (!shownID) notices.add(error.message, { stays: true });
        return;
    }
    if (!before || before !== followed) return;
    const isListed = Array.from(picker.options).some((option) => option.value === shownID);
    if (isListed || before.connection.isGone) {
        before.connection.retry();
    } else {
        forget();
        choose();
    }
}

// ---- one collection

function show(id) {
    followed?.stop();
    shownID = id;
    list.show(null);
    find('entries').replaceChildren();
    find('latest').textContent = '';
    find('quiet').hidden = false;
    find('filter').value = '';
    list.filter('');
    notices.clear();
    setEditing(false);
    setText(find('title'), id);
    setText(find('description'), '');
    setText(find('shown'), '');
    find('arrangements').hidden = true;
    find('downloads').hidden = false;
    for (const link of find('downloads').querySelectorAll('a')) {
        link.href = `/v1/collections/${encodeURIComponent(id)}?format=${link.dataset.format}`;
    }
    followed = follow(id, {
        loaded(collection) {
            const isGrid = Array.from(collection.sections).some((section) => section.members.layout === 'grid');
            list.layout = toolbar.elements.layout.value = isGrid ? 'grid' : 'list';
            list.show(collection);
            describe(collection);
        },
        applying(apply, changes, origin) {
            const { collection } = followed.connection;
            const lines = inWords(changes, collection);
            list.change(() => apply(list));
            describe(collection);
            log(lines, origin);
        },
        state: (text) => { find('state').textContent = text; },
        denied: (error) => (error.status === 401 ? askAgain() : notices.addProblem(error)),
    }, notices);
}

/** Shows nothing of what there was. */
function forget() {
    followed?.stop();
    followed = null;
    shownID = null;
    list.show(null);
    find('entries').replaceChildren();
    find('latest').textContent = '';
    find('quiet').hidden = false;
    find('state').textContent = '';
    notices.clear();
    document.title = 'Medley';
    for (const id of ['title', 'description', 'shown']) setText(find(id), '');
}

function describe(collection) {
    setText(find('title'), collection.title);
    document.title = `${collection.title} – Medley`;
    const { description } = collection.members;
    setText(find('description'), typeof description === 'string' ? description : '');
    const arrangements = find('arrangements');
    arrangements.hidden = !canBeArranged(collection);
    if (!arrangements.hidden) toolbar.elements.arrangement.value = arrangementOf(collection);
    showCount();
    const option = Array.from(picker.options).find((one) => one.value === collection.id);
    if (option) setText(option, optionText(collection.id, collection.title, collection.count));
}

function showCount() {
    const count = followed?.connection.collection?.count ?? 0;
    const shown = list.shownCount;
    setText(find('shown'), shown === count ? plural(count) : `${shown} of ${plural(count)}`);
}

function log(lines, origin) {
    if (lines.length === 0) return;
    const rest = lines.length - mostLines;
    const shown = rest > 1 ? [...lines.slice(0, mostLines), `and ${rest} more`] : lines;
    const time = new Date();
    const entry = element('li', {},
        element('p', { class: 'when' },
            element('time', { datetime: time.toISOString() }, time.toLocaleTimeString('en-GB')),
            origin === 'here' ? ' here' : ' elsewhere'),
        ...shown.map((line) => element('p', {}, line)));
    find('entries').prepend(entry);
    while (find('entries').childElementCount > mostEntries) find('entries').lastElementChild.remove();
    find('quiet').hidden = true;
    setText(find('latest'), lines[0]);
}

function setText(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

function plural(count) {
    return `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;
}

// ---- controls

function setEditing(isEditing) {
    list.isEditing = isEditing;
    find('edit').setAttribute('aria-pressed', String(isEditing));
    setText(find('edit'), isEditing ? 'Done' : 'Edit');
}

find('edit').addEventListener('click', () => setEditing(!list.isEditing));
find('filter').addEventListener('input', (event) => {
    list.filter(event.target.value);
    showCount();
});
toolbar.addEventListener('submit', (event) => event.preventDefault());
toolbar.addEventListener('change', async ({ target }) => {
    if (target.name === 'layout') list.layout = target.value;
    if (target.name === 'arrangement') {
        const { connection } = followed;
        await attempt(() => connection.replace((current) => arranged(current, target.value)));
        // If it failed the control goes back to what is shown.
        if (connection === followed.connection) describe(connection.collection);
    }
});

// ---- which collection

/** How many items each collection has. */
let sizes = new Map();

/** Looks who is signed in and, if they may see them, which collections there are. */
async function refresh() {
    try {
        // A change leads to the rest by itself.
        if (await session.load() || !session.may('read')) return;
        await loadPicker();
        if (followed?.connection.state === 'denied') followed.connection.retry();
    } catch (error) {
        if (error.status === 401) await askAgain();
        else if (!shownID) notices.add(error.message, { stays: true });
    }
}

async function loadPicker() {
    const { collections } = (await service.send('GET', '/v1/collections')).body;
    // Not under the hand of someone who is choosing.
    if (shownID && document.activeElement === picker) return;
    sizes = new Map(collections.map((one) => [one.id, one.counts.items]));
    picker.replaceChildren(...collections.map(({ id, title, counts }) =>
        element('option', { value: id }, optionText(id, title, counts.items))));
    if (shownID) picker.value = shownID;
    else choose();
}

function optionText(id, title, count) {
    return `${title || id} (${count.toLocaleString('en')})`;
}

/** Shows the collection that the address names, or the first. */
function choose() {
    const ids = Array.from(picker.options, (option) => option.value);
    let named = '';
    try {
        named = decodeURIComponent(location.hash.slice(1));
    } catch {
        // An address that someone typed.
    }
    const id = named || (ids.includes('mix') ? 'mix' : ids[0]);
    if (!id) {
        setText(find('title'), 'No collections yet');
        setText(find('description'), session.may('admin')
            ? 'PUT one to /v1/collections/NAME; it shows up here.'
            : 'There is none that you may see. This page shows it when there is one.');
        return;
    }
    if (id === shownID) return;
    picker.value = id;
    const size = sizes.get(id) ?? 0;
    if (size <= mostItems) {
        show(id);
        return;
    }
    const text = `This collection has ${plural(size)}; a browser is slow with so many.`;
    notices.addChoice(text, 'Show them', () => show(id));
    picker.value = shownID ?? id;
}

picker.addEventListener('change', () => { location.hash = encodeURIComponent(picker.value); });
const refreshIfSeen = () => { if (document.visibilityState === 'visible') refresh(); };
setInterval(refreshIfSeen, pickerInterval);
document.addEventListener('visibilitychange', refreshIfSeen);
addEventListener('hashchange', choose);

// ---- the log stands open where there is room for it beside the list

const isWide = matchMedia('(min-width: 60rem)');
const placeLog = () => { find('log').open = isWide.matches; };
isWide.addEventListener('change', placeLog);
placeLog();

refresh();
