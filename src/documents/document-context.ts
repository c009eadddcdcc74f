import { isDatabaseError, toUnavailableError } from '../database/database-error.js';
import type { Database, Transaction } from '../database/database.js';
import type { NestedTransaction } from '../database/nested-transaction.js';
import { createError } from '../errors/catalogue.js';
import type { ContentModel, ContentType, MorphLink, TableLink } from '../model/model.js';
import type { Locales } from './documents.js';
import type { OperationHooks } from './hooks.js';
import type { WriteLog } from './log/write-log.js';
import type { RelationMapping } from './links/relation-mapping.js';
import type { RecordReader } from './read/record-reader.js';
import type { ContentField, DocumentStatements, VersionStatements } from './write/version-statements.js';
import type { TableStatements } from './write/table-statements.js';
import type { ScheduleStore } from './schedules/schedule-store.js';
import type { TrashTable } from './trash/trash-table.js';
import type { InputValidator } from './validation/input.js';

/** The dependencies of all operations. Values per type or link are compiled when they are first used. */
export interface DocumentContext {
  readonly model: ContentModel;
  readonly database: Database;
  readonly records: RecordReader;
  readonly locales: Locales;
  readonly clock: () => Date;
  readonly hooks: OperationHooks;
  /** The transaction of the hook that makes the writes. Null if each write has a separate transaction. */
  readonly nested: NestedTransaction | null;
  readonly schedules: ScheduleStore;
  readonly trash: TrashTable;
  /** The log of writes. Null: writes are not logged. */
  readonly log: WriteLog | null;
  readonly validatorOf: (type: ContentType) => InputValidator;
  /** The columns of a version row that are copied when it is published. */
  readonly contentFieldsOf: (type: ContentType) => readonly ContentField[];
  /** The links of the type's relation and media attributes. */
  readonly relationsOf: (type: ContentType) => readonly RelationMapping[];
  readonly documentTableOf: (type: ContentType) => DocumentStatements;
  readonly versionTableOf: (type: ContentType) => VersionStatements;
  readonly linkTableOf: (link: TableLink | MorphLink) => TableStatements;
}

/**
 * Runs a write in one transaction. After a conflict with a concurrent write, it runs again. Its checks then
 * find and report the cause of the conflict. The write of a hook belongs to the transaction of the write that
 * called the hook, which runs again as a whole.
 *
 * @throws `server/unavailable` and other errors of `toUnavailableError` if the database cannot be written to
 */
export async function transactWrite<T>(
  { database, nested }: Pick<DocumentContext, 'database' | 'nested'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (nested !== null) return nested.run(work);
  // An error concerns the joined transaction as a whole.
  if (database.joined() !== null) return database.transact(work);
  try {
    return await database.transact(work, { callsProjectCode: false, retriesConflicts: true });
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    const { kind } = error.driverError;
    const isConflict = kind === 'unique' || kind === 'foreign-key';
    throw isConflict
      ? createError('server/unavailable', {}, { cause: error })
      : (toUnavailableError(error) ?? error);
  }
}

/**
 * Runs `work` in one transaction, with all its reads and writes: the transaction that the caller has joined,
 * or else a new one. In a new one, `work` may run more than once.
 *
 * @throws like {@link transactWrite}
 */
export async function joinTransaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.joined() !== null) return database.transact(work);
  return transactWrite({ database, nested: null }, (tx) => tx.runProjectCode(() => database.join(tx, work)));
}

/** Runs work in one transaction, and rolls it back in a dry run. */
export type RunTransaction = <T>(
  work: () => Promise<T>,
  options: { readonly isDryRun: boolean },
) => Promise<T>;

/** Thrown to roll back the transaction of a dry run, with its result. */
class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('The dry run has ended');
  }
}

/** Creates a function that runs work in one transaction, which all nested calls join. */
export const createRunTransaction =
  ({ transact, join }: Pick<Database, 'transact' | 'join'>): RunTransaction =>
  async <T>(work: () => Promise<T>, { isDryRun }: { readonly isDryRun: boolean }): Promise<T> => {
    try {
      return await transact((tx) =>
        join(tx, async () => {
          const result = await work();
          if (isDryRun) throw new DryRunEnd(result);
          return result;
        }),
      );
    } catch (error) {
      if (error instanceof DryRunEnd) return error.result as T;
      throw error;
    }
  };
