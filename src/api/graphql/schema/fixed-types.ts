import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
} from 'graphql';
import type { GraphQLNamedType } from 'graphql';
import type { FieldType } from '../../../model/fields/field-type.js';
import { FIELD_TYPES } from '../../../model/fields/registry.js';
import { PUBLICATION_FILTERS } from '../../../query/query.js';

/** Creates a scalar whose values are strings that a field type accepts. Output is the stored string. */
function textScalar(name: string, field: FieldType, description: string): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    const parsed = typeof value === 'string' ? field.parseFilter(value) : null;
    if (parsed?.ok === true) return value;
    const reason =
      parsed === null ? 'must be a string' : parsed.issues.map(({ message }) => message).join(', ');
    throw new GraphQLError(`A ${name} ${reason}.`);
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}

/** The scalar of any JSON value. */
const jsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description:
    'The `JSON` scalar type represents JSON values as specified by ' +
    '[ECMA-404](http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf).',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

const DIGITS = /^[+-]?\d{1,32}$/;

/** Returns a number if the value is a safe integer, otherwise a string of digits. */
const serializeLong = (value: unknown): unknown => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

const parseLong = (value: unknown): unknown => {
  if (typeof value === 'string' && DIGITS.test(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError(
    'A Long must be an integer. Beyond ±9007199254740991 it must be a string of digits.',
  );
};

const longScalar = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: serializeLong,
  parseValue: parseLong,
  parseLiteral: (node) => parseLong(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
});

/** Creates the scalar of a locale's code. It accepts the configured locales and `*`, which stands for all. */
export function localeCodeScalar(isLocale: (code: string) => boolean): GraphQLScalarType {
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && (value === '*' || isLocale(value))) return value;
    throw new GraphQLError('This locale is not configured.');
  };
  return new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}

const text = { type: GraphQLString };
const flag = { type: GraphQLBoolean };
/** `ID!` */
export const requiredId = { type: new GraphQLNonNull(GraphQLID) };

/** `String!` */
export const requiredText = { type: new GraphQLNonNull(GraphQLString) };

const ME_ROLE = new GraphQLObjectType({
  name: 'UsersPermissionsMeRole',
  fields: { id: requiredId, name: requiredText, description: text, type: text },
});

export const ME = new GraphQLObjectType({
  name: 'UsersPermissionsMe',
  fields: {
    id: requiredId,
    documentId: requiredId,
    username: requiredText,
    email: text,
    confirmed: flag,
    blocked: flag,
    role: { type: ME_ROLE },
  },
});

export const REGISTER_INPUT = new GraphQLInputObjectType({
  name: 'UsersPermissionsRegisterInput',
  fields: { username: requiredText, email: requiredText, password: requiredText },
});

export const LOGIN_INPUT = new GraphQLInputObjectType({
  name: 'UsersPermissionsLoginInput',
  fields: {
    identifier: requiredText,
    password: requiredText,
    provider: { type: new GraphQLNonNull(GraphQLString), defaultValue: 'local' },
  },
});

export const LOGIN_PAYLOAD = new GraphQLObjectType({
  name: 'UsersPermissionsLoginPayload',
  fields: { jwt: text, user: { type: new GraphQLNonNull(ME) } },
});

const okPayload = (name: string): GraphQLObjectType =>
  new GraphQLObjectType({ name, fields: { ok: { type: new GraphQLNonNull(GraphQLBoolean) } } });

export const PASSWORD_PAYLOAD = okPayload('UsersPermissionsPasswordPayload');
export const CREATE_ROLE_PAYLOAD = okPayload('UsersPermissionsCreateRolePayload');
export const UPDATE_ROLE_PAYLOAD = okPayload('UsersPermissionsUpdateRolePayload');
export const DELETE_ROLE_PAYLOAD = okPayload('UsersPermissionsDeleteRolePayload');

export const FILE_INFO_INPUT = new GraphQLInputObjectType({
  name: 'FileInfoInput',
  fields: { alternativeText: text, caption: text, name: text },
});

/** All types of users, roles and files, including those that only other types use. */
export const USERS_TYPES: readonly GraphQLNamedType[] = [
  ME_ROLE,
  ME,
  REGISTER_INPUT,
  LOGIN_INPUT,
  LOGIN_PAYLOAD,
  PASSWORD_PAYLOAD,
  CREATE_ROLE_PAYLOAD,
  UPDATE_ROLE_PAYLOAD,
  DELETE_ROLE_PAYLOAD,
  FILE_INFO_INPUT,
];

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
