import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { Selection } from '../../query/query.js';
import type { AccessScope } from '../../query/read-access.js';
import type { DocumentContext } from '../document-context.js';
import type { CreateParams, Precondition, VersionTimes, WriteAccess } from '../documents.js';
import type { WriteAction } from '../hooks.js';
import type { ParseContext, PreparedInput } from '../validation/input.js';
import type { VersionRow } from './version-statements.js';

/** The limits of the caller's permission for one write. */
export interface WritePermission {
  readonly type: ContentType;
  /** Null for no limits. */
  readonly accessScope: AccessScope | null;
  /** The caller's read access; undefined if the server writes. */
  readonly access: WriteAccess | undefined;
}

/** Versions of one document. Null stands for any locale or any status. */
export interface VersionPattern {
  readonly locale: string | null;
  readonly status: VersionStatus | null;
}

/** A write of one document, after all checks that need no transaction. */
export interface PreparedWrite {
  readonly action: WriteAction;
  readonly type: ContentType;
  /** Undefined for a new document. */
  readonly documentId: string | undefined;
  /** The stored form of the locale; null for all locales. */
  readonly locale: string | null;
  /** The written status. `published` writes the draft, too. Null if the write deletes. */
  readonly status: VersionStatus | null;
  /** The client's data, unchecked; null for actions without data. */
  readonly data: unknown;
  readonly input: PreparedInput;
  readonly permission: WritePermission;
  /** The version that must exist; null if none must. */
  readonly required: VersionPattern | null;
  /** The versions to delete; null if the write deletes none. */
  readonly removed: VersionPattern | null;
  /** True to create a missing document with this id. */
  readonly createsMissing?: boolean;
  readonly strictness?: ParseContext['strictness'];
  readonly times?: VersionTimes | undefined;
  readonly onSaved?: CreateParams['onSaved'];
  readonly ifMatch?: Precondition | undefined;
  /** The attributes in the error of a failed precondition. Absent: the ids. */
  readonly selection?: Selection | undefined;
}

/** The input of a write without data. */
export const NO_INPUT: PreparedInput = Object.freeze({ data: {}, hashed: new Map() });

/** True if the pattern covers the version. */
export function isCovered({ locale, status }: VersionPattern, row: VersionRow): boolean {
  return (locale === null || row.locale === locale) && (status === null || row.status === status);
}

/** A document whose row is locked until the transaction ends. */
export interface LockedDocument {
  readonly documentId: string;
  /** All its versions before the write, oldest first. Empty for a new document. */
  readonly rows: readonly VersionRow[];
}

/** A write of one document, and the document, which is locked until the transaction ends. */
export interface LockedWrite {
  readonly write: PreparedWrite;
  readonly document: LockedDocument;
}

/**
 * Thrown if a write of a batch changes rows that another one depends on, or may be invalid. The batch is then
 * rolled back, and its writes run one by one.
 */
export class BatchConflict extends Error {
  override readonly name = 'BatchConflict';
}

/** Number of documents of a batch after which the event loop runs other requests. */
const DOCUMENTS_PER_TURN = 50;

/** Runs work for one item after another, and yields to the event loop in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await work(item));
    if (results.length % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
  }
  return results;
}

/** A write of one locale of one document, inside its transaction and with the document locked. */
export interface WriteContext extends DocumentContext {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  /** The stored form of the locale: `NO_LOCALE` for types that are not localised. */
  readonly locale: string;
  readonly now: Date;
  /** True if the published version is written. Always true for types without drafts. */
  readonly publish: boolean;
  /** All versions of the document before this write. */
  readonly rows: readonly VersionRow[];
  /** The caller's access; undefined if the server writes without limits. */
  readonly access?: WriteAccess | undefined;
  /** The limits of the permission to write the type. Null: none. */
  readonly scope: AccessScope | null;
  /** Times of the written versions in place of the current time. */
  readonly times?: VersionTimes | undefined;
}

/** The part of a write's context that differs from the dependencies of all operations. */
export type WrittenLocale = Pick<WriteContext, Exclude<keyof WriteContext, keyof DocumentContext>>;

/** Creates the context of one write. Spreading the members would take fifty times as long per document. */
export const openWriteContext = (context: DocumentContext, write: WrittenLocale): WriteContext => ({
  model: context.model,
  database: context.database,
  records: context.records,
  log: context.log,
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
  trash: context.trash,
  tx: write.tx,
  type: write.type,
  documentId: write.documentId,
  locale: write.locale,
  now: write.now,
  publish: write.publish,
  rows: write.rows,
  access: write.access,
  scope: write.scope,
  times: write.times,
});

/** Returns the edited status: `draft` for types with drafts, otherwise `published`. */
export function primaryStatus(type: ContentType): VersionStatus {
  return type.draftAndPublish ? 'draft' : 'published';
}

/** Returns the version of a locale and status before this write. */
export function findRow(
  { rows }: Pick<WriteContext, 'rows'>,
  locale: string,
  status: VersionStatus,
): VersionRow | undefined {
  return rows.find((row) => row.locale === locale && row.status === status);
}

/** The versions of a document, and the locale of them that is written. */
type LocaleOfVersions = Pick<WriteContext, 'type' | 'locale' | 'rows'>;

/** Returns the edited version before this write; undefined if it is new. */
export function primaryRow(context: LocaleOfVersions): VersionRow | undefined {
  return findRow(context, context.locale, primaryStatus(context.type));
}

/** Returns the published version before this write; undefined for types without drafts. */
export function publishedRow(context: LocaleOfVersions): VersionRow | undefined {
  return context.type.draftAndPublish ? findRow(context, context.locale, 'published') : undefined;
}

/**
 * Returns the version whose content the edited one starts from. A published document has no draft if its type
 * had no drafts when it was written. The edited version then starts from the published one.
 */
export function baseRow(context: LocaleOfVersions): VersionRow | undefined {
  return primaryRow(context) ?? publishedRow(context);
}

/** Returns the written statuses. */
export function writtenStatuses({
  type,
  publish,
}: Pick<WriteContext, 'type' | 'publish'>): readonly VersionStatus[] {
  if (!type.draftAndPublish) return ['published'];
  return publish ? ['draft', 'published'] : ['draft'];
}

/**
 * Returns another locale's version, from which a new locale copies the shared values. Undefined if the
 * written locale already exists or the type is not localised.
 */
export function siblingRow(context: WriteContext): VersionRow | undefined {
  if (!context.type.localized || baseRow(context) !== undefined) return undefined;
  return context.rows.find(({ status }) => status === primaryStatus(context.type));
}

/** True if the draft had unpublished changes before this write, or was never published. */
export function hasPendingEdits(context: LocaleOfVersions): boolean {
  const draft = primaryRow(context);
  const published = publishedRow(context);
  if (draft === undefined || !context.type.draftAndPublish) return false;
  return published === undefined || draft.updatedAt > published.updatedAt;
}
