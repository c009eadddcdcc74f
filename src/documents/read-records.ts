import type { ContentType } from '../model/model.js';
import type { FilterNode, ReadQuery, Selection } from '../query/query.js';
import type { DocumentContext } from './document-context.js';
import type { RecordText, WriteAccess } from './documents.js';

/** The query narrowed to one document. */
export function ofDocument(query: ReadQuery, documentId: string): ReadQuery {
  const here: FilterNode = { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId };
  return { ...query, filter: query.filter === null ? here : { kind: 'and', items: [here, query.filter] } };
}

interface WrittenVersion {
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
  readonly selection: Selection;
  /** Without it the server itself wrote. */
  readonly access?: WriteAccess | undefined;
}

/** What a document must fulfil to be shown after a write: whoever may find documents of its type sees of it no more than finding it would show. */
const shownFilter = (type: ContentType, access: WriteAccess | undefined): FilterNode | null =>
  (access?.canFind(type.uid) === true ? access.limitsOf?.(type.uid, 'find')?.filter ?? null : null);

/** The version that was written, as the answer shows it, or nothing of it but its ids; null where another write has deleted it since. */
export async function readWritten({ records, locales }: DocumentContext, type: ContentType, { documentId, locale, status, selection, access }: WrittenVersion): Promise<RecordText | null> {
  const filter = shownFilter(type, access);
  const query: ReadQuery = { type: type.uid, filter, sort: [], selection, page: null, locale: locale ?? locales.defaultCode(), status, hasPublishedVersion: null };
  const [shown] = await records.many(ofDocument(query, documentId));
  if (shown !== undefined || filter === null) return shown ?? null;
  const [record] = await records.many(ofDocument({ ...query, filter: null, selection: { fields: [], populate: [] } }, documentId));
  return record ?? null;
}
