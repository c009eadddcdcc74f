import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectCannedACL } from '@aws-sdk/client-s3';
import type { Config } from '../config/config.js';
import { createError } from '../errors/catalogue.js';
import type { StorageProvider, StoredObject } from './media.js';
import { servingHeaders } from './mime-types.js';
import { copiesFolder } from './images/copy-cache.js';

/** Opens what an address answers. */
export async function openUrl(url: string): Promise<Readable> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new TypeError(`${url} answers ${response.status}.`);
  return Readable.fromWeb(response.body);
}

/** The path at which the server serves the folder. */
export const LOCAL_PREFIX = '/uploads';

/** Hidden files, such as those that keep the folder in git, and folders are not stored objects. */
const listObjects = async (directory: string): Promise<readonly StoredObject[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const objects: StoredObject[] = [];
  for (const { name } of files) {
    const found = await stat(join(directory, name)).catch(() => null);
    if (found !== null) objects.push({ name, bytes: found.size });
  }
  return objects;
};

/**
 * Stores files in a folder of this machine. Staged files are in a hidden folder inside it, so that storing
 * one is an atomic rename.
 *
 * @param publicPath the path of the server as clients see it, if a proxy serves it below one: `/cms`
 */
function createLocalProvider(directory: string, publicPath: string): StorageProvider {
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
    list: () => listObjects(directory),
    remove: async (key) => {
      await rm(join(directory, key), { force: true });
      // A copy may be on its way into the folder.
      await rm(copiesFolder(directory, key), { recursive: true, force: true, maxRetries: 3 });
    },
    urlOf: (key) => `${publicPath}${LOCAL_PREFIX}/${encodeURIComponent(key)}`,
  });
}

type S3Config = Config['upload']['s3'];

/** The client is large, and only projects that store files in S3 install it. */
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

/** Buckets whose ACLs are disabled, which is the default, refuse objects that come with one. */
const aclOf = ({ acl = '' }: S3Config): { readonly ACL?: ObjectCannedACL } =>
  acl === '' ? {} : { ACL: acl as ObjectCannedACL };

const storageUnavailable = (cause: unknown) => createError('upload/storage-unavailable', {}, { cause });

/**
 * Stores files in a bucket of an S3-compatible store. Large files are sent in parts, one at a time, to use
 * little memory. Without configured credentials the AWS client looks for them in its usual places.
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
      throw storageUnavailable(new TypeError('The store has sent no content.'));
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(objectLocation(key))).catch((cause: unknown) => {
        throw storageUnavailable(cause);
      });
    },
    urlOf: (key) => `${baseUrl}/${config.prefix}${encodeURIComponent(key)}`,
  });
}

/** The stores of a project: the one for new files, and all that rows may name. */
export interface Providers {
  readonly current: StorageProvider;
  /** Returns null for a store that is no longer configured. */
  readonly find: (name: string) => StorageProvider | null;
  /** Has new files go to another store. */
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
