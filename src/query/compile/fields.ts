import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { ContentSchema, ContentType } from '../../model/model.js';
import type { CompileContext } from './compile-context.js';
import { column } from './scope.js';
import type { ItemScope, Scope } from './scope.js';

/** A scalar value in SQL, with the kind as which it compares. */
export interface ComparableValue {
  readonly value: RawBuilder<unknown>;
  readonly kind: ColumnKind;
  /** True if an index holds it in the order of the API. */
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

const storedField = (type: ContentType, field: string): StoredField => {
  const stored = scalarOf(type, field) ?? SYSTEM_FIELDS[field];
  if (stored === undefined) throw new TypeError(`${type.uid} has no field ${field}`);
  return stored;
};

/** True if an index of the type's version table begins with the fields, in the order of the API. */
export function isIndexed(type: ContentType, ...fields: readonly string[]): boolean {
  const names = fields.map((field) => storedField(type, field).column);
  return type.indexes.some((index) => names.every((name, position) => index[position]?.column === name));
}

const itemKind = (scope: ItemScope, field: string): ColumnKind => {
  const kind = field === 'id' ? 'integer' : scalarOf(scope.schema, field)?.kind;
  if (kind === undefined) throw new TypeError(`${scope.schema.uid} has no field ${field}`);
  return kind;
};

/** Returns a field to compare or sort by. Inside components times are ISO text, which has the same order. */
export function fieldValue({ expressions }: CompileContext, scope: Scope, field: string): ComparableValue {
  if (scope.kind === 'row') {
    const stored = storedField(scope.schema, field);
    const value = column(scope.alias, stored.column);
    return { value, kind: stored.kind, isIndexed: isIndexed(scope.schema, field) };
  }
  const kind = itemKind(scope, field);
  return {
    value: expressions.json.field(scope.json, field, kind),
    kind: kind === 'datetime' ? 'text' : kind,
    isIndexed: false,
  };
}

const printsMilliseconds = ({ attributes }: ContentSchema, field: string): boolean => {
  const attribute = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  return attribute?.family === 'scalar' && attribute.field.printsMilliseconds === true;
};

/** Returns a field as JSON, with moments as ISO text. */
function storedJson({ expressions }: CompileContext, scope: Scope, field: string): RawBuilder<SqlJson> {
  if (scope.kind === 'item') return scope.member(field);
  const { column: name, kind } = storedField(scope.schema, field);
  if (name === 'locale' && !scope.schema.localized && field === 'locale') return sql`null`;
  return expressions.json.value(kind, column(scope.alias, name));
}

/** Returns a field as the JSON of REST. */
export function fieldJson(context: CompileContext, scope: Scope, field: string): RawBuilder<SqlJson> {
  if (!printsMilliseconds(scope.schema, field)) return storedJson(context, scope, field);
  const { value } = fieldValue(context, scope, field);
  const { json } = context.expressions;
  return json.value('text', json.milliseconds(value, scope.kind === 'row' ? 'datetime' : 'text'));
}
