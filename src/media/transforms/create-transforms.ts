import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { createError } from '../../errors/catalogue.js';
import { typeOfExtension } from '../content/mime-types.js';
import type { ImageQueue } from '../images/image-queue.js';
import type { ImageLibrary } from '../images/load-sharp.js';
import { isDecodable, measureImage } from '../images/measure-image.js';
import { copiesFolder } from './copy-cache.js';
import type { CopyCache } from './copy-cache.js';
import type { FocalPoints } from './focal-points.js';
import { isLossy, renderImage } from './render-image.js';
import type { RenderedFormat, Rendering } from './render-image.js';
import { isCropped } from './transform.js';
import type { Transform, TransformedImage } from './transform.js';

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
