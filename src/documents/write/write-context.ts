import type { Transaction } from '../../database/database.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { VersionTimes, WriteAccess } from '../documents.js';
import type { VersionRow } from '../rows/version-statements.js';

/** A write of one locale of one document, inside its transaction and with the document locked. */
export interface WriteContext extends DocumentContext {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  /** The locale as it is stored: `NO_LOCALE` for types that are not localised. */
  readonly locale: string;
  readonly now: Date;
  /** True if the published version is written. Always true for types without drafts. */
  readonly publish: boolean;
  /** All versions of the document before this write. */
  readonly rows: readonly VersionRow[];
  /** The caller's rights. Undefined: the server itself writes and may do everything. */
  readonly access?: WriteAccess | undefined;
  /** Times that the written versions get in place of the present. */
  readonly times?: VersionTimes | undefined;
}

/** The part of a write's context that differs from the dependencies of all operations. */
export type WrittenLocale = Pick<WriteContext, Exclude<keyof WriteContext, keyof DocumentContext>>;

/** All members by their names: spreading as many takes fifty times as long, once for each document. */
export const openWriteContext = (context: DocumentContext, write: WrittenLocale): WriteContext => ({
  model: context.model,
  database: context.database,
  records: context.records,
  locales: context.locales,
  clock: context.clock,
  hooks: context.hooks,
  nested: context.nested,
  validatorOf: context.validatorOf,
  contentFieldsOf: context.contentFieldsOf,
  relationsOf: context.relationsOf,
  documentTableOf: context.documentTableOf,
  versionTableOf: context.versionTableOf,
  linkTableOf: context.linkTableOf,
  schedules: context.schedules,
  tx: write.tx,
  type: write.type,
  documentId: write.documentId,
  locale: write.locale,
  now: write.now,
  publish: write.publish,
  rows: write.rows,
  access: write.access,
  times: write.times,
});

/** The status that is edited: `draft` for types with drafts, otherwise `published`. */
export function primaryStatus(type: ContentType): VersionStatus {
  return type.draftAndPublish ? 'draft' : 'published';
}

export function findRow(
  { rows }: Pick<WriteContext, 'rows'>,
  locale: string,
  status: VersionStatus,
): VersionRow | undefined {
  return rows.find((row) => row.locale === locale && row.status === status);
}

/** The edited version before this write. Undefined if it is new. */
export function primaryRow(context: WriteContext): VersionRow | undefined {
  return findRow(context, context.locale, primaryStatus(context.type));
}

/** The published version before this write. Undefined for types without drafts. */
export function publishedRow(context: WriteContext): VersionRow | undefined {
  return context.type.draftAndPublish ? findRow(context, context.locale, 'published') : undefined;
}

/**
 * The version whose content the edited one starts from. A document can be published and have no draft, if its
 * type had no drafts when it was written. Then it is edited from the published version.
 */
export function baseRow(context: WriteContext): VersionRow | undefined {
  return primaryRow(context) ?? publishedRow(context);
}

/** The statuses that are written. */
export function writtenStatuses({
  type,
  publish,
}: Pick<WriteContext, 'type' | 'publish'>): readonly VersionStatus[] {
  if (!type.draftAndPublish) return ['published'];
  return publish ? ['draft', 'published'] : ['draft'];
}

/**
 * Another locale's version, from which a new locale takes the values that all locales share. Undefined if the
 * written locale exists already or the type is not localised.
 */
export function siblingRow(context: WriteContext): VersionRow | undefined {
  if (!context.type.localized || baseRow(context) !== undefined) return undefined;
  return context.rows.find(({ status }) => status === primaryStatus(context.type));
}

/** True if the draft had unpublished changes before this write, or was never published. */
export function hasPendingEdits(context: WriteContext): boolean {
  const draft = primaryRow(context);
  const published = publishedRow(context);
  if (draft === undefined || !context.type.draftAndPublish) return false;
  return published === undefined || draft.updatedAt > published.updatedAt;
}
