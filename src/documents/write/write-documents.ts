import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { accessAtStatus, draftLimits, hidesDrafts } from '../../query/read-access.js';
import { restrict } from '../../query/parse/server-queries.js';
import type { FilterNode, ReadQuery, Selection } from '../../query/query.js';
import { IDS_ONLY } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import { transactWrite } from '../document-context.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem, RecordText, WriteAccess } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { copyInverse } from '../links/copy-inverse.js';
import { applyLinkChanges } from '../links/link-changes.js';
import { planLists } from '../links/plan-links.js';
import { checkWrites, loadRelated } from './load-related.js';
import { lockDocuments, lockExisting } from './lock-documents.js';
import { parseWrites } from './parse-writes.js';
import {
  assertMayRemove,
  assertPermitted,
  isWritable,
  prepareWrite,
  versionsAfter,
  versionsBefore,
} from './prepare-write.js';
import { assertUnchanged } from './precondition.js';
import { removeVersions } from './remove-versions.js';
import { assertMayLink } from './write-limits.js';
import { NO_INPUT, inTurns } from './write-context.js';
import type { LockedWrite, PreparedWrite } from './write-context.js';
import { writeVersions } from './write-versions.js';

/*
 * The write operations of the document service. Start with `writeDocuments`: prepare-write checks access,
 * lock-documents locks rows, parse-writes validates, load-related loads and checks links, write-versions
 * writes rows. run-bulk runs many writes in batches.
 */

const narrowToDocuments = (query: ReadQuery, documentIds: readonly string[]): ReadQuery =>
  restrict(query, { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds });

const documentIdOf = (record: unknown): string => String(isRecord(record) ? record['documentId'] : '');

interface WrittenVersion {
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
  readonly selection: Selection;
  /** The caller's access; undefined if the server wrote. */
  readonly access?: WriteAccess | undefined;
}

/**
 * Returns the condition for showing a document after a write. A caller with permission to find sees only
 * documents that the permission covers.
 */
const findFilter = (type: ContentType, access: ReadAccess | undefined): FilterNode | null =>
  access?.canFind(type.uid) === true ? (access.scopeOf?.(type.uid, 'find')?.filter ?? null) : null;

/** Returns the query for written versions that the caller may see. */
const versionQuery = (
  { locales }: DocumentContext,
  type: ContentType,
  { locale, status, selection, access: rights }: Omit<WrittenVersion, 'documentId'>,
): ReadQuery => {
  const access = rights === undefined ? undefined : accessAtStatus(rights, status);
  const isHiddenDraft = access !== undefined && status === 'draft' && hidesDrafts(access, type);
  return {
    type: type.uid,
    filter: findFilter(type, access),
    sort: [],
    selection: isHiddenDraft ? IDS_ONLY : selection,
    page: null,
    locale: locale ?? locales.defaultCode(),
    status,
    hasPublishedVersion: null,
    ...(isHiddenDraft || access === undefined ? {} : draftLimits(access)),
  };
};

/**
 * Returns the written version with the selected attributes, or only its ids if the caller may not read it.
 * Null if another write has deleted the version since.
 */
async function loadWrittenVersion(
  context: DocumentContext,
  type: ContentType,
  { documentId, ...version }: WrittenVersion,
): Promise<RecordText | null> {
  const { records } = context;
  const query = versionQuery(context, type, version);
  const visible = await records.one(query, documentId);
  if (visible !== null || query.filter === null) return visible;
  return records.one({ ...query, filter: null, selection: IDS_ONLY }, documentId);
}

/** Like {@link loadWrittenVersion} for several documents. Returns the records by document id. */
export async function loadWrittenVersions(
  context: DocumentContext,
  type: ContentType,
  {
    documentIds,
    ...version
  }: Omit<WrittenVersion, 'documentId'> & { readonly documentIds: readonly string[] },
): Promise<ReadonlyMap<string, RecordText>> {
  const { records } = context;
  const query = versionQuery(context, type, version);
  const found = new Map<string, RecordText>();
  const load = async (select: ReadQuery, ids: readonly string[]): Promise<void> => {
    for (const record of await records.many(narrowToDocuments(select, ids)))
      found.set(documentIdOf(JSON.parse(record)), record);
  };
  await load(query, documentIds);
  const hidden = query.filter === null ? [] : documentIds.filter((documentId) => !found.has(documentId));
  if (hidden.length > 0) await load({ ...query, filter: null, selection: IDS_ONLY }, hidden);
  return found;
}

/** A write that returns a version. */
export type ReturningItem = Exclude<BulkItem, { readonly action: 'delete' }>;

const eventOf = ({ write, document: { documentId } }: LockedWrite): DocumentEvent => ({
  action: write.action,
  type: write.type.uid,
  documentId,
  locale: write.type.localized ? write.locale : null,
  status: write.status,
  data: write.data,
});

