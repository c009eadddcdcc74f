import type { Database } from './database.js';
import { UNLIMITED_READS } from './dialect/database-driver.js';
import type { ReadConnection, ReadOptions } from './dialect/database-driver.js';
import type { Dialect } from './dialect/dialect.js';
import { withJoinedTransactions } from './nested-transaction.js';
import type { GeneratedClient, PrismaClientLike } from './prisma/generated-client.js';
import type { WriteAdapter } from './prisma/write-adapter.js';
import { createReadReplicas } from './read-replicas.js';
import type { ReadReplicas } from './read-replicas.js';
import { createTransact, toDatabaseError } from './transact.js';

/** A resource that is opened at its first use. */
interface OpenedOnce<T> {
  /** Opens it. If that fails, the next call tries again. */
  readonly open: () => Promise<T>;
  /** Returns the resource if it was used, without opening it. */
  readonly opened: () => Promise<T> | undefined;
}

function openOnce<T>(open: () => Promise<T>): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    open: () => {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: () => opening,
  };
}

export interface OpenOptions {
  readonly dialect: Dialect;
  /** `file:/absolute/data.db` or `postgresql://…` of an existing database with all migrations applied. */
  readonly url: string;
  /** Reaches the database without a pooler. Default: `url`. */
  readonly directUrl?: string;
  /** Limits of reads. Default: none. */
  readonly reads?: ReadOptions;
  /** Copies of the database that may be read, and the function that is called when one fails. */
  readonly replicas?: {
    readonly urls: readonly string[];
    readonly onMessage: (message: string) => void;
  };
  /** Loads the module of the generated client. Called when it is first needed. */
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

/** The connections for writes, and Prisma Client. Opened late, because the client takes long to load. */
interface Writes {
  readonly adapter: OpenedOnce<WriteAdapter>;
  readonly module: OpenedOnce<GeneratedClient>;
  /** Returns a function that creates the client when it is first called. */
  readonly prepareClient: () => Promise<() => PrismaClientLike>;
  readonly client: OpenedOnce<PrismaClientLike>;
  readonly close: () => Promise<void>;
}

const createWrites = ({ dialect, url, loadClient }: OpenOptions, onWrite: () => void): Writes => {
  const adapter = openOnce(() => dialect.driver.createWriteAdapter(url, onWrite));
  const module = openOnce(loadClient);
  let created: PrismaClientLike | undefined;
  const prepareClient = async (): Promise<() => PrismaClientLike> => {
    const generated = await module.open();
    const { factory } = await adapter.open();
    return () => {
      created ??= new generated.PrismaClient({ adapter: factory, errorFormat: 'minimal' });
      return created;
    };
  };
  const client = openOnce(async () => {
    const create = await prepareClient();
    await create().$connect();
    return create();
  });
  const close = async (): Promise<void> => {
    await client.opened()?.catch(() => undefined);
    await created?.$disconnect();
    await (await adapter.opened())?.close();
  };
  return { adapter, module, prepareClient, client, close };
};

interface ErrorHandler {
  readonly onError: (error: unknown) => void;
}

/** Turns the later driver errors of a connection that stays open into `DatabaseError`. */
const withDatabaseErrorsLater = <T extends ErrorHandler>(dialect: Dialect, options: T): T => ({
  ...options,
  onError: (error) => options.onError(toDatabaseError(dialect, error)),
});

type OpenRevisionsOf = Database['openRevisions'];

/** Opens revisions, and reports the writes of this process to them. Replicas follow them. */
const createOpenRevisions =
  (
    { dialect, url, directUrl = url }: OpenOptions,
    writeListeners: Set<() => void>,
    replicas: ReadReplicas | null,
  ): OpenRevisionsOf =>
  async (options) => {
    const handled = withDatabaseErrorsLater(dialect, options);
    const revisions = await dialect.revisions.open({ ...handled, url: directUrl });
    writeListeners.add(revisions.noteWrite);
    replicas?.follow(revisions);
    return {
      ...revisions,
      close: async () => {
        writeListeners.delete(revisions.noteWrite);
        replicas?.follow(null);
        await revisions.close();
      },
    };
  };

const openReplicas = (
  { dialect: { driver, replication }, replicas, reads = UNLIMITED_READS }: OpenOptions,
  primary: ReadConnection,
): ReadReplicas | null =>
  replication === null || replicas === undefined || replicas.urls.length === 0
    ? null
    : createReadReplicas({
        ...replicas,
        primary,
        replication,
        open: (url, onLost) => driver.openReadConnection(url, { ...reads, onLost }),
      });

/** Returns the reads of a connection. Reads that list their types may run on a replica. */
const createReads = (
  primary: ReadConnection,
  replicas: ReadReplicas | null,
): Pick<Database, 'readTexts' | 'readNumber'> => {
  const run = <T>(
    types: readonly string[] | undefined,
    read: (from: ReadConnection) => Promise<T>,
  ): Promise<T> => (replicas === null || types === undefined ? read(primary) : replicas.run(types, read));
  return {
    readTexts: (sql, parameters, signal, types) =>
      run(types, (from) => from.queryTexts(sql, parameters, signal)),
    readNumber: (sql, parameters, signal, types) =>
      run(types, (from) => from.queryNumber(sql, parameters, signal)),
  };
};

/**
 * Opens a migrated database, with separate connections for reads and writes. Those for writes are opened, and
 * Prisma Client is loaded, when they are first needed.
 *
 * @example
 *   const database = await openDatabase({ dialect: getDialect('sqlite'), url, loadClient });
 *
 * @throws DatabaseError if it cannot be reached
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const writeListeners = new Set<() => void>();
  const onWrite = (): void => {
    for (const listener of writeListeners) listener();
  };
  const openReads = (): Promise<ReadConnection> =>
    options.dialect.driver.openReadConnection(options.url, options.reads);
  const reads = await withDatabaseErrors(options.dialect, openReads)();
  const replicas = openReplicas(options, reads);
  const { readTexts, readNumber } = createReads(reads, replicas);
  const writes = createWrites(options, onWrite);
  const dialect: Dialect = { ...options.dialect, expressions: reads.expressions };
  let closed: Promise<void> | undefined;
  return withJoinedTransactions({
    dialect,
    readObjects: withDatabaseErrors(dialect, async () => {
      const names = await reads.queryTexts(reads.expressions.search.indexesSql, []);
      return { searchIndexes: new Set(names.filter((name) => name !== null)) };
    }),
    readTexts: withDatabaseErrors(dialect, readTexts),
    readNumber: withDatabaseErrors(dialect, readNumber),
    transact: createTransact({ dialect, loadClient: writes.client.open, openAdapter: writes.adapter.open }),
    openChangeFeed: withDatabaseErrors(dialect, (handlers) =>
      dialect.changeFeed.open(options.directUrl ?? options.url, withDatabaseErrorsLater(dialect, handlers)),
    ),
    openRevisions: createOpenRevisions(options, writeListeners, replicas),
    loadClient: withDatabaseErrors(dialect, writes.client.open),
    prepareClient: withDatabaseErrors(dialect, writes.prepareClient),
    pools: async () => {
      const written = (await writes.adapter.opened())?.use?.();
      return {
        reads: reads.use(),
        ...(written === undefined ? {} : { writes: written }),
        ...(replicas === null ? {} : { replicas: replicas.use() }),
      };
    },
    close: () => {
      closed ??= Promise.all([replicas?.close(), writes.close()])
        .then(reads.close)
        .then(() => undefined);
      return closed;
    },
  });
}
