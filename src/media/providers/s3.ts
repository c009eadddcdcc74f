import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { fail } from '../../errors/catalogue.js';
import { servedAs } from '../content/served-as.js';
import type { StorageProvider } from '../provider.js';

type S3Config = Config['upload']['s3'];

/** The client is large, and only projects that keep files in S3 install it. */
const loadClient = async () => {
  try {
    const [client, transfer] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
    return { ...client, Upload: transfer.Upload };
  } catch (cause) {
    throw fail('upload/missing-package', { packages: '@aws-sdk/client-s3 @aws-sdk/lib-storage' }, { cause });
  }
};

const publicBase = ({ baseUrl, endpoint, bucket, region, forcePathStyle }: S3Config): string => {
  if (baseUrl !== '') return baseUrl.replace(/\/+$/, '');
  const host = endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint.replace(/\/+$/, '');
  return forcePathStyle ? `${host}/${bucket}` : host.replace('://', `://${bucket}.`);
};

const credentialsOf = ({ accessKeyId, secretAccessKey }: S3Config): object =>
  accessKeyId === '' || secretAccessKey === '' ? {} : { credentials: { accessKeyId, secretAccessKey } };

const failed = (cause: unknown) => fail('upload/store-failed', {}, { cause });

/**
 * Keeps files in a bucket of an S3-compatible store. Large files go up in parts, one at a time, so that little of them is held in memory.
 * Credentials that are not configured come from where the AWS client finds them.
 *
 * @throws `upload/missing-package`
 */
export async function createS3Provider(config: S3Config): Promise<StorageProvider> {
  const { S3Client, DeleteObjectCommand, Upload } = await loadClient();
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    ...(config.endpoint === '' ? {} : { endpoint: config.endpoint }),
    // Many compatible stores know none of the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...credentialsOf(config),
  });
  const base = publicBase(config);
  const place = (key: string) => ({ Bucket: config.bucket, Key: `${config.prefix}${key}` });
  return Object.freeze<StorageProvider>({
    name: 's3',
    stagingFolder: join(tmpdir(), 'galley-uploads'),
    put: async ({ key, path }) => {
      const { type, disposition, cacheControl } = servedAs(key);
      const content = { Body: createReadStream(path), ContentType: type, ContentDisposition: disposition, CacheControl: cacheControl };
      await new Upload({ client, queueSize: 1, params: { ...place(key), ...content } }).done().catch((cause: unknown) => {
        throw failed(cause);
      });
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(place(key))).catch((cause: unknown) => {
        throw failed(cause);
      });
    },
    urlOf: (key) => `${base}/${config.prefix}${encodeURIComponent(key)}`,
  });
}
