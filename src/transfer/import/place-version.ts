import { NO_LOCALE } from '../../model/model.js';
import type { ContentType } from '../../model/model.js';
import type { EntityRecord } from '../source.js';
import type { IndexedRow, RowIndex } from './row-index.js';
import type { Tally } from './tally.js';

/** True if the project keeps less of a document than Strapi does. */
const reasonOf = (type: ContentType, isDraft: boolean): string => {
  if (type.draftAndPublish) return 'Strapi has the same version twice; the first one is imported';
  return isDraft
    ? 'the content-type has no drafts here; the published version is imported'
    : 'Strapi has the same version twice; the first one is imported';
};

export interface PlaceOptions {
  readonly defaultLocale: string;
  readonly tally: Tally;
}

/** Adds the version that a record stands for. */
export function placeVersion(
  index: RowIndex,
  type: ContentType,
  { id, data }: EntityRecord,
  { defaultLocale, tally }: PlaceOptions,
): void {
  const documentId = data['documentId'];
  if (typeof documentId !== 'string' || documentId === '') {
    tally.add({ what: type.uid, reason: 'the row has no documentId', isLoss: true });
    return;
  }
  const sentLocale = typeof data['locale'] === 'string' && data['locale'] !== '' ? data['locale'] : null;
  if (!type.localized && sentLocale !== null && sentLocale !== defaultLocale) {
    const reason = `the content-type has no locales here; the version in ${defaultLocale} is imported`;
    tally.add({ what: type.uid, reason, isLoss: true });
    index.leaveOut(id, { documentId, locale: NO_LOCALE, status: 'published', isDraft: false });
    return;
  }
  const locale = type.localized ? (sentLocale ?? defaultLocale) : NO_LOCALE;
  const isDraft = (data['publishedAt'] ?? null) === null;
  const status = type.draftAndPublish && isDraft ? 'draft' : 'published';
  const row: IndexedRow = { documentId, locale, status, isDraft };
  if (index.add(id, row)) return;
  const former = index.get(index.idOf(row) ?? 0);
  const takesPlace = !type.draftAndPublish && !isDraft && former?.isDraft === true;
  if (takesPlace) index.replace(id, row);
  else index.leaveOut(id, row);
  tally.add({ what: type.uid, reason: reasonOf(type, isDraft || takesPlace), isLoss: !type.draftAndPublish });
}
