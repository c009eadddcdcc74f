import type { Transaction } from '../database/database.js';
import type { ContentType, VersionStatus } from '../model/model.js';
import type { DocumentContext } from './document-context.js';
import type { WriteAccess } from './documents.js';
import type { VersionRow } from './version-row.js';

/** One write of one locale of one document, inside its transaction and with the document locked. */
export interface WriteScope {
  readonly context: DocumentContext;
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  /** The locale as it is stored: NO_LOCALE for types that are not localised. */
  readonly locale: string;
  readonly now: Date;
  /** Whether the published version is written: always, where there are no drafts. */
  readonly publish: boolean;
  /** All versions of the document as they were before. */
  readonly rows: readonly VersionRow[];
  /** Whom the write is for; unset: the server itself. */
  readonly access?: WriteAccess | undefined;
}

/** The status that is edited: the draft's, where there are drafts. */
export function primaryStatus(type: ContentType): VersionStatus {
  return type.draftAndPublish ? 'draft' : 'published';
}

export function findRow(scope: Pick<WriteScope, 'rows'>, locale: string, status: VersionStatus): VersionRow | undefined {
  return scope.rows.find((row) => row.locale === locale && row.status === status);
}

/** The version that is edited, as it was before; undefined: it is new. */
export function primaryRow(scope: WriteScope): VersionRow | undefined {
  return findRow(scope, scope.locale, primaryStatus(scope.type));
}

/** The published version beside the draft, as it was before. Undefined without drafts. */
export function publishedRow(scope: WriteScope): VersionRow | undefined {
  return scope.type.draftAndPublish ? findRow(scope, scope.locale, 'published') : undefined;
}

/**
 * The version whose content the edited one starts from. A document without a draft, as there are when a type has only just got drafts, is edited
 * from what is published.
 */
export function baseRow(scope: WriteScope): VersionRow | undefined {
  return primaryRow(scope) ?? publishedRow(scope);
}

/** The statuses that are written. */
export function writtenStatuses({ type, publish }: Pick<WriteScope, 'type' | 'publish'>): readonly VersionStatus[] {
  if (!type.draftAndPublish) return ['published'];
  return publish ? ['draft', 'published'] : ['draft'];
}

/**
 * Another locale's version that a new one takes over what is shared by all locales from. Undefined where the version is not new,
 * or nothing is shared.
 */
export function siblingRow(scope: WriteScope): VersionRow | undefined {
  if (!scope.type.localized || baseRow(scope) !== undefined) return undefined;
  return scope.rows.find(({ status }) => status === primaryStatus(scope.type));
}

/** Whether the draft, as it was before, had been edited since it was published, or was never published. */
export function hasPendingEdits(scope: WriteScope): boolean {
  const draft = primaryRow(scope);
  const published = publishedRow(scope);
  if (draft === undefined || !scope.type.draftAndPublish) return false;
  return published === undefined || draft.updatedAt > published.updatedAt;
}
