import { HTTP_ERRORS } from '../../errors/galley-error.js';
import type { JsonSchema } from '../../lib/json.js';
import type { FieldSchemas } from '../../model/fields/field-type.js';
import type { ContentModel, ContentSchema, ScalarAttribute, Uid } from '../../model/model.js';

export const TEXT: JsonSchema = { type: 'string' };
export const INTEGER: JsonSchema = { type: 'integer' };
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };
export const NULL: JsonSchema = { type: 'null' };
export const DATE_TIME: JsonSchema = { type: 'string', format: 'date-time' };

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}

/** Returns the schema of an object. Properties that are not in `required` may be missing. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** Returns the schema of an object that has all of these properties. */
export function recordOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectOf(properties, Object.keys(properties));
}

/** Returns a schema that also allows null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string' && !Array.isArray(type))
    // A schema without rules allows null already.
    return Object.keys(schema).length === 0 ? schema : anyOf(schema, NULL);
  return {
    ...schema,
    type: [...(typeof type === 'string' ? [type] : (type as readonly string[])), 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}

/** Returns the schema of a union whose members are distinguished by a property. */
export function discriminated(
  propertyName: string,
  members: readonly { readonly value: string; readonly schema: JsonSchema }[],
): JsonSchema {
  if (members.length === 0) return { not: {} };
  return {
    oneOf: members.map(({ schema }) => schema),
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(members.map(({ value, schema }) => [value, schema['$ref']])),
    },
  };
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const COMPARISON_OPERATORS = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte'];
const TEXT_OPERATORS = [
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
];

/** Returns the schema of a filter: a value, a list of allowed values, or an object of operators. */
const filterOf = (name: string, value: JsonSchema, names: readonly string[]): JsonSchema =>
  anyOf(
    value,
    listOf(value),
    objectOf({
      ...Object.fromEntries(names.map((operator) => [operator, value])),
      $in: listOf(value),
      $notIn: listOf(value),
      ...(names.includes('$lt') ? { $between: { ...listOf(value), minItems: 2, maxItems: 2 } } : {}),
      $null: BOOLEAN,
      $notNull: BOOLEAN,
      $not: ref(name),
    }),
  );

const FILTERS = {
  TextFilter: filterOf('TextFilter', TEXT, [...COMPARISON_OPERATORS, '$eqi', '$nei', ...TEXT_OPERATORS]),
  NumberFilter: filterOf('NumberFilter', { type: 'number' }, COMPARISON_OPERATORS),
  LongFilter: filterOf('LongFilter', { type: ['string', 'integer'] }, COMPARISON_OPERATORS),
  BooleanFilter: filterOf('BooleanFilter', BOOLEAN, ['$eq', '$ne']),
  DateFilter: filterOf('DateFilter', TEXT, COMPARISON_OPERATORS),
  TimeFilter: filterOf('TimeFilter', TEXT, COMPARISON_OPERATORS),
  DateTimeFilter: filterOf('DateTimeFilter', TEXT, COMPARISON_OPERATORS),
  JsonFilter: filterOf('JsonFilter', TEXT, ['$eq', '$ne', ...TEXT_OPERATORS]),
  PresenceFilter: {
    description: 'Matches documents by the presence of a linked document or component.',
    ...objectOf({ $null: BOOLEAN, $notNull: BOOLEAN }),
  },
};

const RANGES = {
  PageRequest: objectOf({ page: INTEGER, pageSize: INTEGER, withCount: BOOLEAN }),
  OffsetRequest: objectOf({ start: INTEGER, limit: INTEGER, withCount: BOOLEAN }),
  CursorRequest: objectOf({
    after: { type: 'string', description: '`next` of the previous page. Empty: the first page.' },
    before: { type: 'string', description: '`previous` of the following page. Empty: the last page.' },
    pageSize: INTEGER,
    limit: INTEGER,
    withCount: BOOLEAN,
  }),
  PagePagination: objectOf({ page: INTEGER, pageSize: INTEGER, pageCount: INTEGER, total: INTEGER }, [
    'page',
    'pageSize',
  ]),
  OffsetPagination: objectOf({ start: INTEGER, limit: INTEGER, total: INTEGER }, ['start', 'limit']),
  CursorPagination: objectOf(
    {
      next: nullable(TEXT),
      previous: nullable(TEXT),
      page: INTEGER,
      pageSize: INTEGER,
      pageCount: INTEGER,
      start: INTEGER,
      limit: INTEGER,
      total: INTEGER,
    },
    ['next', 'previous'],
  ),
};

