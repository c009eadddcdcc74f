import { isPublished, remainingLocale } from '../../plan/version-sql.js';
import type { TypePair } from './scalar-change.js';

/** Conditions on the versions `v` that are still there after the migration. */
export function remainingVersions(
  { before, after }: TypePair,
  table = before.storage.version.table,
): readonly string[] {
  return [
    ...(before.draftAndPublish && !after.draftAndPublish
      ? [`("status" <> 'draft' OR NOT ${isPublished(table, 'v."document_id"', 'v."locale"')})`]
      : []),
    ...(before.localized && !after.localized
      ? [`"locale" = ${remainingLocale(table, 'v."document_id"')}`]
      : []),
  ];
}

/** The columns that distinguish versions after the migration which may hold the same unique value. */
export function distinguishedBy({ before, after }: TypePair): readonly ('locale' | 'status')[] {
  return [
    ...(before.localized && !after.localized ? [] : (['locale'] as const)),
    ...(before.draftAndPublish && !after.draftAndPublish ? [] : (['status'] as const)),
  ];
}
