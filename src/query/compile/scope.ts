import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { Component, ContentType } from '../../model/model.js';

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
