import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectCannedACL } from '@aws-sdk/client-s3';
import type { Config } from '../../config/config.js';
import { createError } from '../../errors/catalogue.js';
import { servingHeaders } from '../content/serving-headers.js';
import type { StorageProvider } from '../media.js';

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
export async function createS3Provider(config: S3Config): Promise<StorageProvider> {
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
