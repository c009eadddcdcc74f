import { isRecord } from '../../../lib/is-record.js';
import { referredName } from '../middleware-config.js';
import { isPrivateBucket, isS3, s3OptionsOf } from '../builtin-providers.js';
import type { Values } from '../values.js';
import { checkSection, entryOf } from './check-section.js';
import type { UnappliedOption } from './check-section.js';
import { FILE_OPTIONS } from './file-options.js';
import { isStrapiMiddleware, MIDDLEWARE_OPTIONS } from './middleware-options.js';
import type { StrapiOptions } from './option.js';
import { S3_OPTIONS, STRAPI_PLUGIN_OPTIONS } from './plugin-options.js';

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
  return checkSection(MIDDLEWARE_OPTIONS[name], config, [...place, name]);
}

const checkMiddlewares = (entries: unknown): readonly UnappliedOption[] =>
  (Array.isArray(entries) ? (entries as readonly unknown[]) : []).flatMap((entry) => {
    const name = referredName(entry);
    if (name === undefined || !name.startsWith('strapi::')) return [];
    return checkMiddleware(name, isRecord(entry) ? entry['config'] : undefined, ['middlewares']);
  });

const checkS3 = (config: Values, place: readonly string[]): readonly UnappliedOption[] => {
  const { provider, providerOptions } = config;
  if (!isS3(provider) || isPrivateBucket(providerOptions)) return [];
  return checkSection(S3_OPTIONS, s3OptionsOf(providerOptions), place);
};

const checkPlugins = (plugins: unknown): readonly UnappliedOption[] =>
  Object.entries(STRAPI_PLUGIN_OPTIONS).flatMap(([name, options]) => {
    const plugin = isRecord(plugins) ? plugins[name] : undefined;
    const config = isRecord(plugin) ? plugin['config'] : undefined;
    if (!isRecord(config)) return [];
    const place = ['plugins', name, 'config'];
    return [
      ...checkSection(options, config, place),
      ...(name === 'upload' ? checkS3(config, [...place, 'providerOptions']) : []),
    ];
  });

/** The names that responses always have, so that listing them as private hides nothing, as in Strapi. */
const checkPrivateNames = (api: unknown): readonly UnappliedOption[] => {
  const responses = isRecord(api) ? api['responses'] : undefined;
  const names = isRecord(responses) ? responses['privateAttributes'] : undefined;
  return ['id', 'documentId']
    .filter((name) => Array.isArray(names) && names.includes(name))
    .map((name) => ({
      path: ['api', 'responses', 'privateAttributes'],
      reason: `has no effect on ${name}, which responses always have`,
      isFatal: false,
    }));
};

/** Lists what config/ of a project sets and what has no effect here, as the tables of options say. */
export function checkOptions(values: Values): readonly UnappliedOption[] {
  const files = Object.entries(FILE_OPTIONS).flatMap(([file, options]) => {
    const section = values[file];
    return isRecord(section) ? checkSection(options, section, [file]) : [];
  });
  return [
    ...files,
    ...checkPrivateNames(values['api']),
    ...checkMiddlewares(values['middlewares']),
    ...checkPlugins(values['plugins']),
  ];
}

/** The tables of options, each with the place that it describes. */
export const CONFIG_TABLES: readonly (readonly [place: readonly string[], options: StrapiOptions])[] = [
  ...Object.entries(FILE_OPTIONS).map(([file, options]) => [[file], options] as const),
  ...Object.entries(MIDDLEWARE_OPTIONS).map(([name, options]) => [['middlewares', name], options] as const),
  ...Object.entries(STRAPI_PLUGIN_OPTIONS).map(
    ([name, options]) => [['plugins', name, 'config'], options] as const,
  ),
  [['plugins', 'upload', 'config', 'providerOptions'], S3_OPTIONS],
];

/** True if the option at a path restricts access, so that a value that cannot be applied stops the start. */
export function isFatal(path: readonly string[]): boolean {
  return CONFIG_TABLES.some(([place, options]) => {
    if (!place.every((key, index) => path[index] === key)) return false;
    const below = path.slice(place.length);
    if (below.length === 0) return Object.values(options).some(({ restricts }) => restricts);
    return entryOf(options, below)?.restricts === true;
  });
}
