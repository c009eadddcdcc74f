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

/** Every attribute that `*` populates, as far as the client may see it. */
const expandWildcard = ({ type, selection }: ClientSelection): Params =>
  Object.fromEntries(
    selection.populate
      .filter(({ attribute }) => Object.hasOwn(type.attributes, attribute))
      .map(({ attribute }) => [attribute, true]),
  );

const visiblePopulate = (selected: ClientSelection, populate: unknown): unknown => {
  const names = new Set(selected.selection.populate.map(({ attribute }) => attribute));
  const isVisible = (path: unknown): boolean => names.has(firstName(path));
  if (populate === '*' || (Array.isArray(populate) && populate.includes('*'))) return expandWildcard(selected);
  if (typeof populate === 'string') return populate.split(',').filter(isVisible).join(',');
  if (Array.isArray(populate)) return populate.filter(isVisible);
  if (!isRecord(populate)) return populate;
  const entries = Object.entries(populate).filter(([name]) => isVisible(name));
  return structuredClone(Object.fromEntries(entries));
};

/** Parameters of the operations themselves, as the document service and the query engine name them. */
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
  const own = Object.entries(request?.params ?? {}).filter(([name]) => !STANDARD_PARAMETERS.has(name));
  return structuredClone(Object.fromEntries(own));
}

/**
 * Returns `fields` and `populate` of a REST request as the client sent them, without what it may not see, and
 * the parameters that only project code reads. Undefined: this is no REST request.
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
 * Returns a record that project code has changed without what its client must not see, as Strapi's
 * controllers clean it.
 *
 * @param access of the client. Undefined: the server's own code asks, and gets the record as it is.
 */
export function sanitizeForClient(
  model: ContentModel,
  { uid, access }: { readonly uid: Uid; readonly access: ReadAccess | undefined },
  record: unknown,
): unknown {
  return access?.isOfClient === true ? sanitizeOutput(model, typeOf(model, uid), record, access) : record;
}
