import * as v from 'valibot';
import { createCheck, flag, integer, matching, oneOf, option, plainObject, text } from './checks.js';
import type { Check } from './checks.js';

const MEGABYTE = 1024 * 1024;
/** The longest side that images in WebP can have. */
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

/** The types of image that copies can have besides their own. */
const formats: Check<readonly ('webp' | 'avif')[]> = createCheck(
  'a list of webp and avif',
  v.pipe(v.unknown(), v.array(v.picklist(['webp', 'avif']))),
);

/** Wider than most screens have pixels. */
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
  'upload.directory': option(text, 'public/uploads', 'The folder of uploaded files, from the project.'),
  'upload.sizeLimit': option(integer(1), 200 * MEGABYTE, 'Bytes of one file.'),
  'upload.maxFiles': option(integer(1, 1000), 50, 'Files of one request.'),
  'upload.maxPixels': option(integer(1, 1_000_000_000), 100_000_000, 'Width times height of an image.'),
  'upload.maxRequestPixels': option(
    integer(1, 10_000_000_000),
    500_000_000,
    'Width times height of all images of one request together.',
  ),
  'upload.allowedTypes': option(types, ['*'], 'The kinds of files that may be uploaded.', {
    example: ['images', 'application/pdf'],
  }),
  'upload.deniedTypes': option(types, [], 'Kinds of files that may not, although they are allowed.', {
    example: ['image/svg+xml'],
  }),
  'upload.breakpoints': option(
    breakpoints,
    { large: 1000, medium: 750, small: 500 },
    'Longest side in pixels of the smaller copies of an image.',
  ),
  'upload.formats': option(
    formats,
    [],
    'Types in which each smaller copy is stored, too: `thumbnail_webp` beside `thumbnail`.',
    { example: ['webp', 'avif'] },
  ),
  'upload.transforms.sizes': option(
    numbers('pixels', MAX_TRANSFORM_SIDE),
    [],
    'What `?width=` and `?height=` of an image may ask for. Empty: images are sent as they are stored.',
    { example: [320, 640, 1280] },
  ),
  'upload.transforms.qualities': option(
    numbers('numbers', 100),
    [50, 75, 90],
    'What `?quality=` may ask for.',
  ),
  'upload.transforms.formats': option(
    transformFormats,
    ['webp', 'avif', 'jpeg'],
    'What `?format=` may ask for.',
  ),
  'upload.transforms.cacheSize': option(
    integer(MEGABYTE),
    1024 * MEGABYTE,
    'Bytes that such copies may take on disk; those that nobody asked for in longest are deleted.',
  ),
  'upload.provider': option(oneOf('local', 's3'), 'local', 'Where files are stored.', { example: 's3' }),
  'upload.s3.bucket': option(text, '', 'The bucket; needed where the provider is s3.', {
    example: 'media',
  }),
  'upload.s3.region': option(text, 'us-east-1', 'The region of the bucket.'),
  'upload.s3.endpoint': option(url, '', 'The address of a service other than Amazon S3.', {
    example: 'https://s3.example.com',
  }),
  'upload.s3.prefix': option(
    matching(/^[\w./-]+\/$/, 'a path that ends in a slash, such as media/'),
    '',
    'The path before the names of objects.',
    { example: 'site/' },
  ),
  'upload.s3.baseUrl': option(url, '', 'Where clients read files. Empty: at the endpoint.', {
    example: 'https://files.example.com',
  }),
  'upload.s3.forcePathStyle': option(flag, false, 'Whether the bucket stands in the path.', {
    example: true,
  }),
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
  'upload.s3.secretAccessKey': option(text, '', 'Its secret. Better kept in the variable.', {
    variable: 'S3_SECRET_ACCESS_KEY',
    example: 'from the environment',
  }),
} as const;
