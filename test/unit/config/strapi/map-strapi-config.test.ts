import { describe, expect, it } from 'vitest';
import { isBuiltinProvider } from '../../../../src/config/strapi/config-values.js';
import { mapStrapiConfig } from '../../../../src/config/strapi/map-strapi-config.js';

const upload = (providerOptions: object, more: object = {}) =>
  mapStrapiConfig({ plugins: { upload: { config: { provider: 'aws-s3', providerOptions, ...more } } } });

const S3 = {
  bucket: 'media',
  acl: 'public-read',
  region: 'eu-west-1',
  endpoint: 'https://s3.example.com',
  baseUrl: 'https://files.example.com',
  prefix: 'site/',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
};

describe('the provider aws-s3 of a Strapi project', () => {
  it.each([
    [
      'in s3Options',
      {
        baseUrl: 'https://files.example.com',
        rootPath: 'site/',
        s3Options: {
          region: 'eu-west-1',
          endpoint: 'https://s3.example.com',
          credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
          params: { Bucket: 'media', ACL: 'public-read' },
        },
      },
    ],
    [
      'beside s3Options',
      {
        baseUrl: 'https://files.example.com',
        rootPath: 'site',
        params: { Bucket: 'media', ACL: 'public-read' },
        s3Options: {
          region: 'eu-west-1',
          endpoint: 's3.example.com',
          accessKeyId: 'key',
          secretAccessKey: 'secret',
          params: { Bucket: 'other' },
        },
      },
    ],
  ])('takes its options %s', (_, options) => {
    const { input, unapplied } = upload(options);
    expect(input['upload']).toEqual({ provider: 's3', s3: S3 });
    expect(unapplied).toEqual([]);
  });

  it('leaves files in the folder where the bucket is not set', () => {
    const { input, unapplied } = upload({ s3Options: { params: { Bucket: undefined }, region: 'eu' } });
    expect(input['upload']).toBeUndefined();
    expect(unapplied).toMatchObject([
      { reason: expect.stringContaining('upload.directory'), isFatal: false },
    ]);
  });

  it('reports options that it does not apply', () => {
    const { unapplied } = upload({
      s3Options: { params: { Bucket: 'media' }, maxAttempts: 3 },
      providerConfig: { storageClass: 'GLACIER' },
    });
    expect(unapplied.map(({ path, isFatal }) => [path.at(-1), isFatal])).toEqual([
      ['maxAttempts', false],
      ['providerConfig', false],
    ]);
  });

  it('is left to its package where the bucket is private, whose addresses are signed', () => {
    const options = { s3Options: { params: { Bucket: 'media', ACL: 'private' } } };
    expect(upload(options).input['upload']).toBeUndefined();
    expect(isBuiltinProvider('upload', 'aws-s3', options)).toBe(false);
    expect(isBuiltinProvider('upload', 'aws-s3')).toBe(true);
    expect(isBuiltinProvider('upload', '@strapi/provider-upload-cloudinary')).toBe(false);
  });

  it('has the smaller limit of upload and of the middleware that reads forms', () => {
    const formidable = { maxFileSize: '2kb' };
    const middlewares = [{ name: 'strapi::body', config: { formidable } }];
    const limitOf = (sizeLimit?: number): unknown =>
      mapStrapiConfig({ middlewares, plugins: { upload: { config: { sizeLimit } } } }).input['upload'];
    expect([limitOf(), limitOf(1000), limitOf(5000)]).toEqual([
      { sizeLimit: 2048 },
      { sizeLimit: 1000 },
      { sizeLimit: 2048 },
    ]);
  });
});
