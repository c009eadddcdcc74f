import * as v from 'valibot';
import { MEGABYTE } from '../lib/units.js';
import { createCheck, flag, integer, matching, oneOf, option, plainObject, text } from './checks.js';
import type { Check } from './checks.js';

/** The maximum width and height of an image in WebP. */
const MAX_SIDE = 16_383;

const TYPE_PATTERN = /^(?:\*|\*\/\*|images|videos|audios|files|[a-z]+\/[\w.+*-]+)$/;

const types: Check<readonly string[]> = createCheck(
  "a list of content types such as 'image/*' and 'application/pdf', " +
    'or of the words images, videos, audios, files',
  v.pipe(v.unknown(), v.array(v.pipe(v.string(), v.regex(TYPE_PATTERN)))),
);

const breakpoints: Check<Readonly<Record<string, number>>> = createCheck(
  `an object of names and widths in pixels up to ${MAX_SIDE}, such as { large: 1000 }`,
  v.pipe(
    plainObject,
    v.record(
      v.pipe(v.string(), v.regex(/^(?!thumbnail$)[a-z][\w-]{0,30}$/i)),
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SIDE)),
    ),
  ),
);

/** The additional image types of copies. */
const formats: Check<readonly ('webp' | 'avif')[]> = createCheck(
  'a list of webp and avif',
  v.pipe(v.unknown(), v.array(v.picklist(['webp', 'avif']))),
);

/** Exceeds the width of most screens. */
const MAX_TRANSFORM_SIDE = 4096;

const numbers = (allowed: string, maximum: number): Check<readonly number[]> =>
  createCheck(
    `a list of ${allowed} from 1 to ${maximum}`,
    v.pipe(v.unknown(), v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum)))),
  );

const transformFormats: Check<readonly ('webp' | 'avif' | 'jpeg' | 'png')[]> = createCheck(
  'a list of webp, avif, jpeg and png',
  v.pipe(v.unknown(), v.array(v.picklist(['webp', 'avif', 'jpeg', 'png']))),
);

const url = matching(/^https?:\/\/[^\s]+$/, 'a URL such as https://files.example.com');

/** The settings of the `upload` section of cms.config.*. */
export const UPLOAD_SETTINGS = {
  'upload.directory': option(
    text,
    'public/uploads',
    'The folder of uploaded files, relative to the project.',
  ),
  'upload.sizeLimit': option(integer(1), 200 * MEGABYTE, 'Maximum size of a file, in bytes.'),
  'upload.maxFiles': option(integer(1, 1000), 50, 'Maximum number of files in a request.'),
  'upload.maxPixels': option(
    integer(1, 1_000_000_000),
    100_000_000,
    'Maximum number of pixels of an image: width times height.',
  ),
  'upload.maxRequestPixels': option(
    integer(1, 10_000_000_000),
    500_000_000,
    'Maximum number of pixels of all images of one request.',
  ),
  'upload.allowedTypes': option(types, ['*'], 'Types of files that may be uploaded.', {
    example: ['images', 'application/pdf'],
  }),
  'upload.deniedTypes': option(
    types,
    [],
    'Types of files that are rejected even if `upload.allowedTypes` contains them.',
    {
      example: ['image/svg+xml'],
    },
  ),
  'upload.breakpoints': option(
    breakpoints,
    { large: 1000, medium: 750, small: 500 },
    'Longest side in pixels of the smaller copies of an image.',
  ),
  'upload.formats': option(
    formats,
    [],
    'Types in which each smaller copy is stored in addition: `thumbnail_webp` besides `thumbnail`.',
    { example: ['webp', 'avif'] },
  ),
  'upload.transforms.sizes': option(
    numbers('pixels', MAX_TRANSFORM_SIDE),
    [],
    'Values that `?width=` and `?height=` of an image accept. Empty: images are sent as they are stored.',
    { example: [320, 640, 1280] },
  ),
  'upload.transforms.qualities': option(
    numbers('numbers', 100),
    [50, 75, 90],
    'Values that `?quality=` accepts.',
  ),
  'upload.transforms.formats': option(
    transformFormats,
    ['webp', 'avif', 'jpeg'],
    'Values that `?format=` accepts.',
  ),
  'upload.transforms.cacheSize': option(
    integer(MEGABYTE),
    1024 * MEGABYTE,
    'Bytes of disk space for such copies; the least recently requested copies are deleted first.',
  ),
  'upload.provider': option(oneOf('local', 's3'), 'local', 'The storage of files.', { example: 's3' }),
  'upload.s3.bucket': option(text, '', 'The name of the bucket; required by the provider s3.', {
    example: 'media',
  }),
  'upload.s3.region': option(text, 'us-east-1', 'The region of the bucket.'),
  'upload.s3.endpoint': option(url, '', 'The URL of a service other than Amazon S3.', {
    example: 'https://s3.example.com',
  }),
  'upload.s3.prefix': option(
    matching(/^[\w./-]+\/$/, 'a path that ends in a slash, such as media/'),
    '',
    'The path before the names of objects.',
    { example: 'site/' },
  ),
  'upload.s3.baseUrl': option(url, '', 'The URL at which clients read files. Empty: the endpoint.', {
    example: 'https://files.example.com',
  }),
  'upload.s3.forcePathStyle': option(
    flag,
    false,
    'True: URLs contain the bucket in the path instead of the host name.',
    {
      example: true,
    },
  ),
  'upload.s3.acl': option(
    matching(/^[a-z-]+$/, 'a canned ACL such as public-read'),
    '',
    'The ACL of each object. Empty: that of the bucket.',
    { example: 'public-read' },
  ),
  'upload.s3.accessKeyId': option(text, '', 'The access key. Empty: the credentials of the machine.', {
    variable: 'S3_ACCESS_KEY_ID',
    example: 'AKIAEXAMPLE',
  }),
  'upload.s3.secretAccessKey': option(text, '', 'The secret of the access key. Prefer the variable.', {
    variable: 'S3_SECRET_ACCESS_KEY',
    example: 'from the environment',
  }),
} as const;
