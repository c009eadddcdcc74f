import { describe, expect, it } from 'vitest';
import { createRevisionCache, createRevisionSource } from '../../../src/database/revision-cache.js';
import { createError } from '../../../src/errors/catalogue.js';

const KILOBYTE = 1024;

const at = (...revisions: readonly (readonly [string, number])[]) => new Map(revisions);

describe('a memory', () => {
  it('returns a value until a type changes that it was read from', () => {
    const memory = createRevisionCache<string>(100 * KILOBYTE);
    const before = at(['tag', 1], ['author', 1]);
    memory.set('tags', { value: 'red', bytes: 3, types: ['tag'], revisions: before });
    expect(memory.get('tags', before)).toBe('red');
    expect(memory.get('tags', at(['tag', 1], ['author', 2]))).toBe('red');
    expect(memory.get('tags', at(['tag', 2], ['author', 2]))).toBeUndefined();
    expect(memory.get('tags', before)).toBeUndefined();
  });

  it('does not return what was read while a type was written', () => {
    const memory = createRevisionCache<string>(100 * KILOBYTE);
    const before = at(['tag', 1]);
    const meanwhile = at(['tag', 2]);
    memory.set('tags', { value: 'red', bytes: 3, types: ['tag'], revisions: before });
    expect(memory.get('tags', meanwhile)).toBeUndefined();
  });

  it('returns nothing that was read from a type without a revision', () => {
    const memory = createRevisionCache<string>(100 * KILOBYTE);
    memory.set('tags', { value: 'red', bytes: 3, types: ['tag'], revisions: at() });
    expect(memory.get('tags', at(['author', 1]))).toBeUndefined();
  });

  it('holds a limited number of bytes, evicts the least recently used, and stores nothing large', () => {
    const memory = createRevisionCache<number>(100 * KILOBYTE);
    const revisions = at(['tag', 1]);
    const set = (key: string, bytes: number): void =>
      memory.set(key, { value: bytes, bytes, types: ['tag'], revisions });
    for (let index = 0; index < 9; index++) set(`key ${index}`, 10 * KILOBYTE);
    expect(memory.get('key 0', revisions)).toBe(10 * KILOBYTE);
    for (let index = 9; index < 12; index++) set(`key ${index}`, 10 * KILOBYTE);
    const kept = Array.from({ length: 12 }, (_, index) => memory.get(`key ${index}`, revisions));
    expect(kept.filter((value) => value !== undefined)).toHaveLength(9);
    expect(kept[0]).toBeDefined();
    set('large', 50 * KILOBYTE);
    expect(memory.get('large', revisions)).toBeUndefined();
  });

  it('counts what a value grows by, up to what one may take', () => {
    const memory = createRevisionCache<object>(100 * KILOBYTE);
    const revisions = at(['tag', 1]);
    const [first, second] = [{}, {}];
    const set = (value: object): void =>
      memory.set('tags', { value, bytes: KILOBYTE, types: ['tag'], revisions });
    set(first);
    const before = memory.bytes();
    expect([memory.grow('tags', first, 100), memory.bytes()]).toEqual([true, before + 100]);
    expect(memory.get('tags', revisions)).toBe(first);
    expect([memory.grow('tags', first, 20 * KILOBYTE), memory.bytes()]).toEqual([false, before + 100]);
    set(second);
    expect([memory.grow('tags', first, 100), memory.grow('others', first, 100)]).toEqual([false, false]);
    expect(memory.bytes()).toBe(before);
  });
});

describe('a source of revisions', () => {
  const revisions = at(['tag', 1]);

  it('knows nothing until it is open, and opens when it is asked', async () => {
    let opened = 0;
    const source = createRevisionSource({
      open: async () => {
        opened += 1;
        return { current: () => revisions, noteWrite: () => undefined, close: async () => undefined };
      },
      onError: () => undefined,
    });
    expect([opened, source.current(), source.current(), opened]).toEqual([0, null, null, 1]);
    await expect.poll(() => source.current()).toBe(revisions);
    expect(opened).toBe(1);
  });

  it('reports once why it knows nothing, and does not retry a failure of configuration', async () => {
    const errors: unknown[] = [];
    const refusal = createError('database/direct-url-missing', { purpose: 'Cached responses' });
    let tries = 0;
    const source = createRevisionSource({
      open: async () => {
        tries += 1;
        throw refusal;
      },
      onError: (error) => void errors.push(error),
    });
    expect(source.current()).toBeNull();
    await expect.poll(() => errors).toEqual([refusal]);
    expect([source.current(), tries]).toEqual([null, 1]);
  });

  it('knows nothing while it cannot be asked', async () => {
    const errors: unknown[] = [];
    const source = createRevisionSource({
      open: async () => ({
        current: () => {
          throw new Error('busy');
        },
        noteWrite: () => undefined,
        close: async () => undefined,
      }),
      onError: (error) => void errors.push(error),
    });
    await expect.poll(() => [source.current(), errors.length]).toEqual([null, 1]);
  });
});
