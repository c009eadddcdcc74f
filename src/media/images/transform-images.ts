import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Sharp } from 'sharp';
import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { createError } from '../../errors/catalogue.js';
import { sha256Hex } from '../../lib/ids.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Database } from '../../database/database.js';
import { defined } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import type { SourceImage } from './generate-formats.js';
import { ENCODING, IMAGE_TIMEOUT_SECONDS, isDecodable, measureImage } from './image-library.js';
import type { ImageLibrary, ImageQueue, OpenImage, ImageLimits, ImageSize } from './image-library.js';
import { isCropped, MIDDLE } from '../media.js';
import type { FocalPoint, Transform, TransformedImage } from '../media.js';
import { typeOfExtension } from '../mime-types.js';
import { parseFileInfo } from '../file-info.js';
import { copiesFolder } from './copy-cache.js';
import type { CopyCache } from './copy-cache.js';

/** Maximum time for which other processes use an outdated focal point. */
const LIFETIME_MS = 10_000;

/** The focal points of images. */
interface FocalPoints {
  /** Returns the focal point of an image by its hash, or the middle if it has none. */
  readonly of: (hash: string) => Promise<FocalPoint>;
  /** Clears the cache. */
  readonly clear: () => void;
}

/** Parses a stored focal point. Invalid values, which imports may contain, are the middle. */
const parsePoint = (json: string): FocalPoint => {
  try {
    return parseFileInfo({ focalPoint: JSON.parse(json) as unknown }).focalPoint ?? MIDDLE;
  } catch {
    return MIDDLE;
  }
};

/**
 * Creates a cached lookup of focal points. Hashes have no index, and few images have a focal point. So one
 * statement reads all of them.
 */
export function createFocalPoints(database: Database, model: ContentModel): FocalPoints {
  const type = typeOf(model, FILE_UID);
  const columnOf = (name: string) => {
    const attribute = defined(type.attributes[name], `the attribute ${name} of files`);
    return sql.ref('column' in attribute ? attribute.column.name : name);
  };
  const { expressions } = database.dialect;
  const point = columnOf('focalPoint');
  const statement = sql`select ${expressions.asText('json', point)} || ${sql.lit('\n')} || ${columnOf('hash')}
    from ${sql.table(type.storage.version.table)} where ${point} is not null`.compile(expressions.kysely);
  const readAll = async (): Promise<ReadonlyMap<string, string>> => {
    const texts = await database.readTexts(statement.sql, []);
    return new Map(
      texts.flatMap((text) => {
        const end = text?.lastIndexOf('\n') ?? -1;
        return text === null || end < 0 ? [] : [[text.slice(end + 1), text.slice(0, end)] as const];
      }),
    );
  };
  let cached: { readonly points: Promise<ReadonlyMap<string, string>>; readonly until: number } | null = null;
  const clear = (): void => {
    cached = null;
  };
  return {
    of: async (hash) => {
      if (cached === null || cached.until < Date.now()) {
        const points = readAll();
        points.catch(clear);
        cached = { points, until: Date.now() + LIFETIME_MS };
      }
      const json = (await cached.points).get(hash);
      return json === undefined ? MIDDLE : parsePoint(json);
    },
    clear,
  };
}

/** The longest side of an image in all types. */
const MAX_SIDE = 16_383;

/** The types of written images: those that a client may request, and `gif` and `tiff`. */
type RenderedFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff';

/** Types whose files become smaller with less quality. */
const LOSSY: ReadonlySet<RenderedFormat> = new Set(['jpeg', 'webp', 'avif']);

function isLossy(format: RenderedFormat): boolean {
  return LOSSY.has(format);
}

/** Exact parameters for rendering an image. */
interface Rendering {
  readonly width: number | null;
  readonly height: number | null;
  /** The point around which the image is cropped to fill both sides. Null: it is not cropped. */
  readonly focalPoint: FocalPoint | null;
  readonly format: RenderedFormat;
  readonly quality: number | null;
}

/** Returns the start of a crop of `length` pixels on a side of `total` pixels. */
const cropStart = (total: number, length: number, percentage: number): number =>
  Math.min(Math.max(Math.round((total * percentage) / 100 - length / 2), 0), total - length);

/** Fills a box of the requested shape, which is smaller if the image is smaller. */
const cover = (
  opened: Sharp,
  image: ImageSize,
  width: number,
  height: number,
  { x, y }: FocalPoint,
): Sharp => {
  const shrink = Math.min(1, image.width / width, image.height / height);
  const box = {
    width: Math.max(1, Math.round(width * shrink)),
    height: Math.max(1, Math.round(height * shrink)),
  };
  const scale = Math.max(box.width / image.width, box.height / image.height);
  const scaled = {
    width: Math.max(box.width, Math.round(image.width * scale)),
    height: Math.max(box.height, Math.round(image.height * scale)),
  };
  return opened.resize({ ...scaled, fit: 'fill' }).extract({
    ...box,
    left: cropStart(scaled.width, box.width, x),
    top: cropStart(scaled.height, box.height, y),
  });
};

const resize = (opened: Sharp, image: ImageSize, { width, height, focalPoint }: Rendering): Sharp => {
  if (focalPoint !== null && width !== null && height !== null)
    return cover(opened, image, width, height, focalPoint);
  const box = { width: width ?? MAX_SIDE, height: height ?? MAX_SIDE };
  return opened.resize({ ...box, fit: 'inside', withoutEnlargement: true });
};

