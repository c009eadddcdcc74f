import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import type { ContentSchema } from '../model/model.js';
import type { CompileContext } from './compile-context.js';
import { column } from './scope.js';
import type { ItemScope, RowScope, Scope } from './scope.js';

/** A scalar value in SQL, with the kind as which it compares. */
export interface ComparableValue {
  readonly value: RawBuilder<unknown>;
  readonly kind: ColumnKind;
  /** Whether an index holds it in the order of the API. */
  readonly isIndexed: boolean;
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

const scalarOf = (schema: ContentSchema, field: string): StoredField | undefined => {
  const attribute = Object.hasOwn(schema.attributes, field) ? schema.attributes[field] : undefined;
  return attribute?.family === 'scalar'
    ? { column: attribute.column.name, kind: attribute.column.kind }
    : undefined;
};

const storedField = (scope: RowScope, field: string): StoredField => {
  const stored = scalarOf(scope.schema, field) ?? SYSTEM_FIELDS[field];
  if (stored === undefined) throw new TypeError(`${scope.schema.uid} has no field ${field}`);
  return stored;
};

const itemKind = (scope: ItemScope, field: string): ColumnKind => {
  const kind = field === 'id' ? 'integer' : scalarOf(scope.schema, field)?.kind;
  if (kind === undefined) throw new TypeError(`${scope.schema.uid} has no field ${field}`);
  return kind;
};

/** Returns a field to compare or sort by. Inside components times are ISO text, which has the same order. */
export function fieldValue({ expressions }: CompileContext, scope: Scope, field: string): ComparableValue {
  if (scope.kind === 'row') {
    const stored = storedField(scope, field);
    const isIndexed = scope.schema.indexes.some(([first]) => first?.column === stored.column);
    return { value: column(scope.alias, stored.column), kind: stored.kind, isIndexed };
  }
  const kind = itemKind(scope, field);
  return {
    value: expressions.json.field(scope.json, field, kind),
    kind: kind === 'datetime' ? 'text' : kind,
    isIndexed: false,
  };
}

/** Returns a field as JSON. */
export function fieldJson({ expressions }: CompileContext, scope: Scope, field: string): RawBuilder<unknown> {
  if (scope.kind === 'item') return scope.member(field);
  const { column: name, kind } = storedField(scope, field);
  if (name === 'locale' && !scope.schema.localized && field === 'locale') return sql`null`;
  return expressions.json.value(kind, column(scope.alias, name));
}
