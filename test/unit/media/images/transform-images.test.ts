import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createError } from '../../../../src/errors/catalogue.js';
import { createImageQueue, loadSharp } from '../../../../src/media/images/image-library.js';
import { copiesFolder, createCopyCache } from '../../../../src/media/images/copy-cache.js';
import { createTransforms } from '../../../../src/media/images/transform-images.js';
import type { TransformDependencies } from '../../../../src/media/images/transform-images.js';
import { MIDDLE } from '../../../../src/media/media.js';
import { createImage } from '../../../api/media/support/client.js';

const KILOBYTE = 1024;

describe('copies of images', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'galley-copies-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const fail = (error: unknown): never => {
    throw error;
  };

  const dependencies = (): TransformDependencies => ({
    config: {
      directory,
      maxPixels: 10_000,
      transforms: { sizes: [10], qualities: [], formats: [], cacheSize: KILOBYTE * KILOBYTE },
    },
    cache: createCopyCache(directory, KILOBYTE * KILOBYTE, fail),
    focalPoints: { of: async () => MIDDLE, clear: () => {} },
    loadImages: loadSharp,
    queue: createImageQueue(),
  });
  const asked = { width: 10, height: null, fit: 'cover', format: null, quality: null } as const;

  it('are made once, however many ask at the same time', async () => {
    await writeFile(join(directory, 'image.png'), await createImage(50, 50));
    let made = 0;
    const transform = createTransforms({
      ...dependencies(),
      queue: {
        run: (work) => {
          made += 1;
          return createImageQueue().run(work);
        },
      },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => transform('image.png', asked)));
    answers.push(await transform('image.png', asked));
    expect([made, new Set(answers.map((answer) => answer?.name)).size]).toEqual([1, 1]);
    expect(answers[0]?.folder).toBe(copiesFolder(directory, 'image.png'));
  });

  it('are not made of images with more pixels than uploads may have', async () => {
    await writeFile(join(directory, 'large.png'), await createImage(101, 100));
    await expect(createTransforms(dependencies())('large.png', asked)).rejects.toMatchObject({
      code: 'upload/too-many-pixels',
    });
    expect(await readdir(join(directory, '.transforms'))).not.toContain(
      basename(copiesFolder(directory, 'large.png')),
    );
  });

  it('need the library that makes them', async () => {
    const error = createError('upload/image-processing-unavailable');
    const loadImages = async () => ({ open: null, error });
    await writeFile(join(directory, 'plain.png'), await createImage(5, 5));
    await expect(
      createTransforms({ ...dependencies(), loadImages })('plain.png', asked),
    ).rejects.toMatchObject({
      code: 'upload/transforms-unavailable',
      kind: 'unavailable',
    });
  });

  it('are deleted once they take too much, those first that nobody asked for in longest', async () => {
    const folder = copiesFolder(directory, 'many.png');
    const cache = createCopyCache(directory, 100 * KILOBYTE, fail);
    const pathOf = (index: number): string => join(folder, `${index}.png`);
    const store = (index: number): Promise<void> =>
      cache.store(pathOf(index), (part) => writeFile(part, Buffer.alloc(10 * KILOBYTE)));
    for (let index = 0; index < 9; index += 1) {
      await store(index);
      await utimes(pathOf(index), 1_000_000 + index, 1_000_000);
    }
    await cache.settled();
    expect((await readdir(folder)).length).toBe(9);
    expect(await cache.has(pathOf(0))).toBe(true);
    expect((await stat(pathOf(0))).mtimeMs).toBe(1_000_000_000);
    await store(9);
    await store(10);
    await cache.settled();
    const kept = ['0.png', '10.png', ...[4, 5, 6, 7, 8, 9].map((index) => `${index}.png`)];
    expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
    expect(await cache.has(pathOf(1))).toBe(false);
  });

  it('leave nothing of one that could not be written', async () => {
    const cache = createCopyCache(directory, KILOBYTE, fail);
    const folder = copiesFolder(directory, 'half.png');
    const store = cache.store(join(folder, 'half.png'), async (part) => {
      await writeFile(part, 'half');
      throw new Error('The disk is full');
    });
    await expect(store).rejects.toThrow('The disk is full');
    expect(await readdir(folder)).toEqual([]);
  });
});
