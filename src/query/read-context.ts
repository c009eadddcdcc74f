import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { nearest } from '../lib/nearest.js';
import type { ContentSchema, ContentModel } from '../model/model.js';
import { isRecord } from '../lib/records.js';
import type { ReadAccess } from './read-access.js';
import { readableAttribute } from './schema-fields.js';

/** Limits of one request, from the configuration of the project. */
export interface QueryLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** The maximum nesting of populate. */
  readonly populateDepth: number;
  /** The maximum number of populate, filter and sort entries in one request. */
  readonly maxNodes: number;
  /** The maximum number of records in one response, including populated ones. Absent: no limit. */
  readonly maxRecords?: number;
}

/** The limits of server code and commands, which only protect the database. */
export const SERVER_LIMITS: QueryLimits = Object.freeze({
  defaultLimit: Number.MAX_SAFE_INTEGER,
  maxLimit: -1,
  populateDepth: 20,
  maxNodes: 10_000,
});

/** The parameters of a read as a transport receives them. Values of a query string are strings. */
export interface RawReadParams {
  /** Text to search for in the records themselves. */
  readonly _q?: unknown;
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: unknown;
  readonly status?: unknown;
  readonly locale?: unknown;
  readonly hasPublishedVersion?: unknown;
  readonly publicationFilter?: unknown;
  /** The name of a release to preview. */
  readonly release?: unknown;
}

/** The parameters of reads. All others have no effect. */
export const READ_PARAMETERS = [
  '_q',
  'filters',
  'sort',
  'fields',
  'populate',
  'pagination',
  'status',
  'locale',
  'hasPublishedVersion',
  'publicationFilter',
  'release',
] as const satisfies readonly (keyof RawReadParams)[];

const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const INTEGER = /^[+-]?\d{1,16}$/;
const MAX_EXCERPT_LENGTH = 60;

/** Returns the keys of a client's object, except `__proto__`. */
export function keysOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).filter((key) => key !== '__proto__');
}

/** True if a key of an object is a position of a list. */
export function isIndex(key: string): boolean {
  return INDEX.test(key);
}

/**
 * Returns a list as an array: an array itself, or the values of an object whose keys are indexes. Null: not a
 * list.
 */
export function asList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const keys = keysOf(value);
  // Index keys of objects are in ascending order.
  return keys.length > 0 && keys.every(isIndex) ? keys.map((key) => value[key]) : null;
}

/** Parses booleans as written in query strings. Null: not a boolean. */
export function parseBoolean(value: unknown): boolean | null {
  switch (value) {
    case true:
    case 'true':
    case 't':
    case '1':
    case 1:
      return true;
    case false:
    case 'false':
    case 'f':
    case '0':
    case 0:
      return false;
    default:
      return null;
  }
}

/**
 * Converts a value to a boolean as Strapi does: values that {@link parseBoolean} rejects are true unless they
 * are empty.
 */
export function castBoolean(value: unknown): boolean {
  return parseBoolean(value) ?? Boolean(value);
}

