/** The worker of the pool in connection.ts: runs one statement at a time, on a separate connection. */
import { platform, setPriority } from 'node:os';
import { errorCode } from '../../../lib/caught-errors.js';
import type { BoundValue } from '../../dialect/sql-expressions.js';
import { OverBudget } from '../functions.js';
import { openSqliteReader } from './reader.js';
import type { SqliteReader } from './reader.js';

/** A read that a thread runs. */
export interface ThreadRead {
  readonly url: string;
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
  /** The {@link ReadState}, which both threads change. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

export const ReadState = Object.freeze({ waiting: 0, running: 1, ended: 2 });

/** The class and the members of an error would be lost on its way to another thread. */
export type ThreadReply =
  | { readonly values: readonly unknown[] }
  | { readonly overBudget: { readonly limit: number; readonly branch: string } }
  | { readonly error: { readonly message: string; readonly code: string } };

/** About a third of the time of a thread that serves. */
const NICENESS = 5;

let running: ThreadRead['state'] | undefined;
let opening: Promise<SqliteReader> | undefined;

const assertRunning = (): void => {
  if (running !== undefined && Atomics.load(running, 0) === ReadState.ended)
    throw new Error('The read was ended');
};

const open = (url: string): Promise<SqliteReader> => {
  // The main thread has priority if all cores are busy. Other platforms set the priority of the whole
  // process.
  if (platform() === 'linux') setPriority(0, NICENESS);
  return openSqliteReader(url, assertRunning);
};

/** Runs one statement. */
export async function readInThread({ url, sql, parameters, state }: ThreadRead): Promise<ThreadReply> {
  opening ??= open(url);
  const reader = await opening;
  running = state;
  Atomics.compareExchange(state, 0, ReadState.waiting, ReadState.running);
  try {
    assertRunning();
    return { values: reader.read(sql, parameters) };
  } catch (error) {
    if (error instanceof OverBudget) return { overBudget: { limit: error.limit, branch: error.branch } };
    return {
      error: { message: error instanceof Error ? error.message : String(error), code: errorCode(error) },
    };
  }
}
