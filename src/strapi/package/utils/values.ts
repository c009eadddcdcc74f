import { Writable } from 'node:stream';
import type { Readable, WritableOptions } from 'node:stream';
import slugify from '@sindresorhus/slugify';
import { PaginationError } from '../../../errors/project-errors.js';
import { kebabCase } from '../../../lib/names.js';
import { isRecord } from '../../../lib/records.js';

interface Page {
  readonly page?: number | null;
  readonly pageSize?: number | null;
  readonly start?: number | null;
  readonly limit?: number | null;
}

interface PaginationOptions {
  readonly defaults?: {
    readonly offset?: { readonly start?: number; readonly limit?: number };
    readonly page?: { readonly page?: number; readonly pageSize?: number };
  };
  /** -1 for no limit. */
  readonly maxLimit?: number;
}

const DEFAULT_SIZE = 10;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the range of a list that the parameters select. */
const rangeOf = (
  { page, pageSize, start, limit }: Page,
  { defaults = {}, maxLimit = -1 }: PaginationOptions,
): { readonly start: number; readonly limit: number } => {
  const isPaged = isGiven(page) || isGiven(pageSize);
  if (isPaged && (isGiven(start) || isGiven(limit)))
    throw new PaginationError('Cannot use both page & offset pagination in the same query');
  if (isPaged) {
    const size = Math.max(1, pageSize ?? 0);
    return { start: ((page ?? defaults.page?.page ?? 1) - 1) * size, limit: size };
  }
  const size = limit ?? defaults.offset?.limit ?? DEFAULT_SIZE;
  return { start: start ?? defaults.offset?.start ?? 0, limit: size === -1 ? maxLimit : size };
};

const sizeOf = ({ pageSize, limit, page }: Page, total: number): number =>
  (isGiven(page) ? pageSize : limit) ?? total;

/** `pagination` of `@strapi/utils`. */
export const pagination = {
  /** Replaces pages with `start` and `limit`, within their bounds. */
  withDefaultPagination: (
    given: Page & Readonly<Record<string, unknown>>,
    options: PaginationOptions = {},
  ) => {
    const { page: _page, pageSize: _pageSize, start: _start, limit: _limit, ...rest } = given;
    const { start, limit } = rangeOf(given, options);
    const { maxLimit = -1 } = options;
    const least = limit === -1 ? limit : Math.max(limit, 1);
    return {
      ...rest,
      start: Math.max(start, 0),
      limit: maxLimit === -1 || least < maxLimit ? least : maxLimit,
    };
  },
  transformPagedPaginationInfo: (given: Page, total: number) => {
    if (!isGiven(given.page) && !isGiven(given.start))
      return { ...given, page: 1, pageSize: DEFAULT_SIZE, pageCount: 1, total };
    const pageSize = sizeOf(given, total);
    return {
      page: given.page ?? Math.floor((given.start ?? 0) / pageSize) + 1,
      pageSize,
      pageCount: pageSize > 0 ? Math.ceil(total / pageSize) : 0,
      total,
    };
  },
  transformOffsetPaginationInfo: (given: Page, total: number) => {
    if (!isGiven(given.page) && !isGiven(given.start))
      return { ...given, start: 0, limit: DEFAULT_SIZE, total };
    const limit = sizeOf(given, total);
    return {
      start: isGiven(given.page) ? ((given.page ?? 1) - 1) * limit : (given.start ?? 0),
      limit,
      total,
    };
  },
};

const TIME = /^(2[0-3]|[01]\d):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}/;

