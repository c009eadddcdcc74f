import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectCannedACL } from '@aws-sdk/client-s3';
import type { Config } from '../config/config.js';
import { createError } from '../errors/catalogue.js';
import { hasErrorCode } from '../lib/caught-errors.js';
import type { HiddenObjects, StorageProvider, StoredObject } from './media.js';
import { servingHeaders } from './mime-types.js';
import { copiesFolder } from './images/copy-cache.js';

/** Opens the response body of a URL. */
export async function openUrl(url: string): Promise<Readable> {
  const response = await fetch(url);
  if (!response.ok || response.body === null)
    throw new TypeError(`${url} responded with status ${response.status}.`);
  return Readable.fromWeb(response.body);
}

/** The path at which the server serves the folder. */
export const LOCAL_PREFIX = '/uploads';

/** Lists the stored objects, without folders and hidden files, such as `.gitkeep`. */
const listObjects = async (directory: string, hidden: HiddenObjects): Promise<readonly StoredObject[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const served = files.map(({ name }) => ({ name, path: join(directory, name) }));
  const objects: StoredObject[] = [];
  for (const { name, path } of [...served, ...(await hidden.list())]) {
    const found = await stat(path).catch(() => null);
    if (found !== null) objects.push({ name, bytes: found.size });
  }
  return objects;
};

/** Hidden, so that it is neither served nor listed. On the same disk as the uploaded files. */
const TRASH_FOLDER = '.trash';

const ignoreMissing = (error: unknown): void => {
  if (!hasErrorCode(error, 'ENOENT')) throw error;
};

/**
 * Returns the hidden objects in a folder of uploads. They are in a folder whose name cannot be guessed, since
 * some proxies also serve hidden folders. Processes that create it at the same time may create several.
 */
export function hiddenObjectsIn(directory: string): HiddenObjects {
  const root = join(directory, TRASH_FOLDER);
  const folders = async (): Promise<readonly string[]> => {
    const names = await readdir(root).catch((error: unknown) => {
      ignoreMissing(error);
      return [];
    });
    return names.map((name) => join(root, name));
  };
  const moveIn = async (key: string, path: string): Promise<void> => {
    const [folder = join(root, randomUUID())] = await folders();
    await mkdir(folder, { recursive: true });
    await rename(path, join(folder, key));
  };
  const isServed = async (key: string): Promise<boolean> =>
    (await stat(join(directory, key)).catch(() => null)) !== null;
  return {
    isServed,
    put: async ({ key, path }) => {
      await moveIn(key, path);
      await rm(join(directory, key), { force: true });
      await removeCopies(directory, key);
    },
    hide: async (key) => {
      if (!(await isServed(key))) return;
      await moveIn(key, join(directory, key)).catch(ignoreMissing);
      await removeCopies(directory, key);
    },
    show: async (key) => {
      for (const folder of await folders()) {
        const path = join(folder, key);
        // Names are never reused, so both have the same content.
        if (await isServed(key)) await rm(path, { force: true });
        else await rename(path, join(directory, key)).catch(ignoreMissing);
      }
    },
    remove: async (key) => {
      for (const folder of await folders()) await rm(join(folder, key), { force: true });
    },
    list: async () => {
      const lists = (await folders()).map(async (folder) =>
        (await readdir(folder)).map((name) => ({ name, path: join(folder, name) })),
      );
      return (await Promise.all(lists)).flat();
    },
  };
}

/** Removes the transformed copies of an object. */
const removeCopies = (directory: string, key: string): Promise<void> =>
  // Another request may be writing a copy.
  rm(copiesFolder(directory, key), { recursive: true, force: true, maxRetries: 3 });

/**
 * Creates a store in a folder of this machine. Staged files are in a hidden folder inside it, so that storing
 * one is an atomic rename.
 *
 * @param publicPath the public path of the server, if a proxy serves it below one: `/cms`
 */
function createLocalProvider(directory: string, publicPath: string): StorageProvider {
  const hidden = hiddenObjectsIn(directory);
  return Object.freeze<StorageProvider>({
    name: 'local',
    stagingFolder: join(directory, '.incoming'),
    put: async ({ key, path }) => {
      await rename(path, join(directory, key));
      return null;
    },
    open: async (key) => {
      const stream = createReadStream(join(directory, key));
      await once(stream, 'open');
      return stream;
    },
    hidden,
    list: () => listObjects(directory, hidden),
    remove: async (key) => {
      await rm(join(directory, key), { force: true });
      await hidden.remove(key);
      await removeCopies(directory, key);
    },
    urlOf: (key) => `${publicPath}${LOCAL_PREFIX}/${encodeURIComponent(key)}`,
  });
}

