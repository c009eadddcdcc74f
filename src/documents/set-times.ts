import type { Transaction } from '../database/database.js';
import type { ContentType, VersionStatus } from '../model/model.js';
import type { DocumentContext } from './document-context.js';
import type { VersionTimes } from './documents.js';
import type { FieldValues } from './rows/table-statements.js';

interface TimedVersions {
  readonly documentId: string;
  /** As it is stored. */
  readonly locale: string;
  readonly statuses: readonly VersionStatus[];
}

const valuesOf = (times: VersionTimes, type: ContentType, status: VersionStatus): FieldValues =>
  Object.fromEntries(
    Object.entries(times).filter(
      ([name, time]) =>
        time !== undefined && (name !== 'publishedAt' || status === 'published' || !type.draftAndPublish),
    ),
  );

/** Sets times of versions that a write has made, in its transaction. */
export async function setTimes(
  { versionTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  { documentId, locale, statuses, times }: TimedVersions & { readonly times: VersionTimes },
): Promise<void> {
  const table = versionTableOf(type);
  for (const status of statuses) {
    const values = valuesOf(times, type, status);
    if (Object.keys(values).length === 0) continue;
    const found = table.find({ documentId, locale, status });
    const ids = (await tx.query(found.sql, found.parameters)).map(({ id }) => Number(id));
    const { sql, parameters } = table.update(ids, values);
    await tx.execute(sql, parameters);
  }
}