const requireText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new Error(`Expected a string, got a ${typeof value}`);
};

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Parses a date. Undefined if the text is not a date. */
const parseIso = (text: string): Date | undefined => {
  const day = DAY.exec(text);
  const date =
    day === null
      ? new Date(ISO_TIME.test(text) ? text : Number.NaN)
      : new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const printDay = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

const parseTime = (value: unknown): string => {
  if (value instanceof Date)
    return (
      [value.getHours(), value.getMinutes(), value.getSeconds()].map((part) => pad(part)).join(':') +
      `.${pad(value.getMilliseconds(), 3)}`
    );
  const match = TIME.exec(requireText(value));
  if (match === null) throw new Error('Invalid time format, expected HH:mm:ss.SSS');
  const [, hours, minutes, seconds, fraction = ''] = match;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
};

const parseDay = (value: unknown): string => {
  const date = value instanceof Date ? value : parseIso(requireText(value));
  if (date === undefined) throw new Error('Invalid format, expected an ISO compatible date');
  return printDay(date);
};

const parseInstant = (value: unknown): Date => {
  if (value instanceof Date) return value;
  const text = requireText(value);
  const date = parseIso(text) ?? (/^-?\d+$/.test(text) ? new Date(Number(text)) : undefined);
  if (date === undefined) throw new Error('Invalid format, expected a timestamp or an ISO date');
  return date;
};

const parseBoolean = (value: unknown, forceCast: boolean): boolean => {
  if (typeof value === 'boolean') return value;
  if (['true', 't', '1', 1].includes(value as string | number)) return true;
  if (['false', 'f', '0', 0].includes(value as string | number)) return false;
  if (forceCast) return Boolean(value);
  throw new Error('Invalid boolean input. Expected "t","1","true","false","0","f"');
};

interface ParseTypeOptions {
  readonly type: string;
  readonly value: unknown;
  readonly forceCast?: boolean;
}

/** `parseType` of `@strapi/utils`: converts a value to the type of an attribute. */
export function parseType({ type, value, forceCast = false }: ParseTypeOptions): unknown {
  switch (type) {
    case 'boolean':
      return parseBoolean(value, forceCast);
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return Number(value);
    case 'time':
      return parseTime(value);
    case 'date':
      return parseDay(value);
    case 'timestamp':
    case 'datetime':
      return parseInstant(value);
    default:
      return value;
  }
}

const trimEnd = (text: string, part: string): string =>
  text.endsWith(part) ? trimEnd(text.slice(0, -part.length), part) : text;
const trimStart = (text: string, part: string): string =>
  text.startsWith(part) ? trimStart(text.slice(part.length), part) : text;

/** `strings` of `@strapi/utils`. */
export const strings = {
  nameToSlug: (name: string, options: { readonly separator?: string } = {}) => slugify(name, options),
  nameToCollectionName: (name: string) => slugify(name, { separator: '_' }),
  toRegressedEnumValue: (value: string) =>
    slugify(value, { decamelize: false, lowercase: false, separator: '_' }),
  getCommonPath: (...paths: readonly string[]) => {
    const [first = [], ...others] = paths.map((path) => path.split('/'));
    const end = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
    return (end < 0 ? first : first.slice(0, end)).join('/');
  },
  isEqual: (left: unknown, right: unknown) => String(left) === String(right),
  isCamelCase: (value: string) => /^[a-z][a-zA-Z0-9]+$/.test(value),
  isKebabCase: (value: string) => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(value),
  startsWithANumber: (value: string) => /^\d/.test(value),
  toKebabCase: kebabCase,
  joinBy: (joint: string, ...parts: readonly string[]) =>
    parts
      .map((part, index) => {
        const start = index === 0 ? part : trimStart(part, joint);
        return index === parts.length - 1 ? start : trimEnd(start, joint);
      })
      .join(joint),
};

/** `arrays`, `dates` and `objects` of `@strapi/utils`. */
export const arrays = {
  includesString: (list: readonly unknown[], value: unknown) => list.map(String).includes(String(value)),
};
export const dates = { timestampCode: (date = new Date()) => date.getTime().toString(36) };

const keysDeep = (value: unknown, path: readonly string[] = []): readonly string[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, below]) => keysDeep(below, [...path, key]))
    : [path.join('.')];
export const objects = { keysDeep };

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

const chunksOf = async (stream: Readable): Promise<readonly Buffer[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream)
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer));
  return chunks;
};

/** `file` of `@strapi/utils`. */
export const file = {
  kbytesToBytes: (kilobytes: number) => kilobytes * 1000,
  bytesToKbytes: (bytes: number) => Math.round((bytes / 1000) * 100) / 100,
  bytesToHumanReadable: (bytes: number) => {
    if (bytes === 0) return '0 Bytes';
    const power = Math.floor(Math.log(bytes) / Math.log(1000));
    return `${Math.round(bytes / 1000 ** power)} ${UNITS[power]}`;
  },
  streamToBuffer: async (stream: Readable) => Buffer.concat(await chunksOf(stream)),
  getStreamSize: async (stream: Readable) =>
    (await chunksOf(stream)).reduce((sum, { length }) => sum + length, 0),
  writableDiscardStream: (options: WritableOptions = {}) =>
    new Writable({
      ...options,
      write: (_chunk, _encoding, done) => {
        done();
      },
    }),
};

/** `template` of `@strapi/utils`: regular expressions that match `<%= name %>`. */
export const template = {
  createStrictInterpolationRegExp: (names: readonly string[], flags?: string) =>
    new RegExp(`<%=\\s*(${names.join('|')})\\s*%>`, flags),
  createLooseInterpolationRegExp: (flags?: string) => new RegExp(/<%=([\s\S]+?)%>/, flags),
};

interface Creator {
  readonly user: { readonly id: unknown };
  readonly isEdition?: boolean;
}

/** Returns a function that sets `createdBy` and `updatedBy` in data. */
export function setCreatorFields({ user, isEdition = false }: Creator) {
  return (data: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    ...data,
    ...(isEdition ? {} : { createdBy: user.id }),
    updatedBy: user.id,
  });
}
