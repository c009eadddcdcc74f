import type { ContentType } from '../model/model.js';
import type { FilterNode, ReadQuery, Selection } from '../query/query.js';
import type { DocumentContext } from './document-context.js';
import type { RecordText } from './documents.js';

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
}

/** The version that was written, as the answer shows it; null where another write has deleted it since. */
export async function readWritten({ records, locales }: DocumentContext, type: ContentType, { documentId, locale, status, selection }: WrittenVersion): Promise<RecordText | null> {
  const query: ReadQuery = { type: type.uid, filter: null, sort: [], selection, page: null, locale: locale ?? locales.defaultCode(), status, hasPublishedVersion: null };
  const [record] = await records.many(ofDocument(query, documentId));
  return record ?? null;
}