/** Parses an integer that JavaScript represents exactly. Null: anything else. */
export function parseInteger(value: unknown): number | null {
  const number = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** Splits `a, b` at commas, trims the parts and drops empty ones. */
export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Shortens a client's text for an error message. */
export function shorten(text: string): string {
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text;
}

/** The maximum nesting of logic, relations and components in filters and sort. */
const MAX_NESTING = 20;

/** Shared by all parts of parsing one request. */
export interface ReadContext {
  readonly model: ContentModel;
  readonly access: ReadAccess;
  readonly limits: QueryLimits;
  /**
   * Counts one populate, filter or sort entry.
   *
   * @throws `request/query-too-large` beyond `limits.maxNodes`
   */
  readonly countEntry: () => void;
}

/**
 * The position of the parser in the request: the schema whose attributes the keys name, the path for
 * messages, and the depth.
 */
export interface QueryLocation {
  readonly schema: ContentSchema;
  readonly path: string;
  /** The attributes that lead to the schema. Absent: none. */
  readonly attributes?: readonly string[];
  readonly depth: number;
}

export type ReadContextOptions = Pick<ReadContext, 'access' | 'limits'>;

/** Creates the context of one request, with a new count. */
export function createReadContext(model: ContentModel, { access, limits }: ReadContextOptions): ReadContext {
  let entries = 0;
  const countEntry = (): void => {
    entries += 1;
    if (entries > limits.maxNodes) throw createError('request/query-too-large', { limit: limits.maxNodes });
  };
  return { model, access, limits, countEntry };
}

/** Returns the location of a key, without descending. */
export function locate(location: QueryLocation, key: string): QueryLocation {
  return { ...location, path: location.path === '' ? shorten(key) : `${location.path}.${shorten(key)}` };
}

/** Returns the location at which the keys of an option such as `filters` begin. */
export function locateOption({ schema, path }: QueryLocation, option: string): QueryLocation {
  return locate({ schema, path, depth: 0 }, option);
}

/**
 * Descends one level, to a key of the request: an attribute, where its schema is given.
 *
 * @throws `request/query-too-deep` beyond {@link MAX_NESTING}
 */
export function enter(location: QueryLocation, key: string, schema?: ContentSchema): QueryLocation {
  return descend(location, key, { schema, limit: MAX_NESTING });
}

/** Like {@link enter}, with a given limit. */
export function descend(
  location: QueryLocation,
  key: string,
  { schema, limit }: { readonly schema: ContentSchema | undefined; readonly limit: number },
): QueryLocation {
  if (location.depth >= limit)
    throw createError('request/query-too-deep', { parameter: location.path, limit });
  const deeper = { ...locate(location, key), depth: location.depth + 1 };
  return schema === undefined
    ? deeper
    : { ...deeper, schema, attributes: [...(location.attributes ?? []), key] };
}

/** Returns a path as query strings have it: `filters[tags][documentId]`. */
export function bracketPath(path: string): string {
  const [first = '', ...keys] = path.split('.');
  return `${first}${keys.map((key) => `[${key}]`).join('')}`;
}

/** Returns the error for an invalid parameter. `reason` is a sentence. */
export function invalidParameter(parameter: string, reason: string): GalleyError {
  return createError('request/invalid-parameter', { parameter, reason });
}

const PARAMETERS: readonly string[] = ['filters', 'sort', 'fields', 'populate'];

/** The parameter of a path. In GraphQL, the names of fields precede it. */
const parameterOf = (path: string): string | undefined => {
  const names = path.split('.');
  return names.find((name) => PARAMETERS.includes(name)) ?? names[0];
};

/**
 * Returns the error for a key that cannot be used at the location. Its details have the form of Strapi's: the
 * path contains only attributes, including the key if the caller can see it.
 */
export function invalidKey(location: QueryLocation, key: string, reason: string): GalleyError {
  const path = [
    ...(location.attributes ?? []),
    ...(readableAttribute(location.schema, key) === null ? [] : [key]),
  ];
  return createError(
    'request/invalid-parameter',
    { parameter: locate(location, key).path, reason },
    {
      details: {
        key: shorten(key),
        path: path.length === 0 ? null : path.join('.'),
        source: 'query',
        param: parameterOf(location.path),
      },
    },
  );
}

/** Returns the error for a condition of code that has no value. Requests cannot contain one. */
export function undefinedCondition(path: string): GalleyError {
  return createError('project/undefined-condition', { path });
}

/** Returns the error for a name that the schema lacks or does not show. */
export function unknownAttribute(
  location: QueryLocation,
  name: string,
  allowedNames: Iterable<string>,
): GalleyError {
  const { schema } = location;
  const nearestName = name.length > 100 ? undefined : nearest(name, allowedNames);
  // The exact name exists but cannot be used here, so it is not suggested.
  const suggestion = nearestName === name ? undefined : nearestName;
  const owner = 'singularName' in schema ? schema.singularName : schema.uid;
  return invalidKey(
    location,
    name,
    `${owner} has no such attribute here.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
  );
}
