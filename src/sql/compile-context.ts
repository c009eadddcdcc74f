import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Dialect } from '../dialects/dialect.js';
import type { ColumnKind } from '../lib/stored-value.js';
import type { Component, ContentModel, ContentType, Uid, VersionStatus } from '../model/model.js';
import type { PublicationFilter } from '../query/publication-filter.js';
import type { FilterNode, Selection } from '../query/query.js';
import type { Scope } from './scope.js';
import type { Slot } from './slots.js';

/** What compiling one statement shares. The parts of the compiler that need each other meet here. */
export interface CompileContext {
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly status: VersionStatus;
  /** Which documents the read and its populated relations show, by how their versions relate; null: all. */
  readonly publication: PublicationFilter | null;
  readonly alias: (prefix: string) => string;
  /** The parameter for a value of that holder (the `offset`th, where it has two). */
  readonly bind: (holder: object, kind: ColumnKind, offset?: number) => RawBuilder<unknown>;
  /** The slot for a list of that holder, for the dialect's `among`. */
  readonly list: (holder: object, kind: ColumnKind) => Slot;
  readonly record: (context: CompileContext, scope: Scope, selection: Selection, leading?: JsonPairList) => RawBuilder<unknown>;
  readonly condition: (context: CompileContext, scope: Scope, filter: FilterNode) => RawBuilder<boolean>;
}

export type JsonPairList = readonly (readonly [key: string, value: Expression<unknown>])[];

type ContextParts = Pick<CompileContext, 'model' | 'dialect' | 'status' | 'publication' | 'record' | 'condition'> & { readonly holders: readonly object[] };

export function createCompileContext({ holders, ...parts }: ContextParts): CompileContext {
  const places = new Map(holders.toReversed().map((holder, index) => [holder, holders.length - 1 - index]));
  let aliases = 0;
  const slot = (holder: object, kind: ColumnKind, { offset = 0, list = false }): Slot => {
    const place = places.get(holder);
    if (place === undefined) throw new TypeError('A value of the query was not taken apart');
    return Object.freeze({ index: place + offset, kind, list });
  };
  return {
    ...parts,
    alias: (prefix) => {
      aliases += 1;
      return `${prefix}${aliases}`;
    },
    bind: (holder, kind, offset = 0) => parts.dialect.parameter(kind, slot(holder, kind, { offset })),
    list: (holder, kind) => slot(holder, kind, { list: true }),
  };
}

export function typeOf({ model }: CompileContext, uid: Uid): ContentType {
  const type = model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`The model has no type ${uid}`);
  return type;
}

export function componentOf({ model }: CompileContext, uid: Uid): Component {
  const component = model.componentsByUid[uid];
  if (component === undefined) throw new TypeError(`The model has no component ${uid}`);
  return component;
}

/** Conditions joined two by two, so that a long list does not nest deeper than a database's parser goes. */
export function joinConditions(conditions: readonly Expression<unknown>[], word: 'and' | 'or'): RawBuilder<boolean> {
  const [first] = conditions;
  if (first === undefined) return sql<boolean>`1 = 1`;
  if (conditions.length === 1) return sql<boolean>`${first}`;
  const half = conditions.length >> 1;
  const [left, right] = [joinConditions(conditions.slice(0, half), word), joinConditions(conditions.slice(half), word)];
  return sql<boolean>`(${left} ${sql.raw(word)} ${right})`;
}

export function whereAll(conditions: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

export function orderByAll(items: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return items.length === 0 ? sql`` : sql`order by ${sql.join(items)}`;
}
