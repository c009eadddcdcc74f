import { Writable } from 'node:stream';
import type { Readable, WritableOptions } from 'node:stream';
import slugify from '@sindresorhus/slugify';
import { isRecord } from '../../../lib/is-record.js';
import { kebabCase } from '../../../lib/casing.js';

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

/** `template` of `@strapi/utils`: expressions that find `<%= name %>`. */
export const template = {
  createStrictInterpolationRegExp: (names: readonly string[], flags?: string) =>
    new RegExp(`<%=\\s*(${names.join('|')})\\s*%>`, flags),
  createLooseInterpolationRegExp: (flags?: string) => new RegExp(/<%=([\s\S]+?)%>/, flags),
};

interface Creator {
  readonly user: { readonly id: unknown };
  readonly isEdition?: boolean;
}

/** Returns a function that says in data who creates or changes them. */
export function setCreatorFields({ user, isEdition = false }: Creator) {
  return (data: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    ...data,
    ...(isEdition ? {} : { createdBy: user.id }),
    updatedBy: user.id,
  });
}
