import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlExpressions } from '../dialects/sql-expressions.js';
import type { Equality, RowOrder } from '../dialects/row-path.js';
import type { FoundRows } from '../dialects/search-expressions.js';
import type { TotalOptions } from '../dialects/totals.js';
import type { UncountedStatement } from '../dialects/uncounted-statement.js';
import type { ContentModel } from '../model/model.js';
import { NO_LOCALE } from '../model/model.js';
import { orderKeysOf } from '../query/order-keys.js';
import { publicationFilterOf } from '../query/publication-filter.js';
import type { ReadQuery } from '../query/query.js';
import { typeOf } from '../model/lookup.js';
import { budgetOf, interruptibleRows } from './budget.js';
import type { Counted } from './budget.js';
import { createCompileContext, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { beyondCursor, withPosition } from './cursor.js';
import { compileCondition } from './filter.js';
import { chooseIndexes, chooseIndexesBeside, hasIndexedOrder } from './choose-index.js';
import type { IndexChoice } from './choose-index.js';
import { countedMatches } from './counted-matches.js';
import { mergedLocales, mergesLocales } from './merged-locales.js';
import { compileFirstRows } from './first-rows.js';
import type { KnownLocales } from './first-rows.js';
import { createRowScope, requestedStatus, statusEqualities, versionTable } from './version-rows.js';
import { parameteriseCount, parameteriseRead } from './parameterise.js';
import type { ParameterisedQuery } from './parameterise.js';
import { publicationConditions } from './publication.js';
import { compileRecord } from './record.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
import { findStartingLink } from './selectivity.js';
import type { ParameterSlot } from './parameter-slots.js';
import { searchParameters } from './plan-search.js';
import type { SearchPlan } from './plan-search.js';
import { compileSlice, sliceParameters } from './slice.js';
import { limitByLength } from './uncounted-read.js';
import { compileOrder, compileOrderKeys } from './sort.js';
import type { OrderKey } from './sort.js';

/** The statement for all queries of one shape, and the slots of its parameters. */
export interface CompiledRead {
  readonly sql: string;
  readonly slots: readonly ParameterSlot[];
  /** Reads the same, with the same slots. Absent: no answer's length says enough, or nothing would end it. */
  readonly uncounted?: UncountedStatement;
}

const localeEquality = (context: CompileContext, scope: RowScope, query: ReadQuery): readonly Equality[] => {
  const locale = { column: column(scope.alias, 'locale'), isOuter: false };
  if (!scope.schema.localized) return [{ ...locale, value: sql.lit(NO_LOCALE) }];
  if (query.locale === '*') return [];
  const isFixed = context.firstRowCount !== null;
  return [{ ...locale, value: isFixed ? sql.lit(query.locale) : context.bind(query, 'text') }];
};

/** Selects the versions to read. If the filter names few documents, rows are looked up from those. */
const versionConditions = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
): readonly RawBuilder<unknown>[] => {
  const equalities = [...statusEqualities(context, scope), ...localeEquality(context, scope, query)];
  if (context.startsAtLink) return equalities.map(context.expressions.hintUnselective);
  return equalities.map(({ column: left, value }) => sql`${left} = ${value}`);
};

/** Selects the versions that a query reads, and that its filter matches. */
export const rootConditions = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
): readonly RawBuilder<unknown>[] => [
  ...versionConditions(context, scope, query),
  ...interruptibleRows(context, scope),
  ...publicationConditions(context, scope),
  ...(query.filter === null ? [] : [compileCondition(context, scope, query.filter)]),
];

/** What decides the order of a read, seen from its rows under an alias. */
const rootKeys = (context: CompileContext, scope: RowScope, { sort, page }: ReadQuery): readonly OrderKey[] =>
  compileOrderKeys(context, scope, orderKeysOf(sort), page?.isReversed);

const beginsAtCursor = ({ page }: ReadQuery): boolean => (page?.cursor?.position ?? null) !== null;

