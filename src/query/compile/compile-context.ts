import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type {
  JsonPairs,
  ReadBudget,
  SqlExpressions,
  SqlJson,
} from '../../database/dialect/sql-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type {
  Component,
  ContentModel,
  ContentType,
  Uid,
  VersionStatus,
  SearchIndex,
} from '../../model/model.js';
import type { SearchExpressions, TextMatch } from '../../database/dialect/search-expressions.js';
import { typeOf } from '../../model/lookup.js';
import type {
  FilterNode,
  PublicationFilter,
  Selection,
  Slice,
  CompareNode,
  ComparisonOperator,
  ReadQuery,
  ReleaseName,
} from '../query.js';
import type { ParameterSlot, SearchParameters } from './parameterise.js';

/** Plan for finding rows by a full-text index. It is also the node that the values are bound to. */
export interface SearchPlan {
  readonly index: SearchIndex;
  readonly match: TextMatch;
}

/** Operators whose operand the value contains. `$eq` and `$startsWith` use an attribute's index instead. */
const CASED: ReadonlySet<ComparisonOperator> = new Set(['$contains', '$endsWith']);
const CASELESS: ReadonlySet<ComparisonOperator> = new Set([
  '$containsi',
  '$startsWithi',
  '$endsWithi',
  '$eqi',
]);

/** True if a full-text index can find the rows of a comparison with the operator. */
export const isSearchOperator = (operator: ComparisonOperator): boolean =>
  CASED.has(operator) || CASELESS.has(operator);

interface MatchContext {
  readonly index: SearchIndex;
  readonly search: SearchExpressions;
}

const comparisonMatch = (
  { index, search }: MatchContext,
  { field, operator, operand }: CompareNode,
): TextMatch | null => {
  if (!isSearchOperator(operator) || typeof operand !== 'string') return null;
  const isFolded = CASELESS.has(operator);
  const text = index.texts.findIndex((values) => values.some((value) => value.field === field));
  if (text === -1 || !search.canFind(operand, { isFolded })) return null;
  return { kind: 'contains', text, term: operand, isFolded };
};

/** Returns the terms that all rows selected by a filter contain. Null: no term that an index finds. */
const matchOf = (context: MatchContext, node: FilterNode): TextMatch | null => {
  if (node.kind === 'compare') return comparisonMatch(context, node);
  if (node.kind !== 'and' && node.kind !== 'or') return null;
  const matches = node.items.map((item) => matchOf(context, item));
  const items = matches.filter((match) => match !== null);
  if (items.length === 0 || (node.kind === 'or' && items.length < matches.length)) return null;
  return { kind: node.kind, items: withoutRepeats(items) };
};

/** Several short values form one text, so comparisons with each may be equal for the index. */
const withoutRepeats = (matches: readonly TextMatch[]): readonly TextMatch[] =>
  matches.filter(
    (match, position) => matches.findIndex((other) => isDeepStrictEqual(match, other)) === position,
  );

/**
 * Returns the plan by which a full-text index finds the candidate rows of a read, or null if it cannot.
 *
 * @param available the names of the full-text indexes that the database has
 */
export function planSearch(
  model: ContentModel,
  { type, filter }: ReadQuery,
  search: SearchExpressions,
  available: ReadonlySet<string>,
): SearchPlan | null {
  const { search: index } = typeOf(model, type);
  if (index === null || filter === null || !available.has(search.nameOf(index))) return null;
  const match = matchOf({ index, search }, filter);
  return match === null ? null : Object.freeze({ index, match });
}

/** Returns the part of a statement's shape that depends on a match. */
const shapeOf = (match: TextMatch): string =>
  match.kind === 'contains' ? `~${match.text}` : `${match.kind}(${match.items.map(shapeOf).join()})`;

/** Returns the parameters that a read binds for its full-text index. */
export function searchParameters(
  plan: SearchPlan | null,
  { search }: { readonly search: SearchExpressions },
): SearchParameters | null {
  return plan === null
    ? null
    : { node: plan, shape: shapeOf(plan.match), values: search.valuesOf(plan.match) };
}

/** A version row to read from, by its alias in the statement. */
export interface RowScope {
  readonly kind: 'row';
  readonly schema: ContentType;
  readonly alias: string;
}

/** A component inside such a row. */
export interface ItemScope {
  readonly kind: 'item';
  readonly schema: Component;
  /** The JSON object of the component. */
  readonly json: Expression<unknown>;
  /** Returns the JSON value of a key. */
  readonly member: (key: string) => RawBuilder<SqlJson>;
  /** The row that contains the component, and determines its locale and status. */
  readonly row: RowScope;
}

export type Scope = RowScope | ItemScope;

/** Returns a column of the table or subquery with that alias. */
export function column<T = unknown>(alias: string, name: string): RawBuilder<T> {
  return sql<T>`${sql.id(alias, name)}`;
}

