import { isDeepStrictEqual } from 'node:util';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, Uid, VersionStatus } from '../../model/model.js';
import { parseReadQuery, parseSelection } from '../../query/parse/parse-read-query.js';
import type { ClientRequest } from '../../query/client-request.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import { exposeModel } from '../../query/exposed-model.js';
import { sanitizeQuery } from '../http/content-api/sanitize-query.js';
import { sliceOf } from './query-params.js';
import { SERVER_ACCESS, SERVER_LIMITS } from './version-reader.js';

type Params = Record<string, unknown>;

/** The parameters of a read, which project code may change. */
export interface ChangeableQuery {
  readonly params: Params;
  /**
   * Returns the read that the parameters now describe, or those that took their place: the same one where
   * nothing has changed.
   */
  readonly changed: (params?: Params) => ReadQuery;
}

interface ChangeableOptions {
  readonly params: Params;
  /** The request that the read comes from. Absent: the server's own code reads. */
  readonly request?: ClientRequest | undefined;
  readonly defaultLocale: () => string;
  /** Reads a `populate` as those do who may change it. */
  readonly toPopulate: (model: ContentModel, schema: ContentSchema, populate: unknown) => unknown;
}

const NAMES = ['filters', 'sort', 'fields', 'populate', 'start', 'limit', 'locale', 'status', '_q'] as const;

interface ChangedSelection {
  readonly type: Uid;
  readonly status: VersionStatus;
  /** `fields` and `populate` as project code has set them. */
  readonly asked: { readonly fields: unknown; readonly populate: unknown };
}

/**
 * Parses what project code has made of `fields` and `populate`. Of what a client reads it leaves out what the
 * client may not see, and limits the rest to what its rights cover. Private attributes are left out of the
 * results, since code may select them for itself.
 *
 * @throws `request/invalid-parameter` for what the schema does not have
 */
export function parseChangedSelection(
  model: ContentModel,
  { type, status, asked }: ChangedSelection,
  request: Omit<ClientRequest, 'params'> | undefined,
): Selection {
  const exposed = exposeModel(model);
  const options = { limits: SERVER_LIMITS, status };
  const selection = parseSelection(exposed, type, asked, { ...options, access: SERVER_ACCESS });
  if (request?.access.isOfClient !== true) return selection;
  const parse = (params: Params): Selection =>
    parseSelection(exposed, type, params, { ...options, ...request });
  return parse(sanitizeQuery(asked, parse));
}

/**
 * Shows a read to project code as parameters. Parameters that the code does not change stay as they were
 * parsed, with all that the caller's rights have added.
 */
export function changeableQuery(
  model: ContentModel,
  query: ReadQuery,
  { params: shown, request, defaultLocale, toPopulate }: ChangeableOptions,
): ChangeableQuery {
  const before = structuredClone(Object.fromEntries(NAMES.map((name) => [name, shown[name]])));
  const changed = (params: Params = shown): ReadQuery => {
    const hasChanged = (...names: readonly (typeof NAMES)[number][]): boolean =>
      names.some((name) => !isDeepStrictEqual(before[name], params[name]));
    if (!hasChanged(...NAMES)) return query;
    const exposed = exposeModel(model);
    const type = typeOf(exposed, query.type);
    const asked = {
      fields: params['fields'],
      populate: toPopulate(exposed, type, params['populate']),
    };
    const parsed = parseReadQuery(
      exposed,
      query.type,
      {
        filters: params['filters'],
        sort: params['sort'],
        pagination: sliceOf({ limit: params['limit'], offset: params['start'] }),
        locale: params['locale'],
        status: params['status'],
        _q: params['_q'],
      },
      {
        access: SERVER_ACCESS,
        limits: SERVER_LIMITS,
        defaultLocale: defaultLocale(),
        paginated: query.page !== null,
      },
    );
    return Object.freeze({
      ...query,
      ...(hasChanged('filters', '_q') ? { filter: parsed.filter } : {}),
      ...(hasChanged('sort') ? { sort: parsed.sort } : {}),
      ...(hasChanged('fields', 'populate')
        ? {
            selection: parseChangedSelection(
              model,
              { type: query.type, status: query.status, asked },
              request,
            ),
          }
        : {}),
      ...(hasChanged('start', 'limit') && query.page !== null && parsed.page !== null
        ? { page: { ...query.page, offset: parsed.page.offset, limit: parsed.page.limit } }
        : {}),
      ...(hasChanged('locale') ? { locale: parsed.locale } : {}),
      ...(hasChanged('status') ? { status: parsed.status } : {}),
    });
  };
  return { params: shown, changed };
}
