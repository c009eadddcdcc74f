import { isRecord } from '../../../lib/is-record.js';
import { printValue } from '../../checks.js';
import { isPrivateBucket, isS3, s3OptionsOf } from '../builtin-providers.js';
import { FILE_OPTIONS } from './file-options.js';
import { isStrapiMiddleware, MIDDLEWARE_OPTIONS } from './middleware-options.js';
import { isRead } from './option.js';
import type { StrapiOption, StrapiOptions } from './option.js';
import { S3_OPTIONS, STRAPI_PLUGIN_OPTIONS } from './plugin-options.js';

/** An option of a Strapi project that is set and has no effect. */
export interface UnappliedOption {
  /** `['middlewares', 'strapi::body', 'encoding']` */
  readonly path: readonly string[];
  readonly reason: string;
  /** True if the start stops, since the option restricts access. */
  readonly isFatal: boolean;
}

type Values = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown): boolean => value === undefined || value === null;

/** Finds what `options` knows about a path: the path itself, or `*` beside it or above. */
const entryOf = (options: StrapiOptions, path: readonly string[]) => {
  const name = path.join('.');
  if (Object.hasOwn(options, name)) return options[name];
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const rest = [...path.slice(0, length), '*'].join('.');
    if (Object.hasOwn(options, rest)) return options[rest];
  }
  return undefined;
};

const hasBelow = (options: StrapiOptions, path: readonly string[]): boolean =>
  Object.keys(options).some((name) => name.startsWith(`${path.join('.')}.`));

/** Why an option with a value has no effect. Null: it has one, or nobody needs it. */
const reasonAgainst = (entry: StrapiOption, value: unknown): string | null => {
  const { check, holds, remark, treatment } = entry;
  if (holds !== undefined && value === holds) return null;
  if (check !== undefined && check.read(value) === undefined)
    return `is ${printValue(value)} but must be ${check.allowed}`;
  return isRead(entry) || treatment === 'harmless' ? null : `has no effect here. ${remark}`;
};

/** Lists what is set below a path and has no effect. Booleans and texts may stand for whole sections. */
const checkSection = (
  options: StrapiOptions,
  values: Values,
  { place, path }: { readonly place: readonly string[]; readonly path: readonly string[] },
): readonly UnappliedOption[] =>
  Object.entries(values).flatMap(([key, value]): readonly UnappliedOption[] => {
    if (isEmpty(value)) return [];
    const own = [...path, key];
    if (isRecord(value) && hasBelow(options, own)) return checkSection(options, value, { place, path: own });
    const entry = entryOf(options, own);
    if (entry === undefined)
      return [
        { path: [...place, ...own], reason: 'is not an option that Strapi 5 documents', isFatal: false },
      ];
    const reason = reasonAgainst(entry, value);
    return reason === null ? [] : [{ path: [...place, ...own], reason, isFatal: entry.restricts }];
  });

/** Lists the options of a middleware that Strapi brings along which have no effect. */
export function checkMiddleware(
  name: string,
  config: unknown,
  place: readonly string[] = [],
): readonly UnappliedOption[] {
  if (!isStrapiMiddleware(name)) {
    const reason = `is not a middleware of Strapi 5, which has ${Object.keys(MIDDLEWARE_OPTIONS).join(', ')}`;
    return [{ path: [...place, name], reason, isFatal: true }];
  }
  if (!isRecord(config)) return [];
  return checkSection(MIDDLEWARE_OPTIONS[name], config, { place: [...place, name], path: [] });
}

const checkMiddlewares = (entries: unknown): readonly UnappliedOption[] =>
  (Array.isArray(entries) ? (entries as readonly unknown[]) : []).flatMap((entry) => {
    const name = isRecord(entry) ? entry['name'] : entry;
    if (typeof name !== 'string' || !name.startsWith('strapi::')) return [];
    return checkMiddleware(name, isRecord(entry) ? entry['config'] : undefined, ['middlewares']);
  });

const checkS3 = (config: Values, place: readonly string[]): readonly UnappliedOption[] => {
  const { provider, providerOptions } = config;
  if (!isS3(provider) || isPrivateBucket(providerOptions)) return [];
  return checkSection(S3_OPTIONS, s3OptionsOf(providerOptions), { place, path: [] });
};

const checkPlugins = (plugins: unknown): readonly UnappliedOption[] =>
  Object.entries(STRAPI_PLUGIN_OPTIONS).flatMap(([name, options]) => {
    const plugin = isRecord(plugins) ? plugins[name] : undefined;
    const config = isRecord(plugin) ? plugin['config'] : undefined;
    if (!isRecord(config)) return [];
    const place = ['plugins', name, 'config'];
    return [
      ...checkSection(options, config, { place, path: [] }),
      ...(name === 'upload' ? checkS3(config, [...place, 'providerOptions']) : []),
    ];
  });

/** Lists what config/ of a project sets and what has no effect here, as the tables of options say. */
export function checkOptions(values: Values): readonly UnappliedOption[] {
  const files = Object.entries(FILE_OPTIONS).flatMap(([file, options]) => {
    const section = values[file];
    return isRecord(section) ? checkSection(options, section, { place: [file], path: [] }) : [];
  });
  return [...files, ...checkMiddlewares(values['middlewares']), ...checkPlugins(values['plugins'])];
}

/** The tables of options, each with the place that it describes. */
const TABLES: readonly (readonly [place: readonly string[], options: StrapiOptions])[] = [
  ...Object.entries(FILE_OPTIONS).map(([file, options]) => [[file], options] as const),
  ...Object.entries(MIDDLEWARE_OPTIONS).map(([name, options]) => [['middlewares', name], options] as const),
  ...Object.entries(STRAPI_PLUGIN_OPTIONS).map(
    ([name, options]) => [['plugins', name, 'config'], options] as const,
  ),
];

/** True if the option at a path restricts access, so that a value that cannot be applied stops the start. */
export function isFatal(path: readonly string[]): boolean {
  return TABLES.some(([place, options]) => {
    if (!place.every((key, index) => path[index] === key)) return false;
    const below = path.slice(place.length);
    if (below.length === 0) return Object.values(options).some(({ restricts }) => restricts);
    return entryOf(options, below)?.restricts === true;
  });
}
