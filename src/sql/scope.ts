import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Dialect } from '../dialects/dialect.js';
import type { Component, ContentType } from '../model/model.js';

/** A version row that is read from, by its alias in the statement. */
export interface RowScope {
  readonly kind: 'row';
  readonly holder: ContentType;
  readonly alias: string;
}

/** One component inside such a row. */
export interface ItemScope {
  readonly kind: 'item';
  readonly holder: Component;
  /** The component's own JSON object. */
  readonly json: Expression<unknown>;
  /** The value under a key of it, as JSON. */
  readonly member: (key: string) => RawBuilder<unknown>;
  /** The row that holds it, whose locale and status are the component's. */
  readonly row: RowScope;
}

export type Scope = RowScope | ItemScope;

export function column<T = unknown>(alias: string, name: string): RawBuilder<T> {
  return sql<T>`${sql.id(alias, name)}`;
}

/** The row itself, or the one that holds the component. */
export function rowOf(scope: Scope): RowScope {
  return scope.kind === 'row' ? scope : scope.row;
}

/** A component of that kind inside a row or another component. */
export function itemScope(dialect: Pick<Dialect, 'jsonMember'>, scope: Scope, holder: Component, json: Expression<unknown>): ItemScope {
  return { kind: 'item', holder, json, member: (key) => dialect.jsonMember(json, key), row: rowOf(scope) };
}
