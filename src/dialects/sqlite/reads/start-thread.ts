import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReadThreadData } from './messages.js';

/** Node cannot load the sources themselves in a thread: there, jiti does, as it does for projects' files. */
const SOURCE_LOADER = `
const { workerData } = require('node:worker_threads');
require(workerData.jiti).createJiti(workerData.file).import(workerData.file);
`;

/** Starts the thread of thread.ts, from the build or from the sources. */
export function startReadThread(data: ReadThreadData): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(`./thread.${isSource ? 'ts' : 'js'}`, import.meta.url);
  if (!isSource) return new Worker(file, { workerData: data, execArgv: [] });
  const jiti = createRequire(import.meta.url).resolve('jiti');
  return new Worker(SOURCE_LOADER, {
    eval: true,
    workerData: { ...data, jiti, file: fileURLToPath(file) },
    execArgv: [],
  });
}
