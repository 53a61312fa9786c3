// What the page says about the collection that it follows: in notices, and in the line at the foot.

import { MedleyUnreachable, connect } from '../medley.js';
import { parseJSON } from './json.js';

/**
 * Follows a collection while the page can be seen. Handlers: `loaded(collection)` when all of it is there at once;
 * `applying(apply, changes, origin)` for each difference, as `connect` has it; `state(text)` with what is going on;
 * `denied(error)` when the server no longer lets the visitor follow: it goes on with the connection's `retry()`.
 */
export function follow(id, { loaded, applying, state, denied }, notices) {
    const connection = connect(`/v1/collections/${encodeURIComponent(id)}`, {
        // What is sent back is what came.
        parse: parseJSON,
        applying: (apply, { changes, origin }) => applying(apply, changes, origin),
    });
    let isUnreachable = false;
    let isForbidden = false;
    const report = () => {
        if (connection.state === 'denied') state(isForbidden ? 'Not allowed' : 'Not signed in');
        else if (connection.isGone) state('Gone');
        else if (isUnreachable) state('The server does not answer');
        else if (connection.revision !== null) state(`Revision ${connection.revision}`);
    };

    connection.on('loaded', () => {
        loaded(connection.collection);
        report();
    });
    connection.on('changed', report);
    connection.on('misfit', ({ error }) => console.error(error));
    connection.on('reset', ({ reason }) => {
        if (reason in reasons) notices.add(reasons[reason]);
    });
    connection.on('gone', () => {
        const text = connection.collection
            ? 'This collection is gone. What you see is its last state.'
            : `There is no collection “${id}”.`;
        notices.add(text, { stays: true });
        report();
    });
    connection.on('returned', () => {
        notices.add('The collection is back.');
        report();
    });
    connection.on('state', ({ state: name, error }) => {
        if (error instanceof MedleyUnreachable) {
            const text = 'The server does not answer. The page goes on asking.';
            if (!isUnreachable) notices.add(text, { stays: true });
            isUnreachable = true;
        } else if (name === 'denied') {
            isForbidden = error.status === 403;
            denied(error);
        } else if (error && !connection.isGone) {
            notices.addProblem(error);
        } else if (isUnreachable && (name === 'live' || name === 'polling')) {
            notices.add('The server answers again.');
            isUnreachable = false;
        }
        report();
    });

    // A browser has few connections for one server, and pages that nobody sees need none.
    const visibilityChanged = () => {
        if (document.visibilityState === 'visible') connection.resume();
        else connection.pause();
    };
    document.addEventListener('visibilitychange', visibilityChanged);
    visibilityChanged();

    return {
        connection,
        stop() {
            document.removeEventListener('visibilitychange', visibilityChanged);
            connection.close();
        },
    };
}

const reasons = {
    lineage: 'The server started anew; the list was brought in step with it.',
    misfit: 'The list did not fit the changes and was loaded anew.',
};
