import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import { accessAtStatus, draftLimits, hidesDrafts } from '../../query/draft-access.js';
import { restrict } from '../../query/parse/narrow-to-document.js';
import type { FilterNode, ReadQuery, Selection } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, WriteAccess } from '../documents.js';

const narrowToDocuments = (query: ReadQuery, documentIds: readonly string[]): ReadQuery =>
  restrict(query, { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds });

const documentIdOf = (record: unknown): string => String(isRecord(record) ? record['documentId'] : '');

interface WrittenVersion {
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
  readonly selection: Selection;
  /** The caller's rights. Undefined: the server itself wrote. */
  readonly access?: WriteAccess | undefined;
}

/**
 * Returns the condition under which a document is shown after a write. A caller with the `find` right sees
 * only documents that the right covers.
 */
const findFilter = (type: ContentType, access: ReadAccess | undefined): FilterNode | null =>
  access?.canFind(type.uid) === true ? (access.scopeOf?.(type.uid, 'find')?.filter ?? null) : null;

const IDS_ONLY: Selection = { fields: [], populate: [] };

/** The read of written versions under the condition that the caller sees them. */
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
 * Null if another write has deleted it since.
 */
export async function loadWrittenVersion(
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
