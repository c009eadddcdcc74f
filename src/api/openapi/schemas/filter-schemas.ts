import { FIELD_TYPES } from '../../../model/fields/registry.js';
import type { FieldType } from '../../../model/fields/field-type.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import type { Attribute, ContentSchema } from '../../../model/model.js';
import {
  isContentType,
  isLocalizations,
  LOCALIZATIONS,
  readableAttribute,
  shownFields,
} from '../../../query/schema-fields.js';
import { anyOf, listOf, objectOf } from './json.js';
import type { SchemaBook } from './schema-book.js';
import type { SharedName } from './shared-schemas.js';

/** The operators of values by the kind of filter that GraphQL has for them. */
const SHARED_FILTERS: Readonly<Record<string, SharedName>> = {
  StringFilterInput: 'TextFilter',
  IntFilterInput: 'NumberFilter',
  FloatFilterInput: 'NumberFilter',
  LongFilterInput: 'LongFilter',
  BooleanFilterInput: 'BooleanFilter',
  DateFilterInput: 'DateFilter',
  TimeFilterInput: 'TimeFilter',
  DateTimeFilterInput: 'DateTimeFilter',
  JSONFilterInput: 'JsonFilter',
};

const ofField = (book: SchemaBook, { graphql }: FieldType): JsonSchema =>
  book.shared(SHARED_FILTERS[graphql.filter ?? ''] ?? 'TextFilter');

/** Dynamic zones cannot be filtered by, nor can relations to whatever type. */
const attributeFilter = (book: SchemaBook, attribute: Attribute): JsonSchema | null => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.field.filterable ? ofField(book, attribute.field) : null;
    case 'relation':
    case 'media':
      return attribute.target === null
        ? null
        : anyOf(book.of(attribute.target, 'Filters'), book.shared('PresenceFilter'));
    case 'component':
      return anyOf(book.of(attribute.component, 'Filters'), book.shared('PresenceFilter'));
    default:
      return null;
  }
};

const systemFilters = (book: SchemaBook, schema: ContentSchema): Readonly<Record<string, JsonSchema>> => {
  const id = { id: ofField(book, FIELD_TYPES.integer) };
  if (!isContentType(schema)) return id;
  const text = ofField(book, FIELD_TYPES.string);
  const moment = ofField(book, FIELD_TYPES.datetime);
  const fields = {
    documentId: text,
    createdAt: moment,
    updatedAt: moment,
    publishedAt: moment,
    locale: text,
  };
  return { ...id, ...shownFields(schema, fields) };
};

/** Returns the schema of `filters`: conditions on attributes and linked documents, all of which must hold. */
export function filterSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  const own = book.of(schema.uid, 'Filters');
  const attributes = Object.values(schema.attributes)
    .filter(({ name }) => readableAttribute(schema, name) !== null)
    .flatMap((attribute) => {
      const filter = attributeFilter(book, attribute);
      return filter === null ? [] : [[attribute.name, filter] as const];
    });
  return objectOf({
    ...systemFilters(book, schema),
    ...Object.fromEntries(attributes),
    ...(isLocalizations(schema, LOCALIZATIONS) ? { [LOCALIZATIONS]: own } : {}),
    $and: listOf(own),
    $or: listOf(own),
    $not: own,
  });
}
