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
import { BOOLEAN, INTEGER, TEXT, anyOf, listOf, objectOf } from './schema-registry.js';
import type { SchemaRegistry, SharedName } from './schema-registry.js';
import { nestedParameter, parameter } from './endpoint.js';
import type { OpenapiObject } from './endpoint.js';

const WILDCARD: JsonSchema = { const: '*' };

/** Returns the schema of options for the components of a zone, or for documents of several types. */
const populateByType = (registry: SchemaRegistry, uids: readonly Uid[]): JsonSchema =>
  objectOf({
    populate: WILDCARD,
    on: objectOf(
      Object.fromEntries(uids.map((uid) => [uid, anyOf(BOOLEAN, WILDCARD, registry.of(uid, 'Populated'))])),
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

const populateOf = (registry: SchemaRegistry, schema: ContentSchema, name: string): JsonSchema => {
  const attribute = schema.attributes[name];
  if (attribute === undefined) {
    const localizations = isLocalizations(schema, LOCALIZATIONS)
      ? [registry.of(schema.uid, 'Populated')]
      : [];
    return anyOf(BOOLEAN, WILDCARD, ...localizations);
  }
  const targets = targetsOf(attribute);
  const [target] = targets;
  const isOfSeveral =
    attribute.family === 'dynamiczone' || (attribute.family === 'relation' && attribute.target === null);
  if (isOfSeveral) return anyOf(BOOLEAN, WILDCARD, populateByType(registry, targets));
  return anyOf(BOOLEAN, WILDCARD, ...(target === undefined ? [] : [registry.of(target, 'Populated')]));
};

/** Returns the schema of `populate` as an object: options by attribute name. */
export function populateSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return objectOf(
    Object.fromEntries(populatableNames(schema).map((name) => [name, populateOf(registry, schema, name)])),
  );
}

/** Returns the schema of `populate`: `*`, names separated by commas or as a list, or an object. */
function populateParameter(
  registry: SchemaRegistry,
  { uid }: ContentSchema,
  names: readonly string[],
): JsonSchema {
  return anyOf(TEXT, listOf({ type: 'string', enum: [...names, '*'] }), registry.of(uid, 'Populate'));
}

/** Returns the schema of `fields`, with the allowed names. */
function fieldsParameter(schema: ContentSchema): JsonSchema {
  return listOf({ type: 'string', enum: [...selectableFields(schema), 'id', 'documentId', '*'] });
}

/** Returns the schema of options for populated documents and components. */
export function populatedSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  const names = populatableNames(schema);
  return objectOf({
    fields: fieldsParameter(schema),
    ...(names.length === 0 ? {} : { populate: populateParameter(registry, schema, names) }),
    filters: registry.of(schema.uid, 'Filters'),
    sort: registry.shared('Sort'),
    start: INTEGER,
    limit: INTEGER,
  });
}

/** The shared filter schemas by the names of GraphQL's filter inputs. */
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

const fieldFilter = (registry: SchemaRegistry, { graphql }: FieldType): JsonSchema =>
  registry.shared(SHARED_FILTERS[graphql.filter ?? ''] ?? 'TextFilter');

/** Returns the filter schema of an attribute. Null: dynamic zones and polymorphic relations have none. */
const attributeFilter = (registry: SchemaRegistry, attribute: Attribute): JsonSchema | null => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.field.filterable ? fieldFilter(registry, attribute.field) : null;
    case 'relation':
    case 'media':
      return attribute.target === null
        ? null
        : anyOf(registry.of(attribute.target, 'Filters'), registry.shared('PresenceFilter'));
    case 'component':
      return anyOf(registry.of(attribute.component, 'Filters'), registry.shared('PresenceFilter'));
    default:
      return null;
  }
};

const systemFilters = (
  registry: SchemaRegistry,
  schema: ContentSchema,
): Readonly<Record<string, JsonSchema>> => {
  const id = { id: fieldFilter(registry, FIELD_TYPES.integer) };
  if (!isContentType(schema)) return id;
  const text = fieldFilter(registry, FIELD_TYPES.string);
  const moment = fieldFilter(registry, FIELD_TYPES.datetime);
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
export function filterSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  const filters = registry.of(schema.uid, 'Filters');
  const attributes = Object.values(schema.attributes)
    .filter(({ name }) => readableAttribute(schema, name) !== null)
    .flatMap((attribute) => {
      const filter = attributeFilter(registry, attribute);
      return filter === null ? [] : [[attribute.name, filter] as const];
    });
  return objectOf({
    ...systemFilters(registry, schema),
    ...Object.fromEntries(attributes),
    ...(isLocalizations(schema, LOCALIZATIONS) ? { [LOCALIZATIONS]: filters } : {}),
    $and: listOf(filters),
    $or: listOf(filters),
    $not: filters,
  });
}

type Parameters = readonly OpenapiObject[];

/** Returns the parameters that shape the documents of a response. */
export function shapeParameters(registry: SchemaRegistry, type: ContentType): Parameters {
  const names = populatableNames(type);
  return [
    parameter('fields', fieldsParameter(type), 'The attributes to return. Ids are always returned.'),
    ...(names.length === 0
      ? []
      : [
          nestedParameter(
            'populate',
            populateParameter(registry, type, names),
            'The relations and components to return: `*`, names separated by commas, or options by name: ' +
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

/** Returns the parameter that previews a release. */
export function releaseParameter({ draftAndPublish }: ContentType): Parameters {
  return draftAndPublish ? [parameter('release', TEXT, 'The release to preview.')] : [];
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
      'Only documents whose draft and published version relate in this way.',
    ),
    ...releaseParameter(type),
  ];
};

/** Returns the parameters that select documents. */
export function selectionParameters(registry: SchemaRegistry, type: ContentType): Parameters {
  return [
    nestedParameter(
      'filters',
      registry.of(type.uid, 'Filters'),
      'Conditions, in bracket notation: `filters[title][$containsi]=lamp`, `filters[$or][0][…]`.',
    ),
    parameter('_q', TEXT, 'Text to search for.'),
    ...listVersionParameters(type),
  ];
}

/** Returns the parameter for the range of a list, in one of three forms. */
function rangeParameter(registry: SchemaRegistry): OpenapiObject {
  return nestedParameter(
    'pagination',
    anyOf(registry.shared('PageRequest'), registry.shared('OffsetRequest'), registry.shared('CursorRequest')),
    'By page and pageSize, by start and limit, or by cursor: `pagination[page]=2`.',
  );
}

function sortParameter(registry: SchemaRegistry): OpenapiObject {
  return parameter('sort', registry.shared('Sort'), 'Attributes with `:asc` or `:desc`: `title:desc`.');
}

/** Returns all parameters of the list of a type. */
export function listParameters(registry: SchemaRegistry, type: ContentType): Parameters {
  return [
    ...selectionParameters(registry, type),
    sortParameter(registry),
    rangeParameter(registry),
    ...shapeParameters(registry, type),
  ];
}
