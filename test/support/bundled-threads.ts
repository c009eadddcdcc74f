import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { bundleScript } from '../cli/support/bundle-script.js';

type Threads = typeof import('tinypool');

const tinypool = pathToFileURL(createRequire(import.meta.url).resolve('tinypool')).href;
const { Tinypool: Pool } = (await import(tinypool)) as Threads;

const folder = join(inject('runFolder'), `threads-${process.pid}`);
mkdirSync(folder);
const source = new URL('../../src/database/sqlite/reads/thread.ts', import.meta.url);
const filename = await bundleScript(fileURLToPath(source), folder);

/**
 * Takes the place of tinypool: threads that read run a bundle. A thread that loads the sources by jiti takes
 * half a second of CPU to start, and on a busy machine longer than a read may wait.
 */
export class Tinypool extends Pool {
  constructor(options: ConstructorParameters<Threads['Tinypool']>[0]) {
    super(options?.filename === fileURLToPath(source) ? { ...options, filename, execArgv: [] } : options);
  }
}
