import { isRecord } from '../../lib/is-record.js';
import type { Values } from './values.js';
import { valueAt } from './values.js';

const S3: readonly unknown[] = ['aws-s3', '@strapi/provider-upload-aws-s3'];

const BUILTIN: Readonly<Record<'email' | 'upload', readonly string[]>> = {
  email: ['', 'nodemailer', 'folder', '@strapi/provider-email-nodemailer'],
  upload: ['', 'local', '@strapi/provider-upload-local'],
};

/** True if the name is that of the provider of S3. */
export function isS3(provider: unknown): boolean {
  return S3.includes(provider);
}

/** The provider of S3 takes options of the client in `s3Options` and, as in older projects, beside it. */
export function s3OptionsOf(providerOptions: unknown): Values {
  const { s3Options, ...beside } = isRecord(providerOptions) ? providerOptions : {};
  return { ...(isRecord(s3Options) ? s3Options : {}), ...beside };
}

/** True if the files of a bucket have signed addresses, which the package of the provider makes. */
export function isPrivateBucket(providerOptions: unknown): boolean {
  return valueAt(s3OptionsOf(providerOptions), 'params.ACL') === 'private';
}

/** True if Galley does itself what a provider of config/plugins does. All others are packages. */
export function isBuiltinProvider(
  plugin: 'email' | 'upload',
  name: string,
  providerOptions: unknown = {},
): boolean {
  return BUILTIN[plugin].includes(name) || (isS3(name) && !isPrivateBucket(providerOptions));
}
