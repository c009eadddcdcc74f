import { flag, integer, matching, oneOf, text } from './checks.js';
import type { Check } from './checks.js';

const MEGABYTE = 1024 * 1024;
const MAX_SIDE = 16_384;

const TYPE_PATTERN = /^(?:\*|\*\/\*|images|videos|audios|files|[a-z]+\/(?:\*|[\w.+-]+))$/;

const types: Check<readonly string[]> = {
  allowed: "a list of content types such as 'image/*' and 'application/pdf', or of the words images, videos, audios, files",
  read: (value) => (Array.isArray(value) && value.every((item): item is string => typeof item === 'string' && TYPE_PATTERN.test(item)) ? value : undefined),
};

const isSide = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;

const breakpoints: Check<Readonly<Record<string, number>>> = {
  allowed: `an object of names and widths in pixels up to ${MAX_SIDE}, such as { large: 1000 }`,
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value).filter((entry): entry is [string, number] => /^(?!thumbnail$)[a-z][\w-]{0,30}$/i.test(entry[0]) && isSide(entry[1]));
    return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
  },
};

const url = matching(/^https?:\/\/[^\s]+$/, 'a URL such as https://files.example.com');

/** The `upload` section of cms.config.*. */
export const UPLOAD_SETTINGS = {
  'upload.directory': { check: text, fallback: 'public/uploads' as string },
  'upload.sizeLimit': { check: integer(1), fallback: 200 * MEGABYTE },
  'upload.maxFiles': { check: integer(1, 1000), fallback: 50 as number },
  'upload.maxPixels': { check: integer(1, 1_000_000_000), fallback: 100_000_000 as number },
  'upload.allowedTypes': { check: types, fallback: ['*'] as readonly string[] },
  'upload.deniedTypes': { check: types, fallback: [] as readonly string[] },
  'upload.breakpoints': { check: breakpoints, fallback: { large: 1000, medium: 750, small: 500 } as Readonly<Record<string, number>> },
  'upload.provider': { check: oneOf('local', 's3'), fallback: 'local' as 'local' | 's3' },
  'upload.s3.bucket': { check: text, fallback: '' as string },
  'upload.s3.region': { check: text, fallback: 'us-east-1' as string },
  'upload.s3.endpoint': { check: url, fallback: '' as string },
  'upload.s3.prefix': { check: matching(/^[\w./-]+\/$/, 'a path that ends in a slash, such as media/'), fallback: '' as string },
  'upload.s3.baseUrl': { check: url, fallback: '' as string },
  'upload.s3.forcePathStyle': { check: flag, fallback: false as boolean },
  'upload.s3.accessKeyId': { check: text, fallback: '' as string, variable: 'S3_ACCESS_KEY_ID' },
  'upload.s3.secretAccessKey': { check: text, fallback: '' as string, variable: 'S3_SECRET_ACCESS_KEY' },
} as const;
