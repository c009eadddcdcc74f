import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import type { Caller } from '../../../access/access.js';
import type { RecordText } from '../../../documents/documents.js';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { isStorableText } from '../../../model/fields/text-value.js';
import { parseRecordId } from '../../../lib/record-id.js';
import type { ContentType, VersionStatus } from '../../../model/model.js';
import { defaultSelection } from '../../../query/parse/default-selection.js';
import type { FilterNode } from '../../../query/query.js';
import type { RestDependencies } from '../rest-dependencies.js';
import type { FormFields } from './read-form.js';

/** The fields of a form that name the attribute of a document. */
export const REFERENCE_FIELDS: readonly string[] = ['ref', 'refId', 'field'];

/** The attribute of a document that new files are linked to. */
export interface LinkTarget {
  readonly type: ContentType;
  readonly attribute: string;
  readonly documentId: string;
  /** Undefined if the type is not localised. */
  readonly locale: string | undefined;
  readonly status: VersionStatus;
}

const invalidReference = (field: string, reason: string): GalleyError =>
  createError('upload/invalid-reference', { field, reason });

const textOf = (fields: FormFields, name: string): string | undefined => {
  const value = fields.get(name)?.at(-1);
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
};

const referenceFilter = (refId: string): FilterNode => {
  const id = parseRecordId(refId);
  return {
    kind: 'compare',
    field: id === null ? 'documentId' : 'id',
    operator: '$eq',
    operand: id ?? refId,
  };
};

interface Reference {
  readonly type: ContentType;
  readonly refId: string;
  /** Filter for the documents that the caller may update. Null: all. */
  readonly updatable: FilterNode | null;
}

const findVersion = async (
  { model, documents }: RestDependencies,
  { type, refId, updatable }: Reference,
  status: VersionStatus,
): Promise<RecordText | undefined> => {
  const reference = referenceFilter(refId);
  const selection = { ...defaultSelection(model, type.uid), fields: type.localized ? ['locale'] : [] };
  const { records } = await documents.findMany({
    type: type.uid,
    filter: updatable === null ? reference : { kind: 'and', items: [reference, updatable] },
    sort: [],
    selection,
    page: null,
    locale: '*',
    status,
    hasPublishedVersion: null,
  });
  return records[0];
};

const findType = ({ model }: RestDependencies, ref: string): ContentType => {
  const type = model.typesByUid[ref];
  if (type === undefined || type.uid === FILE_UID)
    throw invalidReference('ref', `there is no content-type ${ref}`);
  return type;
};

const assertMedia = (type: ContentType, field: string, count: number): void => {
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  if (attribute?.family !== 'media')
    throw invalidReference('field', `${type.uid} has no media attribute ${field}`);
  if (!attribute.many && count > 1) throw invalidReference('field', `${field} takes one file`);
};

/**
 * Finds the document that a form names by `ref`, `refId` and `field` to link its files to. `refId` is a
 * document id, or the numeric id of a version. A published document stays published, now with the files; a
 * draft stays a draft. Returns null if the form names none.
 *
 * @throws `upload/invalid-reference`, also for a document that the caller may not update, and
 *   `request/forbidden` if the caller may not update documents of the type
 */
export async function findLinkTarget(
  dependencies: RestDependencies,
  caller: Caller,
  fields: FormFields,
  count: number,
): Promise<LinkTarget | null> {
  const [ref, refId, field] = REFERENCE_FIELDS.map((name) => textOf(fields, name));
  if (ref === undefined && refId === undefined && field === undefined) return null;
  if (ref === undefined || refId === undefined || field === undefined)
    throw invalidReference('ref', 'ref, refId and field are needed together');
  const type = findType(dependencies, ref);
  dependencies.access.authorise(caller, type.uid, 'update');
  assertMedia(type, field, count);
  const updatable = dependencies.access.readAccessOf(caller).scopeOf?.(type.uid, 'update')?.filter ?? null;
  const reference: Reference = { type, refId, updatable };
  const published = isStorableText(refId)
    ? await findVersion(dependencies, reference, 'published')
    : undefined;
  const record =
    published ??
    (type.draftAndPublish && isStorableText(refId)
      ? await findVersion(dependencies, reference, 'draft')
      : undefined);
  if (record === undefined) throw invalidReference('refId', `there is no ${type.uid} ${refId}`);
  const { documentId, locale } = JSON.parse(record) as {
    readonly documentId: string;
    readonly locale?: string;
  };
  return {
    type,
    attribute: field,
    documentId,
    locale,
    status: published === undefined ? 'draft' : 'published',
  };
}
