import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../../database/database.js';
import { chunksOf, groupBy, memoize } from '../../lib/collections.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import { compileContents } from '../../query/compile/read-compiler.js';
import type { ReleaseItem, ReleaseTarget } from './release-store.js';

/** A version of a document. */
interface StoredVersion {
  /** The values that can be written again, as JSON. */
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

type ContentDatabase = Pick<Database, 'dialect' | 'transact'>;

/** Documents of a statement. More would block the event loop for longer. */
const CHUNK_SIZE = 100;

/** Returns a key that is equal for the same locale of the same document. */
export const targetKeyOf = ({ type, documentId, locale }: ReleaseTarget): string =>
  [type, locale, documentId].join('\n');

type Select = Parameters<typeof compileContents>[3];

interface ContentSource {
  readonly database: ContentDatabase;
  readonly model: ContentModel;
}

/** Yields the rows of the versions that exist, each with its target, in chunks. */
async function* readRows<T extends ReleaseTarget>(
  { database, model }: ContentSource,
  targets: readonly T[],
  { status, select }: { readonly status: VersionStatus; readonly select: Select },
): AsyncGenerator<readonly (readonly [target: T, row: Row])[]> {
  const bindOf = memoize((type: Uid) =>
    compileContents(model, { type, status }, database.dialect.expressions, select),
  );
  for (const group of groupBy(targets, ({ type, locale }) => `${type}\n${locale}`).values())
    for (const chunk of chunksOf(group, CHUNK_SIZE)) {
      const [first] = chunk;
      if (first === undefined) continue;
      const byId = new Map(chunk.map((target) => [target.documentId, target]));
      const versions = { documentIds: [...byId.keys()], locale: first.locale };
      const { sql: text, parameters } = bindOf(first.type)({ ...versions, now: new Date(0), author: null });
      const rows = await database.transact((tx) => tx.query(text, parameters));
      yield rows.flatMap((row) => {
        const target = byId.get(String(row['document_id']));
        return target === undefined ? [] : [[target, row] as const];
      });
    }
}

/** Returns the versions of one status by the keys of their targets. */
export async function readVersions(
  source: ContentSource,
  targets: readonly ReleaseTarget[],
  status: VersionStatus,
): Promise<ReadonlyMap<string, StoredVersion>> {
  const found = new Map<string, StoredVersion>();
  const select: Select = ({ documentId, updatedAt, content, rows }) =>
    sql`select ${documentId} as document_id, ${updatedAt} as updated_at, ${content} as content ${rows}`;
  for await (const chunk of readRows(source, targets, { status, select }))
    for (const [target, row] of chunk)
      found.set(targetKeyOf(target), {
        content: String(row['content']),
        updatedAt: Number(row['updated_at']),
      });
  return found;
}

/**
 * Stores a value with each item. Versions are read first, and items found by their ids: the planner has no
 * statistics of rows that were added lately, and joined both tables row by row.
 */
const storeValues = async (
  { dialect: { expressions } }: ContentDatabase,
  tx: Transaction,
  [column, kind]: readonly ['content', 'text'] | readonly ['written_at', 'bigint'],
  values: readonly (readonly [item: ReleaseItem, value: string | bigint])[],
): Promise<void> => {
  if (values.length === 0) return;
  const rows = values.map(
    ([{ id }, value]) =>
      sql`(${expressions.parameter('integer', id)}, ${expressions.parameter(kind, value)})`,
  );
  const statement = sql`update cms_release_items set ${sql.id(column)} = found.column2
    from (values ${sql.join(rows)}) as found
    where cms_release_items.id = found.column1`.compile(expressions.kysely);
  await tx.execute(statement.sql, statement.parameters);
};

/** Stores the published versions of all documents of a release with its items. */
export async function keepReplaced(
  source: ContentSource,
  tx: Transaction,
  releaseId: number,
  items: readonly ReleaseItem[],
): Promise<void> {
  const { database } = source;
  await tx.execute(
    `UPDATE "cms_release_items" SET "content" = NULL, "written_at" = NULL
    WHERE "release_id" = ${database.dialect.expressions.placeholder(1)}`,
    [releaseId],
  );
  const select: Select = ({ documentId, content, rows }) =>
    sql`select ${documentId} as document_id, ${content} as content ${rows}`;
  for await (const chunk of readRows(source, items, { status: 'published', select })) {
    const values = chunk.map(([item, row]) => [item, String(row['content'])] as const);
    await storeValues(database, tx, ['content', 'text'], values);
  }
}

/** Stores with the items of a release when the published versions that it left were written. */
export async function keepWritten(
  source: ContentSource,
  tx: Transaction,
  items: readonly ReleaseItem[],
): Promise<void> {
  const select: Select = ({ documentId, updatedAt, rows }) =>
    sql`select ${documentId} as document_id, ${updatedAt} as updated_at ${rows}`;
  for await (const chunk of readRows(source, items, { status: 'published', select })) {
    const values = chunk.map(([item, row]) => [item, BigInt(row['updated_at'] as number)] as const);
    await storeValues(source.database, tx, ['written_at', 'bigint'], values);
  }
}