const encode = (image: Sharp, { format, quality }: Rendering): Sharp => {
  const usual = format === 'webp' || format === 'avif' ? ENCODING[format] : {};
  // JPEG has no transparency; transparent areas would be black.
  const opaque = format === 'jpeg' ? image.flatten({ background: '#fff' }) : image;
  return opaque.toFormat(format, { ...usual, ...(quality === null ? {} : { quality }) });
};

/**
 * Renders an image to `target`. It is never enlarged. Of an animation, only the first frame is written.
 *
 * @throws `upload/invalid-image` if the image cannot be decoded completely and in time
 */
async function renderImage(
  openImage: OpenImage,
  source: Pick<SourceImage, 'path' | 'name' | 'size'>,
  rendering: Rendering,
  { maxPixels }: ImageLimits,
  target: string,
): Promise<void> {
  const opened = openImage(source.path, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .autoOrient();
  try {
    await encode(resize(opened, source.size, rendering), rendering).toFile(target);
  } catch (cause) {
    throw createError('upload/invalid-image', { name: source.name }, { cause });
  }
}

export interface TransformDependencies {
  readonly config: Pick<Config['upload'], 'directory' | 'maxPixels' | 'transforms'>;
  readonly cache: CopyCache;
  readonly focalPoints: FocalPoints;
  readonly loadImages: () => Promise<ImageLibrary>;
  /** A separate queue, so that transformations do not delay uploads. */
  readonly queue: ImageQueue;
}

/**
 * Returns a transformed copy of the uploaded file at `path`, relative to the folder of uploads. Null: there
 * is no such file, or it is an image that cannot be transformed, such as an SVG.
 *
 * @throws `upload/not-transformable`, `upload/invalid-image`, `upload/busy`, `upload/transforms-unavailable`
 */
type TransformImage = (path: string, transform: Transform) => Promise<TransformedImage | null>;

/** Returns the canonical form of a path in the folder of uploads. Null: the path is hidden or invalid. */
const normalizePath = (path: string): string | null => {
  const segments = path.split(/[\\/]/);
  const isHidden = segments.some((segment) => segment === '' || segment.startsWith('.'));
  return isHidden || path.includes('\0') ? null : segments.join('/');
};

const formatOf = (path: string): RenderedFormat | null => {
  const type = typeOfExtension(extname(path)) ?? 'application/octet-stream';
  if (isDecodable(type)) return type.slice('image/'.length) as RenderedFormat;
  if (type.startsWith('image/')) return null;
  throw createError('upload/not-transformable', { name: basename(path), type });
};

const renderingOf = async (
  { config, focalPoints }: TransformDependencies,
  path: string,
  sourceFormat: RenderedFormat,
  transform: Transform,
): Promise<Rendering> => {
  const { width, height, format: requested, quality } = transform;
  const format = requested ?? sourceFormat;
  // Without a requested size, the largest configured size limits the work.
  const largest = Math.max(...config.transforms.sizes);
  const isSized = width !== null || height !== null;
  return {
    width: isSized ? width : largest,
    height: isSized ? height : largest,
    focalPoint: isCropped(transform) ? await focalPoints.of(basename(path, extname(path))) : null,
    format,
    quality: isLossy(format) ? quality : null,
  };
};

/** Creates the function that transforms images, one at a time. Concurrent requests share one copy. */
export function createTransforms(dependencies: TransformDependencies): TransformImage {
  const { config, cache, queue, loadImages } = dependencies;
  const running = new Map<string, Promise<void>>();
  const make = async (path: string, mime: string, rendering: Rendering, target: string): Promise<void> => {
    const name = basename(path);
    const { open } = await loadImages();
    if (open === null) throw createError('upload/transforms-unavailable');
    await queue.run(async () => {
      const size = await measureImage(path, { name, mime }, config);
      if (size === null) throw createError('upload/transforms-unavailable');
      const image = { path, name, size };
      await cache.store(target, (part) => renderImage(open, image, rendering, config, part));
    });
  };
  const makeOnce = (path: string, mime: string, rendering: Rendering, target: string): Promise<void> => {
    const current = running.get(target);
    if (current !== undefined) return current;
    const started = make(path, mime, rendering, target).finally(() => running.delete(target));
    running.set(target, started);
    return started;
  };
  return async (requestedPath, transform) => {
    const path = normalizePath(requestedPath);
    if (path === null) return null;
    const source = join(config.directory, path);
    const found = await stat(source).catch(() => null);
    if (found === null || !found.isFile()) return null;
    const sourceFormat = formatOf(path);
    if (sourceFormat === null) return null;
    const rendering = await renderingOf(dependencies, path, sourceFormat, transform);
    const identity = JSON.stringify([found.size, found.mtimeMs, rendering]);
    const hash = sha256Hex(identity).slice(0, 32);
    const target = join(copiesFolder(config.directory, path), `${hash}.${rendering.format}`);
    if (!(await cache.has(target))) await makeOnce(source, `image/${sourceFormat}`, rendering, target);
    return { folder: dirname(target), name: basename(target) };
  };
}
