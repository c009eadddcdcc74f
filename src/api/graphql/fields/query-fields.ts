import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLArgumentConfig, GraphQLFieldConfigArgumentMap, GraphQLFieldConfigMap } from 'graphql';
import type { LocaleRecord } from '../../../access/access.js';
import type { FindManyResult, PageEnds } from '../../../documents/documents.js';
import type { ContentType } from '../../../model/model.js';
import { createRecordOrder, matchesFilter } from '../../../query/match-record.js';
import type { InMemoryRecord } from '../../../query/match-record.js';
import { parseDocumentId } from '../../../query/parse/parse-version.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { parsePage } from '../../../query/parse/parse-pagination.js';
import { parseSort } from '../../../query/parse/parse-sort.js';
import type { Page, ReadQuery } from '../../../query/query.js';
import { createReadContext } from '../../../query/read-context.js';
import { queryNamesOf } from '../field-names.js';
import type { GraphqlContext } from '../graphql-context.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { createDocumentResolver, parseRecord } from './root-field.js';
import type { AuthorisedResolver, RootCall } from './root-field.js';
import { toFilters } from '../selection/decode-input.js';
import { pageInfoRequest, planRead } from '../selection/plan-read.js';
import type { RootReadOptions } from '../selection/plan-read.js';
import { CACHEABLE_READ } from '../schema/field-marks.js';
import { SORT_ARG } from '../schema/fixed-types.js';
import { LOCALE_TYPE } from '../schema/locale-type.js';
import { localeArgument, statusArgument } from '../schema/type-registry.js';
import type { RootTypes } from '../schema/type-registry.js';

/** The maximum of GraphQL's Int. A page with a larger limit contains all records. */
const MAX_INT = 2_147_483_647;

/**
 * Returns the `pageInfo` of a page among `total` records. A page without a limit is the only one, and
 * contains all records from its offset.
 *
 * @param page null: a page with all records
 */
function pageInfoOf(
  page: Page | null,
  total: number,
): Readonly<Record<'page' | 'pageSize' | 'pageCount' | 'total', number>> {
  const { offset, limit } = page ?? { offset: 0, limit: Infinity };
  if (limit > MAX_INT) return { page: 1, pageSize: Math.max(total - offset, 0), pageCount: 1, total };
  return {
    page: Math.floor(offset / limit) + 1,
    pageSize: limit,
    pageCount: Math.ceil(total / limit),
    total,
  };
}

/**
 * Returns the known fields of `pageInfo`: its position if records were counted, and its cursors if it has
 * any.
 */
function pageInfoValues(
  page: Page | null,
  { total, ends }: Omit<FindManyResult, 'records'>,
): Readonly<Record<string, unknown>> {
  return {
    ...(total === null ? {} : pageInfoOf(page, total)),
    ...(ends === undefined ? {} : cursorInfoOf(ends)),
  };
}

/** Returns the fields of `pageInfo` that refer to other pages. */
function cursorInfoOf({ first, last, hasPrevious, hasNext }: PageEnds): Readonly<Record<string, unknown>> {
  return { startCursor: first, endCursor: last, hasPreviousPage: hasPrevious, hasNextPage: hasNext };
}

interface FoundLocales {
  readonly records: readonly InMemoryRecord[];
  readonly page: Page;
  readonly total: number;
}

const recordOf = (locale: LocaleRecord): InMemoryRecord => {
  const { documentId, name, code, createdAt, updatedAt, publishedAt } = locale;
  return { documentId, name, code, createdAt, updatedAt, publishedAt };
};

const findLocales = ({ args, context }: RootCall): FoundLocales => {
  const { model, access } = context.dependencies;
  const readContext = createReadContext(model, { access: context.rights, limits: context.limits });
  const location = { schema: LOCALE_TYPE, path: 'filters', depth: 0 };
  const filter = parseFilters(readContext, location, toFilters(model, LOCALE_TYPE, args['filters']));
  const sort = parseSort(readContext, { ...location, path: 'sort' }, args['sort']);
  const page = parsePage(args['pagination'], context.limits);
  const matching = access.locales
    .all()
    .map(recordOf)
    .filter((record) => filter === null || matchesFilter(LOCALE_TYPE, filter, record));
  const sorted = matching.toSorted(createRecordOrder(LOCALE_TYPE, sort));
  return { records: sorted.slice(page.offset, page.offset + page.limit), page, total: matching.length };
};

/**
 * Resolves `i18NLocales` from the locales in memory, without a statement. No table counts their changes, so
 * responses with locales are not cached.
 */
const resolveLocales: AuthorisedResolver = createDocumentResolver(
  LOCALE_TYPE,
  'find',
  async (call) => findLocales(call).records,
);

const resolveLocale: AuthorisedResolver = createDocumentResolver(
  LOCALE_TYPE,
  'findOne',
  async ({ args, context }) => {
    const found = context.dependencies.access.locales
      .all()
      .find(({ documentId }) => documentId === args['documentId']);
    return found === undefined ? null : recordOf(found);
  },
);

const resolveLocalesConnection: AuthorisedResolver = createDocumentResolver(
  LOCALE_TYPE,
  'find',
  async (call) => {
    const { records, page, total } = findLocales(call);
    const hasPreviousPage = page.offset > 0;
    const hasNextPage = page.offset + page.limit < total;
    return { nodes: records, pageInfo: { ...pageInfoOf(page, total), hasPreviousPage, hasNextPage } };
  },
);

/**
 * Creates the resolver of a field whose response can be cached, since it returns only documents that it
 * reads.
 */
