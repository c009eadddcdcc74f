import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { Caller } from '../../access/access.js';
import type { RecordText } from '../../documents/documents.js';
import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isStorableText } from '../../fields/text-value.js';
import { MAX_ID } from '../../media/file-id.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { defaultSelection } from '../../query/default-selection.js';
import type { FilterNode } from '../../query/query.js';
import type { RestParts } from '../rest-parts.js';
import type { FormFields } from './read-form.js';

/** The document that new files are linked to. */
export interface LinkTarget {
  readonly type: ContentType;
  readonly attribute: string;
  readonly documentId: string;
  /** Undefined where the type is not localised. */
  readonly locale: string | undefined;
  readonly status: VersionStatus;
}

const refused = (field: string, reason: string): GalleyError => fail('upload/invalid-reference', { field, reason });

const textOf = (fields: FormFields, name: string): string | undefined => {
  const value = fields.get(name)?.at(-1);
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
};

const whereOf = (refId: string): FilterNode => {
  const isNumber = /^\d{1,10}$/.test(refId) && Number(refId) <= MAX_ID;
  return { kind: 'compare', field: isNumber ? 'id' : 'documentId', operator: '$eq', operand: isNumber ? Number(refId) : refId };
};

const findVersion = async ({ model, documents }: RestParts, type: ContentType, refId: string, status: VersionStatus): Promise<RecordText | undefined> => {
  const selection = { ...defaultSelection(model, type.uid), fields: type.localized ? ['locale'] : [] };
  const { records } = await documents.findMany({ type: type.uid, filter: whereOf(refId), sort: [], selection, page: null, locale: '*', status, hasPublishedVersion: null });
  return records[0];
};

const findType = ({ model }: RestParts, ref: string): ContentType => {
  const type = model.typesByUid[ref];
  if (type === undefined || type.uid === FILE_UID) throw refused('ref', `there is no content-type ${ref}`);
  return type;
};

const assertMedia = (type: ContentType, field: string, count: number): void => {
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  if (attribute?.family !== 'media') throw refused('field', `${type.uid} has no media attribute ${field}`);
  if (!attribute.many && count > 1) throw refused('field', `${field} takes one file`);
};

/**
 * The document a form wants its files linked to by `ref`, `refId` and `field`; null where it says nothing of the kind.
 * `refId` is a document id, or the number of one of its versions. A document that is published stays so, with the files; a draft stays a draft.
 *
 * @throws `upload/invalid-reference`, and `request/forbidden` where the caller may not change such documents
 */
export async function findLinkTarget(parts: RestParts, caller: Caller, fields: FormFields, count: number): Promise<LinkTarget | null> {
  const [ref, refId, field] = ['ref', 'refId', 'field'].map((name) => textOf(fields, name));
  if (ref === undefined && refId === undefined && field === undefined) return null;
  if (ref === undefined || refId === undefined || field === undefined) throw refused('ref', 'ref, refId and field are needed together');
  const type = findType(parts, ref);
  parts.access.authorise(caller, type.uid, 'update');
  assertMedia(type, field, count);
  const published = isStorableText(refId) ? await findVersion(parts, type, refId, 'published') : undefined;
  const record = published ?? (type.draftAndPublish && isStorableText(refId) ? await findVersion(parts, type, refId, 'draft') : undefined);
  if (record === undefined) throw refused('refId', `there is no ${type.uid} ${refId}`);
  const { documentId, locale } = JSON.parse(record) as { readonly documentId: string; readonly locale?: string };
  return { type, attribute: field, documentId, locale, status: published === undefined ? 'draft' : 'published' };
}
