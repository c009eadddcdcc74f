import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import type { AttributeHolder } from '../model/model.js';
import type { CompileContext } from './compile-context.js';
import { column } from './scope.js';
import type { ItemScope, RowScope, Scope } from './scope.js';

/** A scalar as SQL compares it. */
export interface ComparableValue {
  readonly value: RawBuilder<unknown>;
  readonly kind: ColumnKind;
}

interface StoredField {
  readonly column: string;
  readonly kind: ColumnKind;
}

const SYSTEM_FIELDS: Readonly<Record<string, StoredField>> = {
  id: { column: 'id', kind: 'integer' },
  documentId: { column: 'document_id', kind: 'text' },
  locale: { column: 'locale', kind: 'text' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
  publishedAt: { column: 'published_at', kind: 'datetime' },
};

const scalarOf = (holder: AttributeHolder, field: string): StoredField | undefined => {
  const attribute = Object.hasOwn(holder.attributes, field) ? holder.attributes[field] : undefined;
  return attribute?.family === 'scalar' ? { column: attribute.column.name, kind: attribute.column.kind } : undefined;
};

const storedField = (scope: RowScope, field: string): StoredField => {
  const stored = scalarOf(scope.holder, field) ?? SYSTEM_FIELDS[field];
  if (stored === undefined) throw new TypeError(`${scope.holder.uid} has no field ${field}`);
  return stored;
};

const itemKind = (scope: ItemScope, field: string): ColumnKind => {
  const kind = field === 'id' ? 'integer' : scalarOf(scope.holder, field)?.kind;
  if (kind === undefined) throw new TypeError(`${scope.holder.uid} has no field ${field}`);
  return kind;
};

/** A field to be compared or sorted by. Inside components times are ISO text, which compares as they do. */
export function fieldValue({ dialect }: CompileContext, scope: Scope, field: string): ComparableValue {
  if (scope.kind === 'row') {
    const stored = storedField(scope, field);
    return { value: column(scope.alias, stored.column), kind: stored.kind };
  }
  const kind = itemKind(scope, field);
  return { value: dialect.jsonField(scope.json, field, kind), kind: kind === 'datetime' ? 'text' : kind };
}

/** A field as JSON, to be answered. */
export function fieldJson({ dialect }: CompileContext, scope: Scope, field: string): RawBuilder<unknown> {
  if (scope.kind === 'item') return scope.member(field);
  const { column: name, kind } = storedField(scope, field);
  if (name === 'locale' && !scope.holder.localized && field === 'locale') return sql`null`;
  return dialect.jsonValue(kind, column(scope.alias, name));
}
