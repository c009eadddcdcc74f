import { isRecord } from '../../lib/records.js';
import { MEGABYTE } from '../../lib/units.js';

/** The values of a file of config/, by key. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** A setting of Galley that config/ sets, with the path of its key there. */
export type ConfiguredSetting = readonly [setting: string, place: readonly string[], value: unknown];

/** Returns the value at a path such as `rest.maxLimit`, or undefined. */
export function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), values);
}

const S3: readonly unknown[] = ['aws-s3', '@strapi/provider-upload-aws-s3'];

const BUILTIN: Readonly<Record<'email' | 'upload', readonly string[]>> = {
  email: ['', 'nodemailer', 'folder', '@strapi/provider-email-nodemailer'],
  upload: ['', 'local', '@strapi/provider-upload-local'],
};

/** True if the name is that of the provider of S3. */
export function isS3(provider: unknown): boolean {
  return S3.includes(provider);
}

/** Returns the options of the S3 client, which are in `s3Options` or, in older projects, next to it. */
export function s3OptionsOf(providerOptions: unknown): ConfigValues {
  const { s3Options, ...others } = isRecord(providerOptions) ? providerOptions : {};
  return { ...(isRecord(s3Options) ? s3Options : {}), ...others };
}

/** True if the files of a bucket have signed URLs, which the package of the provider creates. */
export function isPrivateBucket(providerOptions: unknown): boolean {
  return valueAt(s3OptionsOf(providerOptions), 'params.ACL') === 'private';
}

/** True if Galley implements a provider of config/plugins. All others are packages. */
export function isBuiltinProvider(
  plugin: 'email' | 'upload',
  name: string,
  providerOptions: unknown = {},
): boolean {
  return BUILTIN[plugin].includes(name) || (isS3(name) && !isPrivateBucket(providerOptions));
}

/**
 * Returns the name by which config/middlewares or a route refers to a middleware or policy. Undefined: the
 * entry is a file or a function. Strapi looks names up as object keys, so a list of one name equals the name.
 */
export function referredName(entry: unknown): string | undefined {
  const name = isRecord(entry) ? entry['name'] : entry;
  if (Array.isArray(name)) return isRecord(entry) && name.length > 0 ? name.join() : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Returns the options of a middleware in the list of config/middlewares. Empty if it has none. */
export function middlewareConfig(middlewares: unknown, name: string): Readonly<Record<string, unknown>> {
  const entries: readonly unknown[] = Array.isArray(middlewares) ? middlewares : [];
  const found = entries.filter(isRecord).find((entry) => referredName(entry) === name);
  return isRecord(found?.['config']) ? found['config'] : {};
}

/** True if a middleware is in the list of config/middlewares. */
export function listsMiddleware(middlewares: readonly unknown[], name: string): boolean {
  return middlewares.some((entry) => referredName(entry) === name);
}

const BYTES_BY_UNIT: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: MEGABYTE,
  gb: 1024 * MEGABYTE,
};

/** `10mb` → bytes. Returns numbers and invalid sizes unchanged. */
export function byteCount(size: unknown): unknown {
  if (size === undefined || size === null) return undefined;
  if (typeof size !== 'string' && typeof size !== 'number') return size;
  const [, amount, unit = 'b'] = /^([\d.]+)\s*(b|kb|mb|gb)?$/i.exec(String(size)) ?? [];
  return amount === undefined ? size : Math.floor(Number(amount) * (BYTES_BY_UNIT[unit.toLowerCase()] ?? 1));
}
