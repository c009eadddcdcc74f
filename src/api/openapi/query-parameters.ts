import type { JsonSchema } from '../../lib/json.js';
import type { FieldType } from '../../model/fields/field-type.js';
import { FIELD_TYPES } from '../../model/fields/registry.js';
import { targetsOf as linkTargetsOf } from '../../model/lookup.js';
import type { Attribute, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { PUBLICATION_FILTERS } from '../../query/query.js';
import {
  LOCALIZATIONS,
  isContentType,
  isLocalizations,
  populatableNames,
  readableAttribute,
  selectableFields,
  shownFields,
} from '../../query/schema-fields.js';
import { BOOLEAN, INTEGER, TEXT, anyOf, listOf, objectOf } from './schema-book.js';
import type { SchemaBook, SharedName } from './schema-book.js';
import { nestedParameter, parameter } from './endpoint.js';
import type { OpenapiObject } from './endpoint.js';

const EVERYTHING: JsonSchema = { const: '*' };

/** Returns the schema of options for the components of a zone, or for documents of several types. */
const onEach = (book: SchemaBook, uids: readonly Uid[]): JsonSchema =>
  objectOf({
    populate: EVERYTHING,
    on: objectOf(
      Object.fromEntries(uids.map((uid) => [uid, anyOf(BOOLEAN, EVERYTHING, book.of(uid, 'Populated'))])),
    ),
  });

const targetsOf = (attribute: Attribute): readonly Uid[] => {
  switch (attribute.family) {
    case 'component':
      return [attribute.component];
    case 'relation':
    case 'media':
      return linkTargetsOf(attribute);
    default:
      return attribute.family === 'dynamiczone' ? attribute.components : [];
  }
};

const populateOf = (book: SchemaBook, schema: ContentSchema, name: string): JsonSchema => {
  const attribute = schema.attributes[name];
  if (attribute === undefined) {
    const own = isLocalizations(schema, LOCALIZATIONS) ? [book.of(schema.uid, 'Populated')] : [];
    return anyOf(BOOLEAN, EVERYTHING, ...own);
  }
  const targets = targetsOf(attribute);
  const [target] = targets;
  const isOfSeveral =
    attribute.family === 'dynamiczone' || (attribute.family === 'relation' && attribute.target === null);
  if (isOfSeveral) return anyOf(BOOLEAN, EVERYTHING, onEach(book, targets));
  return anyOf(BOOLEAN, EVERYTHING, ...(target === undefined ? [] : [book.of(target, 'Populated')]));
};

/** Returns the schema of `populate` as an object: options by attribute name. */
export function populateSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return objectOf(
    Object.fromEntries(populatableNames(schema).map((name) => [name, populateOf(book, schema, name)])),
  );
}

/** Returns the schema of `populate`: `*`, names with commas or as a list, or an object. */
function populateParameter(book: SchemaBook, { uid }: ContentSchema, names: readonly string[]): JsonSchema {
  return anyOf(TEXT, listOf({ type: 'string', enum: [...names, '*'] }), book.of(uid, 'Populate'));
}

/** The names that `fields` takes. */
function fieldsParameter(schema: ContentSchema): JsonSchema {
  return listOf({ type: 'string', enum: [...selectableFields(schema), 'id', 'documentId', '*'] });
}

/** Returns the schema of options for populated documents and components. */
export function populatedSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  const names = populatableNames(schema);
  return objectOf({
    fields: fieldsParameter(schema),
    ...(names.length === 0 ? {} : { populate: populateParameter(book, schema, names) }),
    filters: book.of(schema.uid, 'Filters'),
    sort: book.shared('Sort'),
    start: INTEGER,
    limit: INTEGER,
  });
}

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

type Parameters = readonly OpenapiObject[];

/** Returns the parameters that shape the documents of a response. */
export function shapeParameters(book: SchemaBook, type: ContentType): Parameters {
  const names = populatableNames(type);
  return [
    parameter('fields', fieldsParameter(type), 'The attributes that are wanted. Ids always come along.'),
    ...(names.length === 0
      ? []
      : [
          nestedParameter(
            'populate',
            populateParameter(book, type, names),
            'What comes along: `*`, names with commas between them, or for each name what is wanted of it: ' +
              '`populate[author][fields]=name`.',
          ),
        ]),
  ];
}

/** Returns the parameters that select a version. */
export function versionParameters({ draftAndPublish, localized }: ContentType): Parameters {
  const status = { type: 'string', enum: ['published', 'draft'], default: 'published' };
  return [
    ...(draftAndPublish ? [parameter('status', status, 'Published versions, or drafts.')] : []),
    ...(localized ? [parameter('locale', TEXT, 'A locale code. Default: the default locale.')] : []),
  ];
}

const listVersionParameters = (type: ContentType): Parameters => {
  const [status, ...rest] = versionParameters(type);
  const locale = parameter(
    'locale',
    anyOf(TEXT, listOf(TEXT)),
    'A locale code, several, or `*` for all locales. Default: the default locale.',
  );
  if (!type.draftAndPublish) return type.localized ? [locale] : [];
  return [
    ...(status === undefined ? [] : [status]),
    ...(rest.length === 0 ? [] : [locale]),
    parameter('hasPublishedVersion', BOOLEAN, 'Only documents that have, or lack, a published version.'),
    parameter(
      'publicationFilter',
      { type: 'string', enum: PUBLICATION_FILTERS },
      'Only versions whose draft and published version relate in this way.',
    ),
  ];
};

/** Returns the parameters that select documents. */
export function selectionParameters(book: SchemaBook, type: ContentType): Parameters {
  return [
    nestedParameter(
      'filters',
      book.of(type.uid, 'Filters'),
      'Conditions, in bracket notation: `filters[title][$containsi]=lamp`, `filters[$or][0][…]`.',
    ),
    parameter('_q', TEXT, 'Text to search for.'),
    ...listVersionParameters(type),
  ];
}

/** The range of a list, in one of three forms. */
function rangeParameter(book: SchemaBook): OpenapiObject {
  return nestedParameter(
    'pagination',
    anyOf(book.shared('PageRequest'), book.shared('OffsetRequest'), book.shared('CursorRequest')),
    'By page and pageSize, by start and limit, or by cursor: `pagination[page]=2`.',
  );
}

function sortParameter(book: SchemaBook): OpenapiObject {
  return parameter('sort', book.shared('Sort'), 'Attributes with `:asc` or `:desc`: `title:desc`.');
}

/** Everything that the list of a type takes. */
export function listParameters(book: SchemaBook, type: ContentType): Parameters {
  return [
    ...selectionParameters(book, type),
    sortParameter(book),
    rangeParameter(book),
    ...shapeParameters(book, type),
  ];
}
