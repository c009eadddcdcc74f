import type { ContentType } from '../model/model.js';
import type { FilterNode, ReadQuery, Selection } from '../query/query.js';
import type { DocumentContext } from './document-context.js';
import type { RecordText, WriteAccess } from './documents.js';

/** Returns the query restricted to one document. */
export function narrowToDocument<Query extends Pick<ReadQuery, 'filter'>>(
  query: Query,
  documentId: string,
): Query & { readonly filter: FilterNode } {
  const byDocumentId: FilterNode = {
    kind: 'compare',
    field: 'documentId',
    operator: '$eq',
    operand: documentId,
  };
  return {
    ...query,
    filter: query.filter === null ? byDocumentId : { kind: 'and', items: [byDocumentId, query.filter] },
  };
}

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
const findFilter = (type: ContentType, access: WriteAccess | undefined): FilterNode | null =>
  access?.canFind(type.uid) === true ? (access.scopeOf?.(type.uid, 'find')?.filter ?? null) : null;

/**
 * Returns the written version with the selected attributes, or only its ids if the caller may not find it.
 * Null if another write has deleted it since.
 */
export async function loadWrittenVersion(
  { records, locales }: DocumentContext,
  type: ContentType,
  { documentId, locale, status, selection, access }: WrittenVersion,
): Promise<RecordText | null> {
  const filter = findFilter(type, access);
  const query: ReadQuery = {
    type: type.uid,
    filter,
    sort: [],
    selection,
    page: null,
    locale: locale ?? locales.defaultCode(),
    status,
    hasPublishedVersion: null,
  };
  const [visible] = await records.many(narrowToDocument(query, documentId));
  if (visible !== undefined || filter === null) return visible ?? null;
  const [record] = await records.many(
    narrowToDocument({ ...query, filter: null, selection: { fields: [], populate: [] } }, documentId),
  );
  return record ?? null;
}
