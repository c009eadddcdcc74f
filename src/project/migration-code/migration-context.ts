import type { GetRepository } from '../../documents/repository/document-repository.js';
import type {
  ContentTypeUid,
  DocumentOf,
  ProjectPrismaClient,
  QueryOf,
} from '../../documents/repository/project-types.js';

/** The query of the documents that `batches` reads, and the number in each batch. */
type BatchParams<Uid extends ContentTypeUid> = Omit<QueryOf<Uid>, 'pagination' | 'sort'> & {
  /** The number of documents of a batch. Default: 100. */
  readonly size?: number;
};

/**
 * Calls `work` for all documents of a content-type, some at a time. A migration that was interrupted goes on
 * after the last batch that had ended, so `work` may see the documents of one batch twice.
 *
 * Reads drafts of the default locale unless `status` or `locale` say otherwise. `locale: '*'` reads all
 * locales, and keeps those of one document together.
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
 * Runs one statement. Values become parameters.
 *
 * @example
 *   const rows = await sql`SELECT document_id FROM authors WHERE name = ${name}`;
 */
export type SqlTag = (
  text: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * The argument of the default function of a migration's migrate.ts. The documents and the client are those of
 * the content-types as they were right after this migration.
 *
 * @example
 *   // prisma/migrations/20260131093000_split_names/migrate.ts
 *   export default async ({ sql }: MigrationContext): Promise<void> => {
 *     await sql`UPDATE authors SET last_name = name WHERE last_name IS NULL`;
 *   };
 */
export interface MigrationContext {
  /**
   * Reads and writes documents. The hooks of src/index.ts do not run, since they may be written for later
   * content-types.
   */
  readonly documents: GetRepository;
  readonly batches: Batches;
  /** The Prisma Client. */
  readonly prisma: ProjectPrismaClient;
  readonly sql: SqlTag;
  /** Prints a line for the person who migrates. */
  readonly log: (message: string) => void;
  /** Shows how far the code has come. `batches` does so by itself. */
  readonly progress: (completed: number, total: number) => void;
}

/** The default export of a migration's migrate.ts. */
export type MigrationCode = (context: MigrationContext) => void | Promise<void>;
