import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { ClientRequest, ReadAccess } from '../../query/read-access.js';
import type { Selection } from '../../query/query.js';
import { READ_PARAMETERS } from '../../query/read-params.js';
import { sanitizeOutput } from '../http/sanitize.js';

type Params = Record<string, unknown>;

/** The type that a client reads, and the attributes that it selects. */
interface ClientSelection {
  readonly type: ContentType;
  readonly selection: Selection;
  readonly request: ClientRequest | undefined;
}

const firstName = (path: unknown): string => String(path).split('.')[0]?.trim() ?? '';

/** Returns every attribute that `*` populates and the client may see. */
const expandWildcard = ({ type, selection }: ClientSelection): Params =>
  Object.fromEntries(
    selection.populate
      .filter(({ attribute }) => Object.hasOwn(type.attributes, attribute))
      .map(({ attribute }) => [attribute, true]),
  );

const visiblePopulate = (selected: ClientSelection, populate: unknown): unknown => {
  const names = new Set(selected.selection.populate.map(({ attribute }) => attribute));
  const isVisible = (path: unknown): boolean => names.has(firstName(path));
  if (populate === '*' || (Array.isArray(populate) && populate.includes('*')))
    return expandWildcard(selected);
  if (typeof populate === 'string') return populate.split(',').filter(isVisible).join(',');
  if (Array.isArray(populate)) return populate.filter(isVisible);
  if (!isRecord(populate)) return populate;
  const entries = Object.entries(populate).filter(([name]) => isVisible(name));
  return structuredClone(Object.fromEntries(entries));
};

/** The parameters of the operations, as the document service and the query engine name them. */
const STANDARD_PARAMETERS: ReadonlySet<string> = new Set([
  ...READ_PARAMETERS,
  'documentId',
  'data',
  'start',
  'limit',
  'offset',
  'page',
  'pageSize',
  'where',
  'select',
  'orderBy',
]);

/** Returns the parameters of a REST request that only project code reads. */
export function customParams(request: ClientRequest | undefined): Params {
  const custom = Object.entries(request?.params ?? {}).filter(([name]) => !STANDARD_PARAMETERS.has(name));
  return structuredClone(Object.fromEntries(custom));
}

/**
 * Returns `fields` and `populate` as the client sent them, without attributes that it may not see, and the
 * parameters that only project code reads. Undefined if the read is not a REST request.
 */
export function visibleSelection(selected: ClientSelection): Params | undefined {
  const params = selected.request?.params;
  if (params === undefined) return undefined;
  const { fields } = params;
  const populate = visiblePopulate(selected, params['populate']);
  return {
    ...customParams(selected.request),
    ...(fields === undefined ? {} : { fields: structuredClone(fields) }),
    ...(populate === undefined || populate === '' ? {} : { populate }),
  };
}

/**
 * Returns a record that project code has changed, without attributes that the client may not see, as Strapi's
 * controllers do.
 *
 * @param access of the client. If undefined, server code reads, and gets the record unchanged.
 */
export function sanitizeForClient(
  model: ContentModel,
  { uid, access }: { readonly uid: Uid; readonly access: ReadAccess | undefined },
  record: unknown,
): unknown {
  return access?.isOfClient === true ? sanitizeOutput(model, typeOf(model, uid), record, access) : record;
}
