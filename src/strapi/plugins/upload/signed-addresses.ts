import { isRecord } from '../../../lib/is-record.js';
import type { StrapiMiddleware } from '../../database/document-middlewares.js';
import type { UploadProvider } from './upload-provider.js';

type Values = Readonly<Record<string, unknown>>;

interface Signing {
  /** The provider of files that are signed. */
  readonly name: string;
  readonly provider: UploadProvider;
}

/** A file as answers have it. Those read without their provider are left alone, as in Strapi. */
const isFileOf = (name: string, value: Values): boolean =>
  value['provider'] === name && typeof value['url'] === 'string' && 'hash' in value && 'mime' in value;

const signOne = async ({ provider }: Signing, file: Values): Promise<Values> => {
  // The library tells by its last member that a file is signed.
  const signed: unknown = await provider['getSignedUrl']?.({ ...file });
  if (!isRecord(signed) || typeof signed['url'] !== 'string') return file;
  return { ...file, url: signed['url'], isUrlSigned: true };
};

const signFile = async (signing: Signing, file: Values): Promise<Values> => {
  const { formats } = file;
  if (!isRecord(formats)) return signOne(signing, file);
  const entries = await Promise.all(
    Object.entries(formats).map(
      async ([key, format]) => [key, isRecord(format) ? await signOne(signing, format) : format] as const,
    ),
  );
  return signOne(signing, { ...file, formats: Object.fromEntries(entries) });
};

/** Returns a result with the signed addresses of all files in it, at any depth. */
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

/** Creates the middleware of documents that signs the addresses of private files in all results. */
export function createSigning(signing: Signing): StrapiMiddleware {
  return async (_context, next) => signAll(signing, await next());
}