/** Returns the row itself, or the row that contains the component. */
export function rowOf(scope: Scope): RowScope {
  return scope.kind === 'row' ? scope : scope.row;
}

/** Creates the scope of a component inside a row or another component. */
export function createItemScope(
  expressions: Pick<SqlExpressions, 'json'>,
  scope: Scope,
  schema: Component,
  json: Expression<unknown>,
): ItemScope {
  return {
    kind: 'item',
    schema,
    json,
    member: (key) => expressions.json.member(json, key),
    row: rowOf(scope),
  };
}

/**
 * Shared while compiling one statement. `record` and `condition` are passed here because they depend on each
 * other.
 */
export interface CompileContext {
  readonly model: ContentModel;
  readonly expressions: SqlExpressions;
  /** Null: versions of both statuses are read, and linked versions have the status of the linking version. */
  readonly status: VersionStatus | null;
  /** The publication filter of the read and its populated relations. Null: none. */
  readonly publication: PublicationFilter | null;
  /** The release whose changes are read as if they were published. Null: none. */
  readonly release: ReleaseName | null;
  /** The types that are read as if they had no drafts. */
  readonly withoutDrafts: readonly Uid[];
  /** The statement's budget for records. Null: no limit. */
  readonly budget: ReadBudget | null;
  /** The plan for finding the rows of the read by a full-text index. Null: no index is used. */
  readonly search: SearchPlan | null;
  /** Returns a new alias, unique in the statement: the prefix and a number. */
  readonly nextAlias: (prefix: string) => string;
  /** Returns the parameter for a value of a query node. `offset` selects among several values. */
  readonly bind: (node: object, kind: ColumnKind, offset?: number) => RawBuilder<unknown>;
  /** Returns the slot for a list value of a query node, for the operator `in`. */
  readonly bindList: (node: object, kind: ColumnKind) => ParameterSlot;
  readonly record: (
    context: CompileContext,
    scope: Scope,
    selection: Selection,
    leading?: JsonPairs,
  ) => RawBuilder<SqlJson>;
  readonly condition: (context: CompileContext, scope: Scope, filter: FilterNode) => RawBuilder<boolean>;
}

type CompileContextDependencies = Pick<
  CompileContext,
  | 'model'
  | 'expressions'
  | 'status'
  | 'publication'
  | 'release'
  | 'withoutDrafts'
  | 'budget'
  | 'search'
  | 'record'
  | 'condition'
> & { readonly nodes: readonly object[] };

/**
 * Creates the context of one statement, with separate aliases.
 *
 * `nodes` are the query nodes whose values are parameters, in the order of the values.
 */
export function createCompileContext({ nodes, ...dependencies }: CompileContextDependencies): CompileContext {
  const firstIndexes = new Map(nodes.toReversed().map((node, index) => [node, nodes.length - 1 - index]));
  let aliases = 0;
  const slot = (node: object, kind: ColumnKind, { offset = 0, isList = false }): ParameterSlot => {
    const firstIndex = firstIndexes.get(node);
    if (firstIndex === undefined) throw new TypeError('The query node has no parameters');
    return Object.freeze({ index: firstIndex + offset, kind, isList });
  };
  return {
    ...dependencies,
    nextAlias: (prefix) => {
      aliases += 1;
      return `${prefix}${aliases}`;
    },
    bind: (node, kind, offset = 0) => dependencies.expressions.parameter(kind, slot(node, kind, { offset })),
    bindList: (node, kind) => slot(node, kind, { isList: true }),
  };
}

/** Joins conditions as a balanced tree, because parsers of databases limit the nesting depth. */
export function joinConditions(
  conditions: readonly Expression<unknown>[],
  operator: 'and' | 'or',
): RawBuilder<boolean> {
  const [first] = conditions;
  if (first === undefined) return sql<boolean>`1 = 1`;
  if (conditions.length === 1) return sql<boolean>`${first}`;
  const half = conditions.length >> 1;
  const [left, right] = [
    joinConditions(conditions.slice(0, half), operator),
    joinConditions(conditions.slice(half), operator),
  ];
  return sql<boolean>`(${left} ${sql.raw(operator)} ${right})`;
}

/** Prints a WHERE clause that requires all conditions. Empty if there are none. */
export function whereAll(conditions: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

/** Prints an ORDER BY clause. Empty if there are no items. */
export function orderByAll(items: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return items.length === 0 ? sql`` : sql`order by ${sql.join(items)}`;
}

/** `LIMIT … OFFSET …`, both as parameters. Empty for the whole list. */
export function compileSlice(
  { bind, expressions }: CompileContext,
  slice: Slice | null,
): RawBuilder<unknown> {
  return slice === null ? sql`` : expressions.slice(bind(slice, 'integer'), bind(slice, 'integer', 1));
}
