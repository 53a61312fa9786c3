// medley.js: follow Medley's collections and edit them, in browsers and in Node 18 or newer. The server serves this
// file with all that it loads in one, at /medley.js. docs/medley-js.md tells how it is used.

export { Collection, Misfit } from './medley/collection.js';
export { connect, connectAll } from './medley/connect.js';
export { difference } from './medley/difference.js';
export { MedleyProblem, MedleyUnreachable } from './medley/problem.js';
export { Service } from './medley/service.js';
