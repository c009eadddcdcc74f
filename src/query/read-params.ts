import { isRecord } from '../lib/records.js';

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
