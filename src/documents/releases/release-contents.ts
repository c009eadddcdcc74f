import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { chunksOf, groupBy } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
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

/** Groups targets by type and locale, in chunks that one statement processes. */
function* chunksOfType<T extends ReleaseTarget>(
  targets: readonly T[],
): Generator<{ readonly type: Uid; readonly locale: string; readonly documentIds: readonly string[] }> {
  for (const [first, ...others] of groupBy(targets, ({ type, locale }) => `${type}\n${locale}`).values())
    if (first !== undefined)
      for (const chunk of chunksOf([first, ...others], CHUNK_SIZE))
        yield {
          type: first.type,
          locale: first.locale,
          documentIds: chunk.map(({ documentId }) => documentId),
        };
}

/** Returns the versions of one status by the keys of their targets. */
export async function readVersions(
  { database, model }: { readonly database: ContentDatabase; readonly model: ContentModel },
  targets: readonly ReleaseTarget[],
  status: VersionStatus,
): Promise<ReadonlyMap<string, StoredVersion>> {
  const { expressions } = database.dialect;
  const found = new Map<string, StoredVersion>();
  for (const { type, locale, documentIds } of chunksOfType(targets)) {
    const bind = compileContents(
      model,
      { type, status },
      expressions,
      ({ documentId, updatedAt, content, rows }) =>
        sql`select ${documentId} as document_id, ${updatedAt} as updated_at, ${content} as content ${rows}`,
    );
    const { sql: text, parameters } = bind({ documentIds, locale, now: new Date(0), author: null });
    const rows = await database.transact((tx) => tx.query(text, parameters));
    for (const row of rows)
      found.set(targetKeyOf({ type, locale, documentId: String(row['document_id']) }), {
        content: String(row['content']),
        updatedAt: Number(row['updated_at']),
      });
  }
  return found;
}

/** Stores the published versions of all documents of a release with its items. */
export async function keepReplaced(
  { database, model }: { readonly database: ContentDatabase; readonly model: ContentModel },
  tx: Transaction,
  releaseId: number,
  items: readonly ReleaseItem[],
): Promise<void> {
  const { expressions } = database.dialect;
  const at = expressions.placeholder(1);
  await tx.execute(
    `UPDATE "cms_release_items" SET "content" = NULL, "written_at" = NULL
    WHERE "release_id" = ${at}`,
    [releaseId],
  );
  for (const { type, locale, documentIds } of chunksOfType(items)) {
    const bind = compileContents(model, { type, status: 'published' }, expressions, (read) => {
      const found = sql`select ${read.documentId} as document_id, ${read.content} as content ${read.rows}`;
      return sql`update cms_release_items set content = found.content from (${found}) as found
        where cms_release_items.release_id = ${sql.lit(releaseId)}
        and cms_release_items.type = ${sql.lit(type)} and cms_release_items.locale = ${sql.lit(locale)}
        and cms_release_items.document_id = found.document_id`;
    });
    const { sql: text, parameters } = bind({ documentIds, locale, now: new Date(0), author: null });
    await tx.execute(text, parameters);
  }
}

/** Stores with the items of a release when the published versions that it left were written. */
export async function keepWritten(
  { database, model }: { readonly database: ContentDatabase; readonly model: ContentModel },
  tx: Transaction,
  releaseId: number,
  items: readonly ReleaseItem[],
): Promise<void> {
  const { json, kysely } = database.dialect.expressions;
  for (const type of new Set(items.map((item) => item.type))) {
    const { table } = typeOf(model, type).storage.version;
    const time = json.milliseconds(sql.ref('v.updated_at'), 'datetime');
    const statement = sql`update cms_release_items set written_at = (
        select cast(${time} as bigint) from ${sql.id(table)} v
        where v.document_id = cms_release_items.document_id and v.locale = cms_release_items.locale
        and v.status = 'published')
      where release_id = ${sql.lit(releaseId)} and type = ${sql.lit(type)}`.compile(kysely);
    await tx.execute(statement.sql, statement.parameters);
  }
}
