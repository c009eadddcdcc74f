import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type {
  JsonPairs,
  ReadBudget,
  SqlExpressions,
  SqlJson,
} from '../../database/dialect/sql-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { Component, ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { FilterNode, PublicationFilter, Selection, Slice } from '../query.js';
import type { ParameterSlot } from './parameterise.js';
import type { SearchPlan } from './plan-search.js';

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
