import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Equality, FromClause, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { ContentModel } from '../../model/model.js';
import { NO_LOCALE } from '../../model/model.js';
import { orderKeysOf } from '../cursor.js';
import { publicationFilterOf } from '../query.js';
import type { ReadQuery } from '../query.js';
import { typeOf } from '../../model/lookup.js';
import { budgetOf, interruptibleRows } from './budget.js';
import {
  column,
  compileSlice,
  createCompileContext,
  orderByAll,
  whereAll,
  searchParameters,
} from './compile-context.js';
import type { CompileContext, RowScope, SearchPlan } from './compile-context.js';
import { beyondCursor, withPosition, compileOrder, compileOrderKeys } from './sort.js';
import type { OrderKey } from './sort.js';
import { compileCondition, compileListFilter } from './filter.js';
import { createRowScope, publicationConditions, statusEqualities, versionTable } from './version-rows.js';
import { parameteriseCount, parameteriseRead } from './parameterise.js';
import type { ParameterSlot, ParameterisedQuery } from './parameterise.js';
import { compileRecord } from './record.js';

/** The statement for all queries of one shape, and the slots of its parameters. */
export interface CompiledRead {
  readonly sql: string;
  readonly slots: readonly ParameterSlot[];
}

const localeEquality = (context: CompileContext, scope: RowScope, query: ReadQuery): readonly Equality[] => {
  const locale = { column: column(scope.alias, 'locale'), isOuter: false };
  if (!scope.schema.localized) return [{ ...locale, value: sql.lit(NO_LOCALE) }];
  if (query.locale === '*') return [];
  return [{ ...locale, value: context.bind(query, 'text') }];
};

/** The rows that a full-text index finds, from which the filter selects. */
const searchConditions = (context: CompileContext, { alias }: RowScope): readonly RawBuilder<unknown>[] => {
  const { search, expressions } = context;
  if (search === null) return [];
  const bind = (offset: number): RawBuilder<unknown> => context.bind(search, 'text', offset);
  return [expressions.search.condition({ ...search, alias, bind })];
};

/** Selects the versions that a query reads. */
const versionConditions = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
): readonly RawBuilder<unknown>[] => [
  ...[...statusEqualities(context, scope), ...localeEquality(context, scope, query)].map(
    ({ column: left, value }) => sql`${left} = ${value}`,
  ),
  ...interruptibleRows(context, scope),
  ...searchConditions(context, scope),
  ...publicationConditions(context, scope),
];

/** Selects the versions that a query reads, and that its filter matches. */
export const rootConditions = (
  context: CompileContext,
  scope: RowScope,
  query: ReadQuery,
): readonly RawBuilder<unknown>[] => [
  ...versionConditions(context, scope, query),
  ...(query.filter === null ? [] : [compileCondition(context, scope, query.filter)]),
];

/** Selects the same versions for a list, which is read in order. */
const listRows = (context: CompileContext, scope: RowScope, query: ReadQuery): FromClause => {
  const version = versionConditions(context, scope, query);
  const { from, where } = compileListFilter(context, scope, query.filter);
  return { from, where: [...version, ...where] };
};

/** Returns the order keys of a read, on its rows under an alias. */
const rootKeys = (context: CompileContext, scope: RowScope, { sort, page }: ReadQuery): readonly OrderKey[] =>
  compileOrderKeys(context, scope, orderKeysOf(sort), page?.isReversed);

/** Selects the rows of a page: all that match, or those beyond its cursor. */
const pageRows = (context: CompileContext, scope: RowScope, query: ReadQuery): FromClause => {
  const { page } = query;
  if (page?.cursor === undefined || page.cursor.position === null) return listRows(context, scope, query);
  const rows = {
    matching: (rowScope: RowScope) => listRows(context, rowScope, query),
    keys: (rowScope: RowScope) => rootKeys(context, rowScope, query),
  };
  return beyondCursor(context, scope, { page, cursor: page.cursor, position: page.cursor.position }, rows);
};

/** Creates the context of one statement for a query. */
export const contextFor = (
  model: ContentModel,
  expressions: SqlExpressions,
  query: ReadQuery,
  { nodes }: ParameterisedQuery,
  search: SearchPlan | null = null,
): CompileContext =>
  createCompileContext({
    model,
    expressions,
    status: query.isOfAllStatuses === true ? null : query.status,
    publication: publicationFilterOf(query),
    release: query.release ?? null,
    withoutDrafts: query.withoutDrafts ?? [],
    budget: budgetOf(query.selection),
    search,
    nodes,
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

/** The clauses from `FROM` on. */
const compileRows = (context: CompileContext, scope: RowScope, query: ReadQuery): RawBuilder<unknown> => {
  const { from, where } = pageRows(context, scope, query);
  return context.expressions.orderedRows({
    table: versionTable(scope),
    from,
    alias: scope.alias,
    where: whereAll(where),
    order: orderByAll(compileOrder(context, rootKeys(context, scope, query))),
    isById: query.sort.length === 0,
    slice: query.page === null ? null : compileSlice(context, query.page),
  });
};

interface ReadOptions {
  readonly search?: SearchPlan | null;
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
  { search = null }: ReadOptions = {},
): CompiledRead {
  const type = typeOf(model, query.type);
  const parameters = parameteriseRead(query, searchParameters(search, expressions));
  const context = contextFor(model, expressions, query, parameters, search);
  const scope = createRowScope(context, type);
  const keys = rootKeys(context, scope, query);
  const rows = compileRows(context, scope, query);
  const record = expressions.json.text(compileRecord(context, scope, query.selection));
  const text = query.page?.cursor === undefined ? record : withPosition(context, keys, record);
  return toCompiledRead(context, sql`select ${text} ${rows}`);
}

/**
 * Compiles the number of rows that a read selects, ignoring its page. If an index alone selects the rows, the
 * statement cannot be ended early, since the check would take half as long again: 5 ms for 100,000 rows.
 */
export function compileCount(
  model: ContentModel,
  query: ReadQuery,
  expressions: SqlExpressions,
  { search = null }: ReadOptions = {},
): CompiledRead {
  const type = typeOf(model, query.type);
  const parameters = parameteriseCount(query, searchParameters(search, expressions));
  const isPlain = query.filter === null && search === null && publicationFilterOf(query) === null;
  const counting = isPlain ? { ...expressions, interruptible: null } : expressions;
  const context = contextFor(model, counting, query, parameters, search);
  const scope = createRowScope(context, type);
  const where = whereAll(rootConditions(context, scope, query));
  return toCompiledRead(context, sql`select count(*) from ${versionTable(scope)} ${where}`);
}
