import type { Database } from '../../database/database.js';
import { readServerState, writeServerState } from '../../database/server-state.js';
import type {
  AnyDocument,
  ContentTypeUid,
  DocumentOf,
  GetRepository,
  ProjectPrismaClient,
  QueryOf,
} from '../../documents/document-repository.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';

/** The query of the documents for `batches`, and the number in each batch. */
type BatchParams<Uid extends ContentTypeUid> = Omit<QueryOf<Uid>, 'pagination' | 'sort'> & {
  /** The number of documents of a batch. Default: 100. */
  readonly size?: number;
};

/**
 * Calls `work` for all documents of a content-type, in batches. An interrupted migration continues after the
 * last completed batch, so `work` may receive the documents of one batch twice.
 *
 * Reads drafts of the default locale, unless `status` or `locale` is set. `locale: '*'` reads all locales,
 * with those of one document in the same batch.
 *
 * @example
 *   await batches('api::author.author', { size: 200 }, async (authors) => {
 *     for (const { documentId, name } of authors)
 *       await documents('api::author.author').update({ documentId, data: { first: name.split(' ')[0] } });
 *   });
 */
export type Batches = <Uid extends ContentTypeUid>(
  uid: Uid,
  params: BatchParams<Uid>,
  work: (documents: readonly DocumentOf<Uid>[]) => Promise<void>,
) => Promise<void>;

/**
 * Runs one SQL statement. Values become parameters.
 *
 * @example
 *   const rows = await sql`SELECT document_id FROM authors WHERE name = ${name}`;
 */
export type SqlTag = (
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * The argument of the default function of a migration's migrate.ts. The documents and the client have the
 * content-types of the state right after this migration.
 *
 * @example
 *   // prisma/migrations/20260131093000_split_names/migrate.ts
 *   export default async ({ sql }: MigrationContext): Promise<void> => {
 *     await sql`UPDATE authors SET last_name = name WHERE last_name IS NULL`;
 *   };
 */
export interface MigrationContext {
  /**
   * Reads and writes documents. The hooks of src/index.ts do not run, since they may rely on later
   * content-types.
   */
  readonly documents: GetRepository;
  readonly batches: Batches;
  /** The Prisma Client. */
  readonly prisma: ProjectPrismaClient;
  readonly sql: SqlTag;
  /** Prints a line for the user who migrates. */
  readonly log: (message: string) => void;
  /** Shows the progress of the code. `batches` reports progress by itself. */
  readonly progress: (completed: number, total: number) => void;
}

/** The default export of a migration's migrate.ts. */
export type MigrationCode = (context: MigrationContext) => void | Promise<void>;

const DEFAULT_SIZE = 100;

export interface BatchesDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: GetRepository;
  /** The prefix of the keys of stored progress. */
  readonly statePrefix: string;
  readonly onProgress: (completed: number, total: number) => void;
}

interface Position {
  /** The id of the last document of the last completed batch. */
  readonly after: string;
  readonly completed: number;
}

const START: Position = { after: '', completed: 0 };

const readPosition = async (database: Database, key: string): Promise<Position> => {
  const text = await database.transact((tx) => readServerState(tx, key));
  const value: unknown = text === null ? null : JSON.parse(text);
  return isRecord(value) && typeof value['after'] === 'string'
    ? { after: value['after'], completed: Number(value['completed']) }
    : START;
};

const savePosition = async (database: Database, key: string, position: Position): Promise<void> => {
  await database.transact((tx) => writeServerState(tx, key, JSON.stringify(position)));
};

/** Creates `batches` for one run of a migration's code. Calls are distinguished by their order. */
export function createBatches({
  database,
  model,
  documents,
  statePrefix,
  onProgress,
}: BatchesDependencies): Batches {
  let calls = 0;
  const { placeholder } = database.dialect.expressions;
  return async (uid, { size = DEFAULT_SIZE, ...params }, work) => {
    if (!Number.isInteger(size) || size < 1)
      throw new RangeError(`size must be a whole number above 0, not ${String(size)}`);
    // Any content-type, not only those of the present project.
    const find: (query: object) => Promise<readonly AnyDocument[]> = documents<string>(uid).findMany;
    calls += 1;
    const key = `${statePrefix}${calls} ${uid}`;
    const { table } = typeOf(model, uid).storage.document;
    const total = await database.readNumber(`SELECT count(*) FROM "${table}"`, []);
    let position = await readPosition(database, key);
    for (;;) {
      onProgress(position.completed, total);
      const ids = await database.readTexts(
        `SELECT document_id FROM "${table}" WHERE document_id > ${placeholder(1)}
         ORDER BY document_id LIMIT ${size}`,
        [position.after],
      );
      const after = ids.at(-1);
      if (after === undefined || after === null) return;
      const filters = { $and: [params.filters ?? {}, { documentId: { $in: ids } }] };
      const batch = await find({ ...params, filters, sort: 'documentId' });
      if (batch.length > 0) await work(batch);
      position = { after, completed: position.completed + ids.length };
      await savePosition(database, key, position);
    }
  };
}
