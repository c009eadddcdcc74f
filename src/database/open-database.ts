import type { ReadConnection, ReadOptions } from '../dialects/database-driver.js';
import type { Dialect } from '../dialects/dialect.js';
import type { WriteAdapter } from '../prisma/write-adapter.js';
import type { Database } from './database.js';
import type { GeneratedClient, PrismaClientLike } from '../prisma/generated-client.js';
import { withJoinedTransactions } from './joined-transactions.js';
import { toDatabaseError, createTransact } from './transact.js';

export interface OpenOptions {
  readonly dialect: Dialect;
  /** `file:/absolute/data.db` or `postgresql://…` of an existing database with all migrations applied. */
  readonly url: string;
  /** Reaches the database without a pooler. Default: `url`. */
  readonly directUrl?: string;
  /** What reads are limited to. Default: nothing. */
  readonly reads?: ReadOptions;
  /** Loads the module of the generated client. */
  readonly loadClient: () => Promise<GeneratedClient>;
}

/** Turns the driver errors of an operation into `DatabaseError`. */
const withDatabaseErrors =
  <Parameters extends readonly unknown[], T>(
    dialect: Dialect,
    operation: (...parameters: Parameters) => Promise<T>,
  ) =>
  (...parameters: Parameters): Promise<T> =>
    operation(...parameters).catch((error: unknown) => {
      throw toDatabaseError(dialect, error);
    });

interface Connections {
  readonly adapter: WriteAdapter;
  readonly client: PrismaClientLike;
  readonly reads: ReadConnection;
}

const openReads = async (
  { dialect, url, reads }: OpenOptions,
  client: PrismaClientLike,
): Promise<ReadConnection> => {
  try {
    await client.$connect();
    return await dialect.driver.openReadConnection(url, reads);
  } catch (error) {
    await client.$disconnect();
    throw error;
  }
};

const connect = async (
  options: OpenOptions,
  { PrismaClient }: GeneratedClient,
  onWrite: () => void,
): Promise<Connections> => {
  const { dialect, url } = options;
  const adapter = await dialect.driver.createWriteAdapter(url, onWrite);
  const client = new PrismaClient({ adapter: adapter.factory, errorFormat: 'minimal' });
  return { adapter, client, reads: await openReads(options, client) };
};

type OpenRevisionsOf = Database['openRevisions'];

/** Opens revisions, and tells them of the writes of this process. */
const createOpenRevisions =
  ({ dialect, url, directUrl = url }: OpenOptions, writeListeners: Set<() => void>): OpenRevisionsOf =>
  async (options) => {
    const revisions = await dialect.revisions.open({ ...options, url: directUrl });
    writeListeners.add(revisions.noteWrite);
    return {
      ...revisions,
      close: async () => {
        writeListeners.delete(revisions.noteWrite);
        await revisions.close();
      },
    };
  };

/**
 * Opens a migrated database, with separate connections for reads and writes.
 *
 * @example
 *   const database = await openDatabase({ dialect: getDialect('sqlite'), url, loadClient });
 *
 * @throws DatabaseError where it cannot be reached
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const module = await options.loadClient();
  const writeListeners = new Set<() => void>();
  const onWrite = (): void => {
    for (const listener of writeListeners) listener();
  };
  const { adapter, client, reads } = await connect(options, module, onWrite).catch((error: unknown) => {
    throw toDatabaseError(options.dialect, error);
  });
  const dialect: Dialect = { ...options.dialect, expressions: reads.expressions };
  let closed: Promise<void> | undefined;
  return withJoinedTransactions({
    dialect,
    readObjects: withDatabaseErrors(dialect, async () => {
      const { search, totals } = reads.expressions;
      const names = await reads.queryTexts(search.indexesSql, []);
      const [totalsTable = null] = await reads.queryTexts(totals.tableSql, []);
      return {
        searchIndexes: new Set(names.filter((name) => name !== null)),
        hasTotals: totalsTable !== null,
      };
    }),
    readTexts: withDatabaseErrors(dialect, reads.queryTexts),
    readNumber: withDatabaseErrors(dialect, reads.queryNumber),
    transact: createTransact({ dialect, client, adapter }),
    openChangeFeed: withDatabaseErrors(dialect, (handlers) =>
      dialect.changeFeed.open(options.directUrl ?? options.url, handlers),
    ),
    openRevisions: createOpenRevisions(options, writeListeners),
    jsonNull: module.Prisma['DbNull'],
    client,
    close: () => {
      closed ??= Promise.all([client.$disconnect(), reads.close()]).then(() => undefined);
      return closed;
    },
  });
}
