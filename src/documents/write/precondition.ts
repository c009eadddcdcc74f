import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { readDatetime } from '../../model/fields/date-value.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import type { ReadQuery } from '../../query/query.js';
import { accessAtStatus, draftLimits, FULL_ACCESS, hidesDrafts } from '../../query/read-access.js';
import type { DocumentContext } from '../document-context.js';
import type { Precondition, PresentVersion, RecordText } from '../documents.js';
import type { VersionRow } from './version-statements.js';
import { hasPendingEdits } from './write-context.js';
import type { LockedDocument, PreparedWrite } from './write-context.js';

/**
 * Parses the `updatedAt` with which a client has read a document.
 *
 * @throws `request/invalid-parameter`
 */
export function parseRevision(raw: unknown): Precondition | undefined {
  if (raw === undefined || raw === null) return undefined;
  const updatedAt = raw instanceof Date ? raw : typeof raw === 'string' ? readDatetime(raw) : null;
  if (updatedAt !== null && !Number.isNaN(updatedAt.getTime())) return { kind: 'revision', updatedAt };
  throw createError('request/invalid-parameter', {
    parameter: 'ifMatch',
    reason: 'it must be the updatedAt of the document that you have read.',
  });
}

interface Checked {
  readonly tx: Transaction;
  readonly write: PreparedWrite;
  readonly document: LockedDocument;
}

/** The versions of the written locales. */
const writtenRows = ({ write: { locale }, document: { rows } }: Checked): readonly VersionRow[] =>
  locale === null ? rows : rows.filter((row) => row.locale === locale);

/** Returns the latest `updatedAt` of versions. */
const revisionOf = (rows: readonly VersionRow[]): number =>
  Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()));

/** True if a written locale has a draft with unpublished changes. */
const hasUnpublishedChanges = (type: ContentType, rows: readonly VersionRow[]): boolean =>
  rows.some(({ locale }) => hasPendingEdits({ type, rows, locale }));

/** A version as the caller reads it. */
interface Representation {
  readonly status: VersionStatus;
  readonly record: RecordText;
}

/** Reads the document in the transaction, inside of the project's middlewares, like the client's read. */
const readIn = async (
  context: DocumentContext,
  { tx, document: { documentId: id } }: Checked,
  query: ReadQuery,
): Promise<RecordText | null> => {
  const { hooks, database, records } = context;
  const read = (): Promise<RecordText | null> =>
    hooks.run('findOne', query.type, { query, documentId: id }, async (final) =>
      final.documentId === null ? null : records.oneIn(tx, final.query, final.documentId),
    );
  return hooks.hasMiddleware(query.type) ? tx.runProjectCode(() => database.join(tx, read)) : read();
};

/** Returns the versions that the queries match, the draft first. */
const readVersions = async (
  context: DocumentContext,
  checked: Checked,
  queryOf: (status: VersionStatus) => ReadQuery | null,
): Promise<readonly Representation[]> => {
  const found: Representation[] = [];
  const statuses = checked.write.type.draftAndPublish
    ? (['draft', 'published'] as const)
    : ['published' as const];
  for (const status of statuses) {
    const query = queryOf(status);
    const record = query === null ? null : await readIn(context, checked, query);
    if (record !== null) found.push({ status, record });
  }
  return found;
};

/** Returns the query for showing the present version. Null: the caller may not read that status. */
const presentQuery = (
  { locales }: DocumentContext,
  {
    type,
    locale,
    status: written,
    selection = IDS_ONLY,
    permission: { access = FULL_ACCESS },
  }: PreparedWrite,
  status: VersionStatus,
): ReadQuery | null => {
  // The selection of a write that publishes may name attributes that the caller may not read in drafts.
  const isLimited = written === 'published' && (access.limitedDrafts ?? []).length > 0;
  const isHidden = status === 'draft' && (isLimited || hidesDrafts(access, type));
  if (isHidden || !access.canFind(type.uid)) return null;
  const rights = accessAtStatus(access, status);
  return {
    type: type.uid,
    filter: rights.scopeOf?.(type.uid, 'find')?.filter ?? null,
    sort: [],
    selection,
    page: null,
    locale: type.localized ? (locale ?? '*') : locales.defaultCode(),
    status,
    hasPublishedVersion: null,
    ...draftLimits(rights),
  };
};

const createChangedError = (
  code: ErrorCode & `request/${'changed' | 'unseen-draft'}`,
  type: ContentType,
  details: { readonly documentId: string | null; readonly present: PresentVersion | null },
) => createError(code, { type: type.singularName }, { details: { ...details } });

/** Returns the first of the versions in the form of the error's details. Null: the caller may read none. */
const describePresent = (checked: Checked, [version]: readonly Representation[]): PresentVersion | null => {
  if (version === undefined) return null;
  const { status, record } = version;
  const { ifMatch } = checked.write;
  const rows = writtenRows(checked).filter((row) => row.status === status);
  return {
    status,
    updatedAt: new Date(revisionOf(rows)).toISOString(),
    ...(ifMatch?.kind === 'representation' ? { etag: ifMatch.etagOf(record) } : {}),
    data: JSON.parse(record) as unknown,
  };
};

/** The statuses of versions that the client has read, and the present versions. */
interface Comparison {
  readonly known: readonly VersionStatus[];
  readonly loadPresent: () => Promise<readonly Representation[]>;
}

const compare = async (
  context: DocumentContext,
  checked: Checked,
  precondition: Exclude<Precondition, { readonly kind: 'absent' }>,
): Promise<Comparison> => {
  const { write } = checked;
  if (precondition.kind === 'representation') {
    const { queryOf, etagOf, etags } = precondition;
    const present = await readVersions(context, checked, queryOf);
    const known = present.filter(({ record }) => etags.includes(etagOf(record)));
    return { known: known.map(({ status }) => status), loadPresent: async () => present };
  }
  const rows = writtenRows(checked);
  const known = (['draft', 'published'] as const).filter((status) => {
    const ofStatus = rows.filter((row) => row.status === status);
    const isKnown =
      precondition.kind === 'exists' || revisionOf(ofStatus) === precondition.updatedAt.getTime();
    return ofStatus.length > 0 && isKnown;
  });
  const loadPresent = () => readVersions(context, checked, (status) => presentQuery(context, write, status));
  return { known, loadPresent };
};

/**
 * Asserts the precondition of a write in the transaction that has locked the document.
 *
 * @param document null if it does not exist or is hidden from the caller
 * @throws `request/changed`; `request/unseen-draft` if the client has read the published version, but the
 *   draft has unpublished changes; `request/version-exists`
 */
export async function assertUnchanged(
  context: DocumentContext,
  tx: Transaction,
  write: PreparedWrite,
  document: LockedDocument | null,
): Promise<void> {
  const { ifMatch, type, documentId = null } = write;
  if (ifMatch === undefined) return;
  if (ifMatch.kind === 'absent') {
    if (document === null || writtenRows({ tx, write, document }).length === 0) return;
    throw createError('request/version-exists', { type: type.singularName, locale: write.locale ?? '' });
  }
  if (document === null) throw createChangedError('request/changed', type, { documentId, present: null });
  const checked = { tx, write, document };
  const { known, loadPresent } = await compare(context, checked, ifMatch);
  const isSeen = ifMatch.kind === 'exists' || !hasUnpublishedChanges(type, writtenRows(checked));
  if (known.some((status) => status === 'draft' || isSeen)) return;
  throw createChangedError(known.length > 0 ? 'request/unseen-draft' : 'request/changed', type, {
    documentId: document.documentId,
    present: describePresent(checked, await loadPresent()),
  });
}