const DOCUMENT_ID = recordOf({ documentId: TEXT });
const ID = recordOf({ id: INTEGER });
const POSITION = anyOf(
  recordOf({ start: { const: true } }),
  recordOf({ end: { const: true } }),
  recordOf({ before: { type: ['string', 'integer'] } }),
  recordOf({ after: { type: ['string', 'integer'] } }),
);

const LINKS = {
  DocumentRef: {
    description: 'A document by its documentId, or by the numeric id of one of its versions.',
    ...anyOf(TEXT, INTEGER, DOCUMENT_ID, ID),
  },
  Connection: anyOf(
    TEXT,
    INTEGER,
    objectOf({ documentId: TEXT, position: POSITION }, ['documentId']),
    objectOf({ id: INTEGER, position: POSITION }, ['id']),
  ),
  RelationChanges: objectOf({
    set: anyOf(ref('DocumentRef'), listOf(ref('DocumentRef')), NULL),
    connect: anyOf(ref('Connection'), listOf(ref('Connection'))),
    disconnect: anyOf(ref('DocumentRef'), listOf(ref('DocumentRef'))),
  }),
  ToOneInput: anyOf(ref('DocumentRef'), listOf(ref('DocumentRef')), ref('RelationChanges'), NULL),
  ToManyInput: {
    description: 'A list replaces the relation. A single document counts as a list of one.',
    ...anyOf(ref('DocumentRef'), listOf(ref('DocumentRef')), ref('RelationChanges'), NULL),
  },
};

const errorNames = [...new Set(Object.values(HTTP_ERRORS).flatMap((error) => error?.name ?? []))];

const ERROR_BODY = recordOf({
  status: INTEGER,
  name: { type: 'string', examples: errorNames },
  message: TEXT,
  details: {
    type: 'object',
    properties: {
      errors: listOf(
        objectOf({ path: listOf(TEXT), message: TEXT, name: TEXT, value: {} }, ['path', 'message', 'name']),
      ),
    },
    additionalProperties: true,
  },
});

const FILES = {
  FileFormat: objectOf(
    {
      name: TEXT,
      hash: TEXT,
      ext: nullable(TEXT),
      mime: TEXT,
      path: nullable(TEXT),
      width: INTEGER,
      height: INTEGER,
      size: { type: 'number', description: 'In kilobytes.' },
      sizeInBytes: INTEGER,
      url: TEXT,
    },
    ['name', 'hash', 'ext', 'mime', 'width', 'height', 'size', 'url'],
  ),
  FileFormats: {
    type: 'object',
    description: 'The smaller copies of an image by name.',
    additionalProperties: ref('FileFormat'),
  },
};

/** The schemas that are the same in every project, by name. */
export const SHARED_SCHEMAS = {
  ...FILTERS,
  ...RANGES,
  ...LINKS,
  ...FILES,
  Sort: {
    ...listOf({ type: 'string', examples: ['title:desc', 'author.name'] }),
    description: 'Attributes, also of linked documents, each followed by `:asc` or `:desc`.',
  },
  ErrorBody: ERROR_BODY,
  Error: recordOf({ data: NULL, error: ref('ErrorBody') }),
} as const satisfies Readonly<Record<string, JsonSchema>>;
export type SharedName = keyof typeof SHARED_SCHEMAS;

/** Role of a schema for a type or component, used as the suffix of its name. */
export type SchemaRole =
  | ''
  | 'Typed'
  | 'ZoneItem'
  | 'Input'
  | 'PartialInput'
  | 'ZoneItemInput'
  | 'ZoneItemPartialInput'
  | 'Filters'
  | 'Populate'
  | 'Populated';

/** The named schemas of one OpenAPI document. A schema is added when it is first referred to. */
export interface SchemaRegistry {
  readonly model: ContentModel;
  /** Returns a reference to a schema of a type or component. */
  readonly of: (uid: Uid, role: SchemaRole) => JsonSchema;
  readonly shared: (name: SharedName) => JsonSchema;
  /** The schemas of the values of an attribute, without null. */
  readonly ofField: (
    attribute: Pick<ScalarAttribute, 'field' | 'constraints'>,
    strictness: 'draft' | 'full',
  ) => FieldSchemas;
  /** True if required attributes may be null, since drafts may lack them. */
  readonly hasDrafts: (schema: ContentSchema) => boolean;
  /** Returns all schemas that were referred to, by name. */
  readonly all: () => Readonly<Record<string, JsonSchema>>;
}