const createReadResolver: typeof createDocumentResolver = (type, action, resolveCall) => {
  const { resolve, extensions } = createDocumentResolver(type, action, resolveCall);
  return { resolve, extensions: { ...extensions, ...CACHEABLE_READ } };
};

/** Resolves `article` or `homepage` to a document, or null if there is none. */
function resolveFindOne(type: ContentType): AuthorisedResolver {
  return createReadResolver(type, 'findOne', async ({ args, context, info }) => {
    const query = planRead({ context, info, type, args, list: null });
    const documentId = type.kind === 'singleType' ? null : parseDocumentId(args['documentId']);
    if (type.kind === 'collectionType' && documentId === null) return null;
    const text = await context.dependencies.documents.findOne(query, documentId, context.signal());
    const record = text === null ? null : parseRecord(text);
    context.reads.push({ query, documentId, records: [record] });
    return record;
  });
}

interface FoundRecords {
  readonly records: readonly unknown[];
  readonly page: Page | null;
  readonly result: FindManyResult;
}

type ListRequest = NonNullable<RootReadOptions['list']>;

/** Limits a query to one record above `amountLimit`, which is enough to detect lists that are too long. */
function withinAmountLimit(query: ReadQuery, { amountLimit }: GraphqlOptions): ReadQuery {
  const { page } = query;
  return page === null || page.limit <= amountLimit + 1
    ? query
    : { ...query, page: { ...page, limit: amountLimit + 1 } };
}

const findRecords = async (
  { type, args, context, info }: RootCall,
  list: ListRequest,
): Promise<FoundRecords> => {
  const query = planRead({ context, info, type, args, list });
  const { documents, options } = context.dependencies;
  const result = await documents.findMany(withinAmountLimit(query, options), context.signal());
  const records = result.records.map(parseRecord);
  context.reads.push({ query, documentId: null, records });
  context.chargeItems(records.length);
  return { records, page: query.page, result };
};

/** Resolves `articles` to a list. Requires the permission `find`. */
function resolveFind(type: ContentType): AuthorisedResolver {
  const list: ListRequest = { recordsField: null, withCount: false };
  return createReadResolver(type, 'find', async (call) => (await findRecords(call, list)).records);
}

/** Resolves `articles_connection`. Unless it is requested, `pageInfo` is null. */
function resolveConnection(type: ContentType): AuthorisedResolver {
  return createReadResolver(type, 'find', async (call) => {
    const { isRequested, ...request } = pageInfoRequest(call.info);
    const { records, page, result } = await findRecords(call, { recordsField: 'nodes', ...request });
    return { nodes: records, pageInfo: isRequested ? pageInfoValues(page, result) : null };
  });
}

export type RootFields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

const RELEASE_ARGUMENT: GraphQLArgumentConfig = {
  type: GraphQLString,
  description: 'The release to preview',
};

const versionArguments = (
  { registry, localeCode }: RootTypes,
  type: ContentType,
): GraphQLFieldConfigArgumentMap => ({
  status: statusArgument(registry),
  hasPublishedVersion: { type: GraphQLBoolean },
  publicationFilter: { type: registry.publicationFilter },
  release: RELEASE_ARGUMENT,
  ...localeArgument(localeCode, type),
});

interface Resolvers {
  readonly one: AuthorisedResolver;
  readonly many: AuthorisedResolver;
  readonly connection: AuthorisedResolver;
}

const resolversOf = ({ registry }: RootTypes, type: ContentType): Resolvers =>
  type === registry.localeType
    ? { one: resolveLocale, many: resolveLocales, connection: resolveLocalesConnection }
    : { one: resolveFindOne(type), many: resolveFind(type), connection: resolveConnection(type) };

const singleQueries = (types: RootTypes, type: ContentType): RootFields => {
  if (!types.registry.switches.hasAction(type, 'find')) return {};
  return {
    [queryNamesOf(type).one]: {
      type: types.registry.object(type),
      args: versionArguments(types, type),
      ...resolveFindOne(type),
    },
  };
};

/** Returns the arguments of `articles`. */
export function listArgumentsOf(types: RootTypes, type: ContentType): GraphQLFieldConfigArgumentMap {
  const { registry } = types;
  return {
    ...versionArguments(types, type),
    filters: { type: registry.filters(type) },
    pagination: { type: registry.paginationArg, defaultValue: {} },
    sort: SORT_ARG,
    ...(type === registry.localeType ? {} : { _q: { type: GraphQLString } }),
  };
}

const collectionQueries = (types: RootTypes, type: ContentType): RootFields => {
  const { registry } = types;
  const names = queryNamesOf(type);
  const versions = versionArguments(types, type);
  const args = listArgumentsOf(types, type);
  const resolvers = resolversOf(types, type);
  const object = registry.object(type);
  const one: RootFields = {
    [names.one]: {
      type: object,
      args: { ...versions, documentId: { type: new GraphQLNonNull(GraphQLID) } },
      ...resolvers.one,
    },
  };
  const many = (): RootFields => ({
    [names.many]: {
      type: new GraphQLNonNull(new GraphQLList(object)),
      args,
      ...resolvers.many,
    },
    [names.connection]: {
      type: registry.connection(type),
      args,
      ...resolvers.connection,
    },
  });
  return {
    ...(registry.switches.hasAction(type, 'findOne') ? one : {}),
    ...(registry.switches.hasAction(type, 'find') ? many() : {}),
  };
};

/** Builds `article`, `articles` and `articles_connection`, or `homepage` of a single type. */
export function queryFieldsOf(types: RootTypes, type: ContentType): RootFields {
  return type.kind === 'singleType' ? singleQueries(types, type) : collectionQueries(types, type);
}
