// The real command, started and killed by a test.

import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = ['.build/release/medley', '.build/debug/medley'].map((path) => join(root, path)).filter(existsSync);
const time = (path) => statSync(path).mtimeMs;

/** Where the command is: as MEDLEY_BINARY says, or the latest in the build folder; undefined if it is not built. */
export const binary = process.env.MEDLEY_BINARY ?? built.sort((a, b) => time(b) - time(a))[0];

export class RunningServer {
    /** A folder for what the test writes; gone when it is closed. */
    folder = mkdtempSync(join(tmpdir(), 'medley-'));
    /** Where collections are kept. */
    data = join(this.folder, 'data');
    /** `http://127.0.0.1:PORT`, the same after each start. */
    address = null;

    #process = null;
    #ended = null;

    async start() {
        const listen = this.address?.replace('http://', '') ?? '127.0.0.1:0';
        const options = ['serve', '--data', this.data, '--listen', listen];
        this.#process = spawn(binary, options, { stdio: ['ignore', 'ignore', 'pipe'] });
        const { stderr } = this.#process;
        this.#ended = new Promise((resolve) => { this.#process.once('exit', resolve); });
        const lines = [];
        for await (const line of createInterface({ input: stderr })) {
            lines.push(line);
            const address = /serves on (http:\/\/[0-9.:]+)/.exec(line)?.[1];
            if (!address) continue;
            this.address = address;
            stderr.resume();
            return;
        }
        throw new Error(`the server did not start: ${lines.join('\n')}`);
    }

    async kill(signal = 'SIGKILL') {
        this.#process?.kill(signal);
        await this.#ended;
        this.#process = null;
    }

    async close() {
        await this.kill();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** Another use of the command, on the folder of the data or on files beside it. */
    async run(...options) {
        await promisify(execFile)(binary, options, { timeout: 60_000 });
    }

    /** A plain request over a connection of its own: `{status, text}`. */
    send(method, path, { headers = {}, body } = {}) {
        const fields = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
        return new Promise((resolve, reject) => {
            const options = { method, headers: fields, agent: false, timeout: 30_000 };
            const made = request(this.address + path, options, (response) => {
                let text = '';
                response.setEncoding('utf8');
                response.on('data', (piece) => { text += piece; });
                response.on('end', () => resolve({ status: response.statusCode, text }));
                response.on('error', reject);
            });
            made.on('timeout', () => made.destroy(new Error(`${method} ${path} is not answered`)));
            made.on('error', reject);
            made.end(body === undefined ? undefined : JSON.stringify(body));
        });
    }
}
