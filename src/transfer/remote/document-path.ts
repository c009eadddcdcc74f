import { isRecord } from '../../lib/is-record.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';

/** One locale of a document. Undefined: in the default locale. */
interface LocaleName {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale?: string | undefined;
}

/** The path of what the API has below a document: `/articles/…/schedule?locale=fr`. */
export function documentPath(
  model: ContentModel,
  { type: uid, documentId, locale }: LocaleName,
  rest: string,
): string {
  const type = typeOf(model, uid);
  const path =
    type.kind === 'singleType' ? type.singularName : `${type.pluralName}/${encodeURIComponent(documentId)}`;
  return `/${path}/${rest}${locale === undefined ? '' : `?locale=${encodeURIComponent(locale)}`}`;
}

/** Returns the data in a response. */
export function dataOf(answer: unknown): unknown {
  return isRecord(answer) ? answer['data'] : undefined;
}
