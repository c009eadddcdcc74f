import { isDeepStrictEqual } from 'node:util';
import type { FindManyResult } from '../../documents/documents.js';
import type { DocumentMiddleware } from '../../documents/hooks.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid, ContentType } from '../../model/model.js';
import { clientRequestOf } from '../../query/read-access.js';
import type { ClientRequest, ReadAccess } from '../../query/read-access.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import { isRecord } from '../../lib/records.js';
import { READ_PARAMETERS } from '../../query/read-context.js';
import { sanitizeOutput } from '../http/sanitize.js';
import { changeableQuery, printReadParams } from './changeable-query.js';
import { toPopulate } from './query-params.js';
import type { LifecycleStates, Lifecycles } from './lifecycles.js';

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
function customParams(request: ClientRequest | undefined): Params {
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

interface ReadLifecycleDependencies {
  readonly model: ContentModel;
  readonly lifecycles: Lifecycles;
  readonly defaultLocale: () => string;
}

type Params = Record<string, unknown>;

/** The parameters of the document service by their names in the query engine. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  where: 'filters',
  select: 'fields',
  orderBy: 'sort',
  offset: 'start',
  limit: 'limit',
  populate: 'populate',
};

const toEngineParams = (
  printed: Params,
  query: ReadQuery,
  { hasDrafts, documentId }: { readonly hasDrafts: boolean; readonly documentId: string | null },
): Params => {
  const state = hasDrafts ? { publishedAt: { [query.status === 'draft' ? '$null' : '$notNull']: true } } : {};
  const locale = printed['locale'] === undefined || query.locale === '*' ? {} : { locale: query.locale };
  const params: Params = Object.fromEntries(
    Object.entries(ENGINE_NAMES).flatMap(([name, printedName]) =>
      printed[printedName] === undefined ? [] : [[name, printed[printedName]] as const],
    ),
  );
  const where = { ...(params['where'] as Params | undefined), ...state, ...locale };
  return { ...params, where: documentId === null ? where : { ...where, documentId } };
};

/** Exposes a query as parameters of the query engine, and returns it with the changes of listeners. */
const createEngineQuery = (
  { model, defaultLocale }: ReadLifecycleDependencies,
  query: ReadQuery,
  documentId: string | null,
) => {
  const type = typeOf(model, query.type);
  const request = clientRequestOf(query);
  const printed = printReadParams(query, type.localized);
  const changeable = changeableQuery(model, query, { params: printed, request, defaultLocale, toPopulate });
  const params = {
    ...customParams(request),
    ...toEngineParams(printed, query, { hasDrafts: type.draftAndPublish, documentId }),
  };
  const before = structuredClone(params);
  return {
    params,
    changed: (): ReadQuery => {
      for (const [name, printedName] of Object.entries(ENGINE_NAMES))
        if (!isDeepStrictEqual(before[name], params[name])) printed[printedName] = params[name];
      return changeable.changed();
    },
  };
};

/** A finished read with the parameters that its listeners got. */
interface EndedRead {
  readonly params: Params;
  readonly states: LifecycleStates;
  readonly read: ReadQuery;
  /** True if listeners have changed the query. */
  readonly isChanged: boolean;
}

/**
 * Creates the middleware that calls lifecycle listeners of reads, by clients and by code through
 * `strapi.documents`.
 */
export function createReadLifecycles(dependencies: ReadLifecycleDependencies): DocumentMiddleware {
  const { model, lifecycles } = dependencies;
  const count = async (uid: Uid, params: Params, read: () => Promise<number>): Promise<number> => {
    const states = await lifecycles.run('beforeCount', uid, { params });
    const result = await read();
    await lifecycles.run('afterCount', uid, { params, result }, states);
    return result;
  };
  const end = async (
    action: 'afterFindMany' | 'afterFindOne',
    { params, states, read, isChanged }: EndedRead,
    texts: readonly string[],
  ): Promise<readonly string[]> => {
    const results = texts.map((text): unknown => JSON.parse(text));
    const before = structuredClone(results);
    const result = action === 'afterFindMany' ? results : (results[0] ?? null);
    await lifecycles.run(action, read.type, { params, result }, states);
    const access = clientRequestOf(read)?.access;
    return results.map((after, index) => {
      const text = texts[index];
      if (text !== undefined && !isChanged && isDeepStrictEqual(before[index], after)) return text;
      return JSON.stringify(sanitizeForClient(model, { uid: read.type, access }, after));
    });
  };
  return async (operation, next) => {
    const uid = operation.type;
    if (!lifecycles.has(uid, 'FindOne', 'FindMany', 'Count')) return next();
    if (operation.action === 'findMany') {
      const read = operation.params;
      const query = createEngineQuery(dependencies, read, null);
      const { params } = query;
      const states = await lifecycles.run('beforeFindMany', uid, { params });
      operation.params = query.changed();
      const isChanged = operation.params !== read;
      const found = (await next()) as FindManyResult;
      const records = await end('afterFindMany', { params, states, read, isChanged }, found.records);
      if (found.total === null) return { ...found, records };
      const total = found.total;
      return { ...found, records, total: await count(uid, { where: params['where'] }, async () => total) };
    }
    if (operation.action === 'findOne') {
      const { documentId, query: read } = operation.params;
      const query = createEngineQuery(dependencies, read, documentId);
      const { params } = query;
      const states = await lifecycles.run('beforeFindOne', uid, { params });
      operation.params = { query: query.changed(), documentId };
      const isChanged = operation.params.query !== read;
      const record = (await next()) as string | null;
      const texts = record === null ? [] : [record];
      return (await end('afterFindOne', { params, states, read, isChanged }, texts))[0] ?? null;
    }
    if (operation.action === 'aggregate') {
      const read = operation.params.query;
      const query = createEngineQuery(dependencies, read, null);
      const { params } = query;
      const states = await lifecycles.run('beforeFindMany', uid, { params });
      operation.params = { ...operation.params, query: query.changed() };
      const result = await next();
      await end('afterFindMany', { params, states, read, isChanged: false }, []);
      return result;
    }
    if (operation.action === 'count') {
      const query = createEngineQuery(dependencies, operation.params, null);
      return count(uid, query.params, async () => {
        operation.params = query.changed();
        return Number(await next());
      });
    }
    return next();
  };
}