type S3Config = Config['upload']['s3'];

/** Loads the AWS client, which is large and installed only by projects that store files in S3. */
const loadClient = async () => {
  try {
    const [client, transfer] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
    ]);
    return { ...client, Upload: transfer.Upload };
  } catch (cause) {
    throw createError(
      'upload/missing-package',
      { packages: '@aws-sdk/client-s3 @aws-sdk/lib-storage' },
      { cause },
    );
  }
};

const publicBaseUrl = ({ baseUrl, endpoint, bucket, region, forcePathStyle }: S3Config): string => {
  if (baseUrl !== '') return baseUrl.replace(/\/+$/, '');
  const host = endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint.replace(/\/+$/, '');
  return forcePathStyle ? `${host}/${bucket}` : host.replace('://', `://${bucket}.`);
};

const credentialsOf = ({ accessKeyId, secretAccessKey }: S3Config): object =>
  accessKeyId === '' || secretAccessKey === '' ? {} : { credentials: { accessKeyId, secretAccessKey } };

/** Returns the configured ACL. Buckets with disabled ACLs, the default, reject objects that have one. */
const aclOf = ({ acl = '' }: S3Config): { readonly ACL?: ObjectCannedACL } =>
  acl === '' ? {} : { ACL: acl as ObjectCannedACL };

const storageUnavailable = (cause: unknown) => createError('upload/storage-unavailable', {}, { cause });

/**
 * Creates a store in a bucket of an S3-compatible service. Large files are sent in parts, one at a time, to
 * use little memory. Without configured credentials the AWS client searches its default locations.
 *
 * @throws `upload/missing-package`
 */
async function createS3Provider(config: S3Config): Promise<StorageProvider> {
  const { S3Client, DeleteObjectCommand, GetObjectCommand, Upload } = await loadClient();
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    ...(config.endpoint === '' ? {} : { endpoint: config.endpoint }),
    // Many compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...credentialsOf(config),
  });
  const baseUrl = publicBaseUrl(config);
  const objectLocation = (key: string) => ({ Bucket: config.bucket, Key: `${config.prefix}${key}` });
  return Object.freeze<StorageProvider>({
    name: 's3',
    stagingFolder: join(tmpdir(), 'galley-uploads'),
    put: async ({ key, path }) => {
      const { type, disposition, cacheControl } = servingHeaders(key);
      const content = {
        Body: createReadStream(path),
        ContentType: type,
        ContentDisposition: disposition,
        CacheControl: cacheControl,
        ...aclOf(config),
      };
      await new Upload({ client, queueSize: 1, params: { ...objectLocation(key), ...content } })
        .done()
        .catch((cause: unknown) => {
          throw storageUnavailable(cause);
        });
      return null;
    },
    open: async (key) => {
      const { Body: body } = await client
        .send(new GetObjectCommand(objectLocation(key)))
        .catch((cause: unknown) => {
          throw storageUnavailable(cause);
        });
      if (body instanceof Readable) return body;
      throw storageUnavailable(new TypeError('The store returned no content.'));
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(objectLocation(key))).catch((cause: unknown) => {
        throw storageUnavailable(cause);
      });
    },
    urlOf: (key) => `${baseUrl}/${config.prefix}${encodeURIComponent(key)}`,
  });
}

/** The stores of a project: the one for new files, and all others that rows may name. */
export interface Providers {
  readonly current: StorageProvider;
  /** Returns null for a store that is no longer configured. */
  readonly find: (name: string) => StorageProvider | null;
  /** Stores new files in another store. */
  readonly replace: (provider: StorageProvider) => void;
}

/**
 * Creates the stores of a project. `publicPath` precedes the URLs of files that the server itself serves.
 *
 * @throws `upload/missing-package` if the configured store needs a package that is not installed
 */
export async function createProviders(
  { directory, provider, s3 }: Config['upload'],
  publicPath = '',
): Promise<Providers> {
  const local = createLocalProvider(directory, publicPath);
  const remote = s3.bucket === '' ? null : await createS3Provider(s3);
  const all = [local, ...(remote === null ? [] : [remote])];
  const find = (name: string): StorageProvider | null =>
    all.find((candidate) => candidate.name === name) ?? null;
  let current = find(provider) ?? local;
  return {
    get current() {
      return current;
    },
    find,
    replace: (storage) => {
      all.push(storage);
      current = storage;
    },
  };
}
