import type { Transaction } from '../database/database.js';
import type { ContentType } from '../model/model.js';
import type { DocumentContext } from './document-context.js';
import type { VersionChoice } from './rows/version-statements.js';

/** Whether a document has such a version. */
export async function hasVersion({ versionsOf }: DocumentContext, tx: Transaction, type: ContentType, versions: VersionChoice): Promise<boolean> {
  const { sql, parameters } = versionsOf(type).find(versions);
  return (await tx.query(sql, parameters)).length > 0;
}

/** Deletes a document's versions of one locale, or of one locale and status; their links go with them. */
export async function deleteVersions({ versionsOf }: DocumentContext, tx: Transaction, type: ContentType, versions: VersionChoice): Promise<void> {
  const { sql, parameters } = versionsOf(type).deleteAll(versions);
  await tx.execute(sql, parameters);
}
