import { pascalCase } from '../../lib/names.js';
import type { JsonSchema } from '../../lib/json.js';
import type { ContentType } from '../../model/model.js';
import {
  TIME_UNITS,
  VALUE_FUNCTIONS,
  isNumeric,
  isOrdered,
  isTime,
  singleLink,
} from '../../query/aggregate.js';
import {
  ALWAYS_RETURNED,
  comparableField,
  populatableNames,
  selectableFields,
} from '../../query/schema-fields.js';
import { BOOLEAN, INTEGER, TEXT, anyOf, listOf, objectOf, recordOf } from './schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';
import { jsonResponse, nestedParameter, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { selectionParameters } from './query-parameters.js';

type ValueFunction = (typeof VALUE_FUNCTIONS)[number];

const fieldNames = (type: ContentType): readonly string[] => [...ALWAYS_RETURNED, ...selectableFields(type)];

const valueNames = (type: ContentType, name: ValueFunction): readonly string[] =>
  fieldNames(type).filter((field) => {
    if (name === 'sum' || name === 'avg') return isNumeric(type, field);
    const comparable = comparableField(type, field);
    return comparable !== null && isOrdered(comparable);
  });

const keyNames = (type: ContentType): readonly string[] => [
  ...fieldNames(type).filter((name) => comparableField(type, name)?.sortable === true),
  ...populatableNames(type).filter((name) => singleLink(type, name) !== null),
];

const timeNames = (type: ContentType): readonly string[] =>
  fieldNames(type).filter((name) => {
    const field = comparableField(type, name);
    return field !== null && isTime(type, field);
  });

const keyParameter = (type: ContentType): OpenapiObject => {
  const keys = keyNames(type);
  const times = timeNames(type);
  const unit = { type: 'string', enum: Object.keys(TIME_UNITS) };
  return nestedParameter(
    'groupBy',
    anyOf(
      TEXT,
      listOf({ type: 'string', enum: keys }),
      objectOf(
        Object.fromEntries(keys.map((key) => [key, times.includes(key) ? anyOf(BOOLEAN, unit) : BOOLEAN])),
      ),
    ),
    'The attributes to group documents by: `groupBy=kind`, `groupBy[createdAt]=month`.',
  );
};

const FIGURE: JsonSchema = { type: ['number', 'string', 'null'] };

const figures = (type: ContentType): Readonly<Record<string, JsonSchema>> => ({
  count: INTEGER,
  ...Object.fromEntries(
    VALUE_FUNCTIONS.map((name) => [
      name,
      objectOf(Object.fromEntries(valueNames(type, name).map((field) => [field, FIGURE]))),
    ]),
  ),
});

/** Describes the endpoint that aggregates the documents of a list. */
export function aggregateEndpoint(registry: SchemaRegistry, type: ContentType): Endpoint {
  const group = objectOf(
    Object.fromEntries(
      keyNames(type).map((name) => [name, { type: ['string', 'number', 'boolean', 'null'] }]),
    ),
  );
  const groups = listOf(objectOf({ group, ...figures(type) }, ['group']));
  const pagination = recordOf({ start: INTEGER, limit: INTEGER, hasMore: BOOLEAN });
  return {
    operationId: `aggregate${pascalCase(type.pluralName)}`,
    tag: type.displayName,
    parameters: [
      ...selectionParameters(registry, type),
      parameter('count', BOOLEAN, 'Counts the documents. Default: true if no other function is requested.'),
      ...VALUE_FUNCTIONS.flatMap((name) => {
        const names = valueNames(type, name);
        return names.length === 0
          ? []
          : [
              parameter(
                name,
                listOf({ type: 'string', enum: names }),
                `The attributes to compute the ${name} of.`,
              ),
            ];
      }),
      keyParameter(type),
      parameter(
        'sort',
        listOf(TEXT),
        'The order of groups: `count:desc`, `sum.price`, or a name of `groupBy`.',
      ),
      nestedParameter('pagination', registry.shared('OffsetRequest'), 'The range of groups.'),
    ],
    responses: {
      200: jsonResponse(
        'One object, or with `groupBy` a list of groups.',
        recordOf({
          data: anyOf(objectOf(figures(type)), groups),
          meta: objectOf({ pagination }),
        }),
      ),
    },
  };
}
