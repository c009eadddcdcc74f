import { isDeepStrictEqual } from 'node:util';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { exposeModel } from '../../query/exposed-model.js';
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
  readonly defaultLocale: () => string;
  /** Reads a `populate` as those do who may change it. */
  readonly toPopulate: (model: ContentModel, schema: ContentSchema, populate: unknown) => unknown;
}

const NAMES = ['filters', 'sort', 'fields', 'populate', 'start', 'limit', 'locale', 'status', '_q'] as const;

/**
 * Shows a read to project code as parameters. What the code leaves alone stays as it was parsed, with all
 * that the caller's rights have added to it.
 */
export function changeableQuery(
  model: ContentModel,
  query: ReadQuery,
  { params: shown, defaultLocale, toPopulate }: ChangeableOptions,
): ChangeableQuery {
  const before = structuredClone(Object.fromEntries(NAMES.map((name) => [name, shown[name]])));
  const changed = (params: Params = shown): ReadQuery => {
    const hasChanged = (...names: readonly (typeof NAMES)[number][]): boolean =>
      names.some((name) => !isDeepStrictEqual(before[name], params[name]));
    if (!hasChanged(...NAMES)) return query;
    const exposed = exposeModel(model);
    const type = typeOf(exposed, query.type);
    const parsed = parseReadQuery(
      exposed,
      query.type,
      {
        filters: params['filters'],
        sort: params['sort'],
        fields: params['fields'],
        populate: toPopulate(exposed, type, params['populate']),
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
      ...(hasChanged('fields', 'populate') ? { selection: parsed.selection } : {}),
      ...(hasChanged('start', 'limit') && query.page !== null && parsed.page !== null
        ? { page: { ...query.page, offset: parsed.page.offset, limit: parsed.page.limit } }
        : {}),
      ...(hasChanged('locale') ? { locale: parsed.locale } : {}),
      ...(hasChanged('status') ? { status: parsed.status } : {}),
    });
  };
  return { params: shown, changed };
}
