import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isBuiltinProvider, isS3 } from '../../config/strapi/config-values.js';
import { createError } from '../../errors/catalogue.js';
import { ApplicationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import { typeOfExtension } from '../../media/mime-types.js';
import { extensionOf, kilobytes } from '../../media/file-info.js';
import type { StagedObject, StorageProvider, StoredPlace } from '../../media/media.js';
import type { StrapiMiddleware } from '../database/document-middlewares.js';
import type { PluginHost } from './plugin-host.js';
import { providerInstallHint, openProviderPackage } from './provider-package.js';
import type { ProviderFunctions } from './provider-package.js';

type ProviderFile = Record<string, unknown>;
type ProviderFunction = (file: unknown, options?: unknown) => unknown;

/** `strapi.plugin('upload').provider`: the functions of the package, which project code may replace. */
export type UploadProvider = Record<string, ProviderFunction>;

/** Strapi's defaults for functions that a package lacks. */
const BASE: UploadProvider = {
  checkFileSize: () => undefined,
  getSignedUrl: (file) => file,
  isPrivate: () => false,
};

/** Creates a provider whose functions get their options from `actionOptions`. */
const createProvider = (functions: ProviderFunctions, actionOptions: unknown): UploadProvider => {
  const provider: UploadProvider = { ...BASE };
  for (const [name, value] of Object.entries(functions)) {
    const defaults = isRecord(actionOptions) ? actionOptions[name] : undefined;
    if (typeof value === 'function')
      provider[name] = async (file, options = defaults) => Reflect.apply(value, functions, [file, options]);
  }
  return provider;
};

const splitKey = (key: string): { readonly hash: string; readonly ext: string } => {
  const ext = extensionOf(key);
  return { hash: key.slice(0, key.length - ext.length), ext };
};

/** Describes an object in the form in which Strapi passes files to the functions of packages. */
const describeObject = async ({ key, name, path, mime }: StagedObject): Promise<ProviderFile> => {
  const { size } = await stat(path);
  return {
    ...splitKey(key),
    name,
    mime,
    originalFilename: name,
    size: kilobytes(size),
    sizeInBytes: size,
    filepath: path,
    tmpWorkingDirectory: dirname(path),
    getStream: () => createReadStream(path),
  };
};

const store = async (
  provider: UploadProvider,
  object: StagedObject,
  sizeLimit: number,
): Promise<StoredPlace> => {
  const file = await describeObject(object);
  await provider['checkFileSize']?.(file, { sizeLimit });
  if (provider['uploadStream'] === undefined) {
    file['buffer'] = await readFile(object.path);
    await provider['upload']?.(file);
  } else {
    const stream = createReadStream(object.path);
    // A provider that rejects the file does not read the stream, and so receives none of its errors.
    await once(stream, 'open');
    file['stream'] = stream;
    try {
      await provider['uploadStream'](file);
    } finally {
      stream.destroy();
    }
  }
  const { url, previewUrl, provider_metadata: metadata = null } = file;
  if (typeof url !== 'string') throw new TypeError(`The provider has set no url for ${object.key}.`);
  return { url, previewUrl: typeof previewUrl === 'string' ? previewUrl : null, metadata };
};

const createStorage = (name: string, provider: UploadProvider, sizeLimit: number): StorageProvider => ({
  name,
  stagingFolder: join(tmpdir(), 'galley-uploads'),
  put: async (object) => {
    try {
      return await store(provider, object, sizeLimit);
    } catch (cause) {
      throw cause instanceof ApplicationError
        ? cause
        : createError('upload/storage-unavailable', {}, { cause });
    }
  },
  remove: async (key, place) => {
    const { hash, ext } = splitKey(key);
    const { url, metadata } = place ?? { url: null, metadata: null };
    const file = { hash, ext, mime: typeOfExtension(ext), provider: name, url, provider_metadata: metadata };
    try {
      await provider['delete']?.(file);
    } catch (error) {
      // Not every package can remove a file that was perhaps never stored, and a retry would not help.
      if (place !== undefined) throw error;
    }
  },
  urlOf: () => '',
});

/**
 * Opens the upload provider that config/plugins names, and makes the media library use it. Null if files are
 * stored by Galley's settings.
 */
export async function openUploadProvider(host: PluginHost): Promise<UploadProvider | null> {
  const { read, config, media } = host;
  const name = read('plugin::upload.provider');
  const options = read('plugin::upload.providerOptions', {});
  if (typeof name !== 'string' || isBuiltinProvider('upload', name, options)) return null;
  if (config.upload.provider !== 'local') return null;
  const request = { kind: 'upload', name, parameters: [options] } as const;
  const functions = await openProviderPackage(host, request);
  if (functions === null && isS3(name))
    throw createError('upload/private-bucket', { remedy: providerInstallHint(request) });
  if (functions === null) return null;
  const provider = createProvider(functions, read('plugin::upload.actionOptions', {}));
  if (provider['delete'] === undefined)
    throw new TypeError(`The upload provider ${name} has no function delete.`);
  if (provider['upload'] === undefined && provider['uploadStream'] === undefined)
    throw new TypeError(`The upload provider ${name} has neither upload nor uploadStream.`);
  media.replaceStorage(createStorage(name, provider, config.upload.sizeLimit));
  return provider;
}

type FileValues = Readonly<Record<string, unknown>>;

interface Signing {
  /** The provider of files that are signed. */
  readonly name: string;
  readonly provider: UploadProvider;
}

/** True if a value is a file of a provider. Files read without `provider` are not signed, as in Strapi. */
const isFileOf = (name: string, value: FileValues): boolean =>
  value['provider'] === name && typeof value['url'] === 'string' && 'hash' in value && 'mime' in value;

const signOne = async ({ provider }: Signing, file: FileValues): Promise<FileValues> => {
  // The media library detects signed files by the last member.
  const signed: unknown = await provider['getSignedUrl']?.({ ...file });
  if (!isRecord(signed) || typeof signed['url'] !== 'string') return file;
  return { ...file, url: signed['url'], isUrlSigned: true };
};

const signFile = async (signing: Signing, file: FileValues): Promise<FileValues> => {
  const { formats } = file;
  if (!isRecord(formats)) return signOne(signing, file);
  const entries = await Promise.all(
    Object.entries(formats).map(
      async ([key, format]) => [key, isRecord(format) ? await signOne(signing, format) : format] as const,
    ),
  );
  return signOne(signing, { ...file, formats: Object.fromEntries(entries) });
};

/** Returns a result with the URLs of all files in it signed, at any depth. */
const signAll = async (signing: Signing, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => signAll(signing, item)));
  if (!isRecord(value)) return value;
  if (isFileOf(signing.name, value)) return signFile(signing, value);
  const entries = await Promise.all(
    Object.entries(value).map(
      async ([key, item]) =>
        [key, typeof item === 'object' && item !== null ? await signAll(signing, item) : item] as const,
    ),
  );
  return Object.fromEntries(entries);
};

/** Creates the document middleware that signs the URLs of private files in all results. */
export function createSigningMiddleware(signing: Signing): StrapiMiddleware {
  return async (_context, next) => signAll(signing, await next());
}
