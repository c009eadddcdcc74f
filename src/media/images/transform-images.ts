import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Sharp } from 'sharp';
import type { Config } from '../../config/config.js';
import { createError } from '../../errors/catalogue.js';
import type { SourceImage } from './generate-formats.js';
import { ENCODING } from './image-library.js';
import type { ImageLibrary, ImageQueue, OpenImage } from './image-library.js';
import { IMAGE_TIMEOUT_SECONDS, isDecodable, measureImage } from './measure-image.js';
import type { ImageLimits, ImageSize } from './measure-image.js';
import { isCropped } from '../media.js';
import type { FocalPoint, Transform, TransformedImage } from '../media.js';
import { typeOfExtension } from '../mime-types.js';
import { copiesFolder } from './copy-cache.js';
import type { CopyCache } from './copy-cache.js';
import type { FocalPoints } from './focal-points.js';

/** The longest side that any of the types can have. */
const MAX_SIDE = 16_383;

/**
 * The types that images are written in: those that a client may ask for, and those that only stay as they
 * are.
 */
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
  /** The point around which it is cropped where both sides are to be filled. Null: all of it is kept. */
  readonly focalPoint: FocalPoint | null;
  readonly format: RenderedFormat;
  readonly quality: number | null;
}

/** Returns the start of a crop of `length` pixels on a side of `total` pixels. */
const cropStart = (total: number, length: number, percentage: number): number =>
  Math.min(Math.max(Math.round((total * percentage) / 100 - length / 2), 0), total - length);

/** Fills a box of the shape that was asked for, which is smaller where the image is. */
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
  // JPEG has no transparency, and would show black.
  const opaque = format === 'jpeg' ? image.flatten({ background: '#fff' }) : image;
  return opaque.toFormat(format, { ...usual, ...(quality === null ? {} : { quality }) });
};

/**
 * Writes what is asked for of an image to `target`. It is never enlarged. Of an animation it is the first
 * picture.
 *
 * @throws `upload/invalid-image` if it cannot be decoded completely and in time
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
  /** Of its own, so that those who look at images do not keep others from uploading some. */
  readonly queue: ImageQueue;
}

/**
 * Returns a copy of the uploaded file at `path`, relative to the folder of uploads, as somebody asks for it.
 * Null: there is no such file, or it is an image that needs no copies or can have none, such as a drawing.
 *
 * @throws `upload/not-transformable`, `upload/invalid-image`, `upload/busy`, `upload/transforms-unavailable`
 */
export type TransformImage = (path: string, transform: Transform) => Promise<TransformedImage | null>;

/** Returns the one spelling of a path in the folder of uploads. Null: it may not be asked for. */
const normalisePath = (path: string): string | null => {
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
  own: RenderedFormat,
  transform: Transform,
): Promise<Rendering> => {
  const { width, height, format: asked, quality } = transform;
  const format = asked ?? own;
  // An image that nobody wants smaller still has to be decoded and written as a whole.
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

/** Creates what makes copies of images, one at a time, and each of them once. */
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
    const known = running.get(target);
    if (known !== undefined) return known;
    const started = make(path, mime, rendering, target).finally(() => running.delete(target));
    running.set(target, started);
    return started;
  };
  return async (askedPath, transform) => {
    const path = normalisePath(askedPath);
    if (path === null) return null;
    const source = join(config.directory, path);
    const found = await stat(source).catch(() => null);
    if (found === null || !found.isFile()) return null;
    const own = formatOf(path);
    if (own === null) return null;
    const rendering = await renderingOf(dependencies, path, own, transform);
    const identity = JSON.stringify([found.size, found.mtimeMs, rendering]);
    const hash = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    const target = join(copiesFolder(config.directory, path), `${hash}.${rendering.format}`);
    if (!(await cache.has(target))) await makeOnce(source, `image/${own}`, rendering, target);
    return { folder: dirname(target), name: basename(target) };
  };
}