/** Loads documents again after a listener has written documents. */
const reload = async (
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<readonly LockedWrite[]> => {
  const { type } = defined(writes[0], 'A write').write;
  const documentIds = writes.map(({ document }) => document.documentId);
  const found = await lockExisting(context, tx, type, documentIds);
  return writes.map(({ write, document: { documentId } }) => {
    const document = found.get(documentId);
    if (document === undefined) throw createError('request/not-found');
    return { write, document };
  });
};

/** Writes one locale of documents of one type: validates, loads, checks, and writes rows and then links. */
const writeContent = async (
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<void> => {
  const parsed = await parseWrites(context, tx, writes);
  const loaded = await loadRelated(parsed);
  const checked = await checkWrites(loaded);
  const versionIds = await writeVersions(checked);
  const linkChanges = await inTurns([...checked.entries()], ([index, { plan, columns }]) =>
    planLists(plan, columns, defined(versionIds[index], 'The versions of a document')),
  );
  for (const [index, { context: written }] of checked.entries())
    await assertMayLink(written, linkChanges[index] ?? []);
  await applyLinkChanges(defined(checked[0], 'A write').context, linkChanges.flat());
  await copyInverse(checked, writes[0]?.write.action === 'discardDraft' ? 'published' : 'draft');
};

/** Saves a document, and publishes it once the listener of the saved draft has run. */
const saveAndPublish = async (
  context: DocumentContext,
  tx: Transaction,
  { write, document }: LockedWrite,
  onSaved: NonNullable<PreparedWrite['onSaved']>,
): Promise<void> => {
  const saved: PreparedWrite = { ...write, status: 'draft', strictness: 'full' };
  await writeContent(context, tx, [{ write: saved, document }]);
  await onSaved(document.documentId);
  await writeContent(
    context,
    tx,
    await reload(context, tx, [{ write: { ...write, input: NO_INPUT }, document }]),
  );
};

const writeRows = async (
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<void> => {
  const [first, ...others] = writes;
  if (first === undefined) return;
  const { type, status, removed, onSaved } = first.write;
  if (removed !== null) await removeVersions(context, tx, writes);
  else if (onSaved !== undefined && others.length === 0 && type.draftAndPublish && status === 'published')
    await saveAndPublish(context, tx, first, onSaved);
  else await writeContent(context, tx, writes);
};

/**
 * Writes documents of one type by one action, in one locale and status. The result is that of the same writes
 * one after another. No listener runs for a caller without permission for the document. After listeners run
 * once the transaction is committed.
 *
 * @returns the documents' ids; null for a document that does not exist or is hidden from the caller
 * @throws `request/forbidden`, the errors of a precondition and of invalid data, and BatchConflict, after
 *   which everything written must be rolled back
 */
export async function writeDocuments(
  context: DocumentContext,
  tx: Transaction,
  prepared: readonly PreparedWrite[],
): Promise<readonly (string | null)[]> {
  const documents = await lockDocuments(context, tx, prepared);
  const writes: LockedWrite[] = [];
  for (const [index, write] of prepared.entries()) {
    const document = documents[index] ?? null;
    const before = document === null ? null : versionsBefore(write, document);
    const isHidden = before !== null && !(await isWritable(context, write.permission, tx, before));
    await assertUnchanged(context, tx, write, isHidden ? null : document);
    if (document === null || isHidden) continue;
    assertMayRemove(write, document);
    writes.push({ write, document });
  }
  if (writes.length === 0) return documents.map(() => null);
  const events = writes.map(eventOf);
  const hasWritten = await context.hooks.emitBefore(events, tx);
  await writeRows(context, tx, hasWritten ? await reload(context, tx, writes) : writes);
  for (const { write, document } of writes) {
    const after = versionsAfter(write, document);
    if (after !== null) await assertPermitted(context, write.permission, tx, after);
  }
  tx.afterCommit(() => context.hooks.emitAfter(events));
  const written = new Set(writes.map(({ document }) => document));
  return documents.map((document) =>
    document !== null && written.has(document) ? document.documentId : null,
  );
}

/**
 * Runs one prepared write in a transaction. Returns the document's id; null if it does not exist or is hidden
 * from the caller.
 */
export async function runPrepared(context: DocumentContext, write: PreparedWrite): Promise<string | null> {
  const [documentId = null] = await transactWrite(context, (tx) => writeDocuments(context, tx, [write]));
  return documentId;
}

/** Checks one write and runs it in a transaction. Returns like {@link runPrepared}. */
export async function runWrite(context: DocumentContext, item: BulkItem): Promise<string | null> {
  return runPrepared(context, await prepareWrite(context, item));
}

/** Returns the status of the version that a write returns. */
export function returnedStatus(item: ReturningItem): VersionStatus {
  if (item.action === 'create' || item.action === 'update') return item.params.status ?? 'published';
  return item.action === 'publish' ? 'published' : 'draft';
}

/**
 * Runs one write in a transaction and reads the written version. Returns null if the document does not exist,
 * is hidden from the caller, or was deleted by another write since.
 */
export async function writeAndRead(
  context: DocumentContext,
  item: ReturningItem,
): Promise<{ readonly documentId: string; readonly record: RecordText } | null> {
  const { type, locale, selection, access } = item.params;
  const documentId = await runWrite(context, item);
  if (documentId === null) return null;
  const record = await loadWrittenVersion(context, typeOf(context.model, type), {
    documentId,
    locale,
    status: returnedStatus(item),
    selection,
    access,
  });
  return record === null ? null : { documentId, record };
}