/** Selects the rows of a page: all that match, or those beyond its cursor. */
const pageConditions = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
  { mergesLocales: isMerged = false } = {},
): readonly RawBuilder<unknown>[] => {
  const { page } = query;
  if (page?.cursor === undefined || page.cursor.position === null)
    return rootConditions(context, scope, query);
  const rows = {
    mergesLocales: isMerged,
    conditions: (rowScope: RowScope) => rootConditions(context, rowScope, query),
    keys: (rowScope: RowScope) => rootKeys(context, rowScope, query),
  };
  return beyondCursor(context, scope, { page, cursor: page.cursor, position: page.cursor.position }, rows);
};

/** What is chosen for one statement of a query. */
type ContextChoice = Pick<IndexChoice, 'unindexed' | 'startsAtLink'> & {
  readonly counted?: Counted | undefined;
};

/** For reads of all rows that match. */
const choiceForAll = (model: ContentModel, { type, filter }: ReadQuery): ContextChoice => ({
  unindexed: new Set(),
  startsAtLink: findStartingLink(model, typeOf(model, type), filter) !== null,
});

/** Creates the context of one statement for a query. */
export const contextFor = (
  model: ContentModel,
  expressions: SqlExpressions,
  query: ReadQuery,
  { nodes, firstRowCount }: ParameterisedQuery,
  { unindexed, startsAtLink, counted }: ContextChoice = choiceForAll(model, query),
): CompileContext =>
  createCompileContext({
    model,
    expressions,
    status: query.isOfAllStatuses === true ? null : query.status,
    publication: publicationFilterOf(query),
    withoutDrafts: query.withoutDrafts ?? [],
    budget: budgetOf(query.selection, counted),
    nodes,
    firstRowCount,
    unindexed,
    startsAtLink,
    record: compileRecord,
    condition: compileCondition,
  });

const isSlot = (value: unknown): value is ParameterSlot =>
  typeof value === 'object' && value !== null && 'index' in value && 'kind' in value;

/** Compiles a statement, all of whose values are slots. */
export const toCompiledRead = (
  { expressions }: CompileContext,
  statement: RawBuilder<unknown>,
): CompiledRead => {
  const { sql: text, parameters } = statement.compile(expressions.kysely);
  const slots = parameters.filter(isSlot);
  if (slots.length !== parameters.length)
    throw new TypeError('A value was written into a statement without a slot');
  return Object.freeze({ sql: text, slots: Object.freeze(slots) });
};

const foundRows = (context: CompileContext, scope: RowScope, search: SearchPlan): FoundRows => ({
  ...search,
  isOfAllStatuses: requestedStatus(context, scope) === null,
  bind: (offset) => context.bind(search, 'text', offset),
});

/** The clauses from `FROM` on, with the indexes that serve them best. */
const compileRows = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
  choice: IndexChoice,
): RawBuilder<unknown> => {
  const { expressions } = context;
  const { page } = query;
  const { ifMany } = choice;
  const table = versionTable(scope);
  const isMerged = mergesLocales(scope.schema, query, choice);
  if (page !== null && isMerged && !beginsAtCursor(query))
    return mergedLocales(context, scope, {
      ...sliceParameters(context, page),
      conditions: pageConditions(context, scope, query),
      order: compileOrder(context, rootKeys(context, scope, query)),
    });
  const ordered = (inContext: CompileContext): RowOrder => ({
    where: whereAll(pageConditions(inContext, scope, query, { mergesLocales: isMerged })),
    order: orderByAll(compileOrder(inContext, rootKeys(inContext, scope, query))),
  });
  if (ifMany === null || page === null) {
    const slice = page === null ? null : compileSlice(context, page);
    const isById = query.sort.length === 0;
    const firstRows = compileFirstRows(context, query);
    const rows = { table, alias: scope.alias, ...ordered(context), isById, slice, firstRows };
    return expressions.orderedRows(rows);
  }
  return expressions.countedRows.orderedRows({
    table,
    alias: scope.alias,
    matches: countedMatches(context, scope.schema, ifMany.start, {
      countedRows: expressions.countedRows,
      versions: (rows) => versionConditions({ ...context, startsAtLink: false }, rows, query),
    }),
    few: ordered(context),
    many: ordered({ ...context, unindexed: ifMany.unindexed, startsAtLink: false }),
    limit: context.bind(page, 'integer'),
    offset: context.bind(page, 'integer', 1),
  });
};

