import type { Dialect, ReadConnection } from '../dialects/dialect.js';
import type { WriteAdapter } from '../dialects/write-adapter.js';
import type { Database } from './database.js';
import type { GeneratedClient, PrismaClientLike } from './generated-client.js';
import { asDatabaseFault, createTransact } from './transact.js';

export interface OpenOptions {
  readonly dialect: Dialect;
  /** `file:/absolute/data.db` or `postgresql://…`; the database exists and its migrations are applied. */
  readonly url: string;
  /** Loads the generated client's module. */
  readonly loadClient: () => Promise<GeneratedClient>;
}

/** Answers what the connection answers, and its faults as the toolkit's own. */
const guarded = <Parameters extends readonly unknown[], T>(dialect: Dialect, ask: (...parameters: Parameters) => Promise<T>) =>
  (...parameters: Parameters): Promise<T> => ask(...parameters).catch((error: unknown) => {
    throw asDatabaseFault(dialect, error);
  });

interface Connections {
  readonly adapter: WriteAdapter;
  readonly client: PrismaClientLike;
  readonly reads: ReadConnection;
}

const openReads = async (dialect: Dialect, url: string, client: PrismaClientLike): Promise<ReadConnection> => {
  try {
    await client.$connect();
    return await dialect.openReads(url);
  } catch (error) {
    await client.$disconnect();
    throw error;
  }
};

const connect = async ({ dialect, url }: OpenOptions, { PrismaClient }: GeneratedClient): Promise<Connections> => {
  const adapter = await dialect.createWriteAdapter(url);
  const client = new PrismaClient({ adapter: adapter.factory, errorFormat: 'minimal' });
  return { adapter, client, reads: await openReads(dialect, url, client) };
};

/**
 * Opens a migrated database: one way in for reads, one for writes.
 *
 * @throws DatabaseFault where it cannot be reached
 * @example const database = await openDatabase({ dialect: dialectNamed('sqlite'), url, loadClient });
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const module = await options.loadClient();
  const { adapter, client, reads } = await connect(options, module).catch((error: unknown) => {
    throw asDatabaseFault(options.dialect, error);
  });
  const { dialect } = reads;
  let closed: Promise<void> | undefined;
  return {
    dialect,
    readTexts: guarded(dialect, reads.texts),
    readNumber: guarded(dialect, reads.number),
    transact: createTransact({ dialect, client, adapter }),
    openChangeFeed: guarded(dialect, (handlers) => dialect.changeFeed.open(options.url, handlers)),
    jsonNull: module.Prisma['DbNull'],
    client,
    close: () => {
      closed ??= Promise.all([client.$disconnect(), reads.close()]).then(() => undefined);
      return closed;
    },
  };
}
