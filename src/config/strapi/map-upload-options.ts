import { isPrivateBucket, isS3, s3OptionsOf } from './builtin-providers.js';
import { fileSizeLimit } from './map-middlewares.js';
import type { StatedSetting, Values } from './values.js';
import { valueAt } from './values.js';

const PLACE = ['plugins', 'upload', 'config'];

/** The provider takes host names, too. */
const endpointOf = (endpoint: unknown): unknown =>
  typeof endpoint === 'string' && endpoint !== '' && !/^https?:/.test(endpoint)
    ? `https://${endpoint}`
    : endpoint;

const prefixOf = (rootPath: unknown): unknown =>
  typeof rootPath === 'string' && rootPath !== '' ? `${rootPath.replace(/\/+$/, '')}/` : rootPath;

const s3Settings = (providerOptions: unknown): readonly StatedSetting[] => {
  const options = s3OptionsOf(providerOptions);
  const stated: readonly (readonly [setting: string, path: string, value: unknown])[] = [
    ['bucket', 'params.Bucket', valueAt(options, 'params.Bucket')],
    ['acl', 'params.ACL', valueAt(options, 'params.ACL')],
    ['region', 'region', valueAt(options, 'region')],
    ['endpoint', 'endpoint', endpointOf(valueAt(options, 'endpoint'))],
    ['forcePathStyle', 'forcePathStyle', valueAt(options, 'forcePathStyle')],
    ['baseUrl', 'baseUrl', valueAt(options, 'baseUrl')],
    ['prefix', 'rootPath', prefixOf(valueAt(options, 'rootPath'))],
    ...['accessKeyId', 'secretAccessKey'].map(
      (name) => [name, name, valueAt(options, `credentials.${name}`) ?? valueAt(options, name)] as const,
    ),
  ];
  return stated.map(([setting, path, value]) => [
    `upload.s3.${setting}`,
    [...PLACE, 'providerOptions', ...path.split('.')],
    value,
  ]);
};

/** The smaller of both limits holds. Undefined where neither is stated. */
const sizeLimitOf = (sizeLimit: unknown, middlewares: unknown): unknown => {
  const ofBody = fileSizeLimit(middlewares);
  if (typeof sizeLimit === 'number' || sizeLimit === undefined || sizeLimit === null) {
    const least = Math.min(Number(sizeLimit ?? Infinity), ofBody);
    return Number.isFinite(least) ? least : undefined;
  }
  return sizeLimit;
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * True if config/plugins names S3 and no bucket. The bucket is often a variable that is set only where the
 * server runs, so that the project starts without it.
 */
export function lacksBucket(values: Values): boolean {
  const upload = valueAt(values, 'plugins.upload.config');
  const options = valueAt(upload, 'providerOptions');
  return isS3(valueAt(upload, 'provider')) && !isSet(valueAt(s3OptionsOf(options), 'params.Bucket'));
}

/** Returns the settings of Galley that config/plugins states for the plugin upload. */
export function uploadSettings(values: Values): readonly StatedSetting[] {
  const upload = valueAt(values, 'plugins.upload.config');
  const provider = valueAt(upload, 'provider');
  const providerOptions = valueAt(upload, 'providerOptions');
  const at = (path: string): readonly string[] => [...PLACE, ...path.split('.')];
  const stated = (path: string): StatedSetting => [
    `upload.${path.replace('security.', '')}`,
    at(path),
    valueAt(upload, path),
  ];
  return [
    [
      'upload.sizeLimit',
      at('sizeLimit'),
      sizeLimitOf(valueAt(upload, 'sizeLimit'), valueAt(values, 'middlewares')),
    ],
    stated('breakpoints'),
    stated('security.allowedTypes'),
    stated('security.deniedTypes'),
    ...(isS3(provider) && !isPrivateBucket(providerOptions) && !lacksBucket(values)
      ? [['upload.provider', at('provider'), 's3'] as const, ...s3Settings(providerOptions)]
      : []),
  ];
}