/** The same for rows that a full-text index finds. */
const compileFoundRows = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
  search: SearchPlan,
): RawBuilder<unknown> =>
  context.expressions.search.orderedRows({
    ...foundRows(context, scope, search),
    table: versionTable(scope),
    alias: scope.alias,
    where: pageConditions(context, scope, query),
    order: orderByAll(compileOrder(context, rootKeys(context, scope, query))),
    idOrder: query.sort.length > 0 ? null : query.page?.isReversed === true ? 'desc' : 'asc',
    slice: query.page === null ? null : sliceParameters(context, query.page),
    hasIndexedOrder: hasIndexedOrder(scope.schema, query),
    versions: beginsAtCursor(query) ? null : versionConditions(context, scope, query),
  });

interface ReadOptions {
  readonly search?: SearchPlan | null;
  /** Default: the statement is planned for the values of each run. */
  readonly hasLocale?: KnownLocales;
}

/**
 * Compiles a read to one statement, however deeply it populates. Its only column is the JSON text of one
 * record. The values of the query are not part of it: `parameteriseRead` returns them, in the order of the
 * slots.
 */
export function compileRead(
  model: ContentModel,
  query: ReadQuery,
  expressions: SqlExpressions,
  { search = null, hasLocale = null }: ReadOptions = {},
): CompiledRead {
  const type = typeOf(model, query.type);
  const choice =
    search === null
      ? chooseIndexes(type, query, findStartingLink(model, type, query.filter), expressions)
      : chooseIndexesBeside(type, query, expressions);
  const parameters = parameteriseRead(query, searchParameters(search, expressions), hasLocale);
  const compile = (counted?: Counted): CompiledRead => {
    const context = contextFor(model, expressions, query, parameters, { ...choice, counted });
    const scope = createRowScope(context, type);
    const keys = rootKeys(context, scope, query);
    const rows =
      search === null
        ? compileRows(context, scope, query, choice)
        : compileFoundRows(context, scope, query, search);
    const record = expressions.json.text(compileRecord(context, scope, query.selection));
    const text = query.page?.cursor === undefined ? record : withPosition(context, keys, record);
    return toCompiledRead(context, sql`select ${text} ${rows}`);
  };
  const limit = expressions.interruptible === null ? null : limitByLength(query.selection);
  return limit === null
    ? compile()
    : Object.freeze({ ...compile(), uncounted: { ...limit, sql: compile('unprinted').sql } });
}

/** The total that a read without a filter asks for. */
const totalOf = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
): Omit<TotalOptions, 'counted'> => ({
  name: query.type,
  table: scope.schema.storage.version.table,
  status: sql.lit(requestedStatus(context, scope)),
  locale: localeEquality(context, scope, query)[0]?.value ?? null,
});

/** Whether a read selects all versions of a status, in one locale or in all. */
const isWhole = (query: ReadQuery): boolean =>
  query.filter === null && publicationFilterOf(query) === null && query.isOfAllStatuses !== true;

interface CountOptions {
  readonly search?: SearchPlan | null;
  /** Whether the database has totals. */
  readonly hasTotals?: boolean;
}

/** Compiles the number of rows that a read selects, ignoring its page. */
export function compileCount(
  model: ContentModel,
  query: ReadQuery,
  expressions: SqlExpressions,
  { search = null, hasTotals = false }: CountOptions = {},
): CompiledRead {
  const type = typeOf(model, query.type);
  const parameters = parameteriseCount(query, searchParameters(search, expressions));
  const context = contextFor(model, expressions, query, parameters);
  const scope = createRowScope(context, type);
  const table = versionTable(scope);
  const where = rootConditions(context, scope, query);
  if (search !== null) {
    const found = { ...foundRows(context, scope, search), table, alias: scope.alias, where };
    return toCompiledRead(context, expressions.search.count(found));
  }
  const counted = sql`select count(*) from ${table} ${whereAll(where)}`;
  return toCompiledRead(
    context,
    hasTotals && isWhole(query)
      ? expressions.totals.total({ ...totalOf(context, scope, query), counted })
      : counted,
  );
}
