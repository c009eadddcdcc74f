import { createError } from '../../../errors/catalogue.js';
import type { Requester } from '../../../lib/requester.js';
import type { ReadConnection, ReadOptions } from '../../database-driver.js';
import type { BoundValue, SqlExpressions } from '../../sql-expressions.js';
import type { UncountedStatement } from '../../uncounted-statement.js';
import { toBudgetError } from '../functions.js';
import type { ReadReply } from './messages.js';
import { createReadThreads } from './threads.js';
import type { ReadThreads } from './threads.js';
import { createRefusedReads } from './refused-reads.js';
import { openSqliteReader } from './reader.js';
import type { SqliteReader } from './reader.js';
import { createSlowStatements } from './slow-statements.js';
import { unpackTexts } from '../text-transfer.js';
import { createUncountedReads } from './uncounted-reads.js';
import type { UncountedReads } from './uncounted-reads.js';

/** Beyond this, a read that blocks the event loop is ended, and done by another thread. */
const MAX_BLOCKING_MS = 8;

/** Thrown within a statement that blocks the event loop for too long. Made once, since none is reported. */
const BLOCKING = new Error('The statement blocks the event loop');

type TextRows = readonly (string | null)[];

const textsOf = async ({ result }: ReadReply): Promise<TextRows> => {
  if (result.kind !== 'texts') throw new TypeError('The thread returned no texts');
  return unpackTexts(result.texts);
};

const numberOf = async ({ result }: ReadReply): Promise<number> => {
  if (result.kind !== 'number') throw new TypeError('The thread returned no number');
  return result.value;
};

/** How a statement is run in this thread, and what its result in another thread means. */
interface ReadKind<T> {
  readonly isNumber: boolean;
  readonly here: (reader: SqliteReader, sql: string, parameters: readonly BoundValue[]) => T;
  readonly fromThread: (reply: ReadReply) => Promise<T>;
}

const TEXTS: ReadKind<TextRows> = {
  isNumber: false,
  here: (reader, sql, parameters) => reader.texts(sql, parameters),
  fromThread: textsOf,
};
/** Counts only where it has to. */
const uncountedTexts = (uncounted: UncountedReads, statement: UncountedStatement): ReadKind<TextRows> => ({
  ...TEXTS,
  here: (reader, sql, parameters) => uncounted.texts(statement, parameters) ?? reader.texts(sql, parameters),
});
const NUMBER: ReadKind<number> = {
  isNumber: true,
  here: (reader, sql, parameters) => reader.number(sql, parameters),
  fromThread: numberOf,
};

type RunRead = <T>(
  kind: ReadKind<T>,
  sql: string,
  parameters: readonly BoundValue[],
  requester: Requester | undefined,
) => Promise<T>;

/**
 * Reads in this thread, which is quickest for all but slow statements. Those it leaves to other threads, from
 * their first run on: it ends them where they block it.
 */
const createRunRead = (
  reader: SqliteReader,
  threads: ReadThreads,
  blockUntil: (time: number) => void,
): RunRead => {
  const slow = createSlowStatements();
  const refused = createRefusedReads(reader.dataVersion);
  const runElsewhere: RunRead = ({ isNumber, fromThread }, sql, parameters, requester) =>
    refused.run(sql, parameters, async () => {
      const reply = await threads.run({ sql, parameters, isNumber }, slow.isLong(sql), requester);
      slow.record(sql, reply.ms);
      return fromThread(reply);
    });
  return async (kind, sql, parameters, requester) => {
    if (slow.isSlow(sql)) return runElsewhere(kind, sql, parameters, requester);
    const startedAt = performance.now();
    blockUntil(startedAt + MAX_BLOCKING_MS);
    try {
      const result = kind.here(reader, sql, parameters);
      slow.record(sql, performance.now() - startedAt);
      return result;
    } catch (error) {
      if (error !== BLOCKING) throw toBudgetError(error);
    }
    slow.recordEnded(sql);
    return runElsewhere(kind, sql, parameters, requester);
  };
};

/** Without other threads, reads block this one until the timeout. */
const runHere =
  (reader: SqliteReader, timeoutMs: number | null, blockUntil: (time: number) => void): RunRead =>
  async (kind, sql, parameters) => {
    if (timeoutMs !== null) blockUntil(performance.now() + timeoutMs);
    try {
      return kind.here(reader, sql, parameters);
    } catch (error) {
      throw error === BLOCKING
        ? createError('database/read-timeout', { ms: timeoutMs })
        : toBudgetError(error);
    }
  };

/** Opens the file a second time, so that reads see only committed data. */
export async function openSqliteReadConnection(
  url: string,
  expressions: SqlExpressions,
  { threads: max, timeoutMs }: ReadOptions,
): Promise<ReadConnection> {
  let end = Number.POSITIVE_INFINITY;
  const reader = await openSqliteReader(url, () => {
    if (performance.now() > end) throw BLOCKING;
  });
  const blockUntil = (time: number): void => {
    end = time;
  };
  const uncounted = createUncountedReads(reader);
  const threads = max === 0 ? null : createReadThreads({ url, max, timeoutMs });
  const run =
    threads === null ? runHere(reader, timeoutMs, blockUntil) : createRunRead(reader, threads, blockUntil);
  return {
    expressions,
    queryTexts: (sql, parameters, requester, statement) => {
      // Without other threads, nothing ends what takes long.
      const isCounted = statement === undefined || threads === null;
      return run(isCounted ? TEXTS : uncountedTexts(uncounted, statement), sql, parameters, requester);
    },
    queryNumber: (sql, parameters, requester) => run(NUMBER, sql, parameters, requester),
    use: () => threads?.use() ?? { open: 0, idle: 0, waiting: 0 },
    close: async () => {
      await threads?.close();
      reader.close();
    },
  };
}
