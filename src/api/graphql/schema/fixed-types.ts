import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLScalarType } from 'graphql';
import { FIELD_TYPES } from '../../../model/fields/registry.js';
import { PUBLICATION_FILTERS } from '../../../query/publication-filter.js';
import { jsonScalar, longScalar, textScalar } from '../scalars/scalar-values.js';

const RFC_3339 =
  'of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times ' +
  'using the Gregorian calendar.';

/** The scalars that are the same in every schema. */
export const SCALARS: readonly GraphQLScalarType[] = [
  GraphQLString,
  GraphQLInt,
  GraphQLFloat,
  GraphQLBoolean,
  GraphQLID,
  jsonScalar,
  longScalar,
  textScalar(
    'DateTime',
    FIELD_TYPES.datetime,
    'A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the `date-time` format ' +
      `outlined in section 5.6 ${RFC_3339}`,
  ),
  textScalar(
    'Date',
    FIELD_TYPES.date,
    'A date string, such as 2007-12-03, compliant with the `full-date` format ' +
      `outlined in section 5.6 ${RFC_3339}`,
  ),
  textScalar('Time', FIELD_TYPES.time, 'A time string with format HH:mm:ss.SSS'),
];

export const PUBLICATION_STATUS = new GraphQLEnumType({
  name: 'PublicationStatus',
  values: { DRAFT: { value: 'draft' }, PUBLISHED: { value: 'published' } },
});

/** `NEVER_PUBLISHED` is the query parser's `never-published`. */
export const PUBLICATION_FILTER = new GraphQLEnumType({
  name: 'PublicationFilter',
  values: Object.fromEntries(
    PUBLICATION_FILTERS.toSorted().map((value) => [value.toUpperCase().replaceAll('-', '_'), { value }]),
  ),
});

export const PAGINATION_ARG = new GraphQLInputObjectType({
  name: 'PaginationArg',
  fields: {
    after: { type: GraphQLString },
    before: { type: GraphQLString },
    limit: { type: GraphQLInt },
    page: { type: GraphQLInt },
    pageSize: { type: GraphQLInt },
    start: { type: GraphQLInt },
  },
});

const requiredBoolean = { type: new GraphQLNonNull(GraphQLBoolean) };
const requiredInt = { type: new GraphQLNonNull(GraphQLInt) };

export const PAGINATION = new GraphQLObjectType({
  name: 'Pagination',
  fields: {
    endCursor: { type: GraphQLString },
    hasNextPage: requiredBoolean,
    hasPreviousPage: requiredBoolean,
    page: requiredInt,
    pageCount: requiredInt,
    pageSize: requiredInt,
    startCursor: { type: GraphQLString },
    total: requiredInt,
  },
});

/** An entry of a dynamic zone that cannot be shown. */
export const ERROR = new GraphQLObjectType({
  name: 'Error',
  fields: { code: { type: new GraphQLNonNull(GraphQLString) }, message: { type: GraphQLString } },
});

export const DELETE_RESPONSE = new GraphQLObjectType({
  name: 'DeleteMutationResponse',
  fields: { documentId: { type: new GraphQLNonNull(GraphQLID) } },
});

/** `sort: [String] = []` */
export const SORT_ARG = { type: new GraphQLList(GraphQLString), defaultValue: [] };
