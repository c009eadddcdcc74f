/** What a thread of the pool in threads.ts runs: one statement at a time, on a connection of its own. */
import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../../lib/defined.js';
import { errorCode } from '../../../lib/error-code.js';
import { OverBudget } from '../functions.js';
import { ENDED } from './messages.js';
import type { ReadReply, ReadStatement, ReadThreadData, SentError } from './messages.js';
import { openSqliteReader } from './reader.js';
import type { SqliteReader } from './reader.js';
import { packTexts } from '../text-transfer.js';

const port = defined(parentPort, 'the port of the thread');
const { url, state } = workerData as ReadThreadData;

/** About a third of the time of a thread that serves. */
const NICENESS = 5;

const END = new Error('The statement was ended');

const assertRunning = (): void => {
  if (Atomics.load(state, 0) === ENDED) throw END;
};

const toSentError = (error: unknown): SentError => {
  if (error === END) return { kind: 'ended' };
  if (error instanceof OverBudget) return { kind: 'over-budget', limit: error.limit, branch: error.branch };
  return {
    kind: 'driver',
    message: error instanceof Error ? error.message : String(error),
    code: errorCode(error),
  };
};

const read = (
  reader: SqliteReader,
  { sql, parameters, isNumber }: ReadStatement,
): { readonly result: ReadReply['result']; readonly moved: readonly ArrayBuffer[] } => {
  if (isNumber) return { result: { kind: 'number', value: reader.number(sql, parameters) }, moved: [] };
  const { packed, moved } = packTexts(reader.texts(sql, parameters));
  return { result: { kind: 'texts', texts: packed }, moved };
};

// Where cores are short, the main thread comes first. Elsewhere, this would be about the whole process.
if (platform() === 'linux') setPriority(0, NICENESS);

const reader = await openSqliteReader(url, assertRunning);

port.on('message', (statement: ReadStatement) => {
  const startedAt = performance.now();
  const reply = (result: ReadReply['result'], moved: readonly ArrayBuffer[]): void =>
    port.postMessage({ ms: performance.now() - startedAt, result } satisfies ReadReply, [...moved]);
  try {
    const { result, moved } = read(reader, statement);
    reply(result, moved);
  } catch (error) {
    reply({ kind: 'error', error: toSentError(error) }, []);
  }
});
