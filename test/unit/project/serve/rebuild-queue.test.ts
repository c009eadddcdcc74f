import { describe, expect, it } from 'vitest';
import { createRebuildQueue } from '../../../../src/project/serve/watch-project.js';
import type { RebuildQueue } from '../../../../src/project/serve/watch-project.js';

/** A queue over files that the test writes, whose rebuilds end when the test lets them. */
const createHarness = () => {
  const files = new Map([['a', '1']]);
  const edits: Promise<void>[] = [];
  const rebuilds: {
    readonly changed: readonly string[];
    readonly signal: AbortSignal;
    readonly end: () => void;
  }[] = [];
  const queue: RebuildQueue = createRebuildQueue({
    readFingerprint: async () => new Map(files),
    waitForEdits: async () => edits.at(-1),
    isOwnWrite: (path) => path.startsWith('own'),
    runRebuild: (changed, _before, signal) =>
      new Promise((end) => {
        rebuilds.push({ changed, signal, end });
      }),
  });
  const write = (...paths: readonly string[]): void => {
    for (const path of paths) files.set(path, `${files.get(path) ?? ''}+`);
    queue.request(paths);
  };
  const nth = async (number: number) => {
    await expect.poll(() => rebuilds.length, { interval: 1 }).toBeGreaterThanOrEqual(number);
    const rebuild = rebuilds[number - 1];
    if (rebuild === undefined) throw new Error('There is no such rebuild');
    return rebuild;
  };
  return { files, edits, rebuilds, queue, write, nth };
};

describe('the queue of rebuilds', () => {
  it('runs one rebuild for files that are reported one by one', async () => {
    const { files, queue, write, nth, rebuilds } = createHarness();
    const started = queue.start();
    (await nth(1)).end();
    await started;
    files.set('b', 'x');
    write('a');
    const second = await nth(2);
    expect(second.changed).toEqual(['a']);
    queue.request(['b']);
    queue.request(['a', 'own/1']);
    second.end();
    write('c');
    const third = await nth(3);
    expect(third.changed).toEqual(['c']);
    expect(second.signal.aborted).toBe(true);
    third.end();
    await queue.stop();
    expect(rebuilds).toHaveLength(3);
  });

  it('aborts a rebuild only where its state of the files is outdated', async () => {
    const { files, queue, write, nth } = createHarness();
    const started = queue.start();
    const first = await nth(1);
    queue.request(['a']);
    files.set('own/1', 'x');
    queue.request(['own/1']);
    first.end();
    await started;
    expect(first.signal.aborted).toBe(false);
    write('a');
    const second = await nth(2);
    write('a');
    await expect.poll(() => second.signal.aborted, { interval: 1 }).toBe(true);
    second.end();
    (await nth(3)).end();
    await queue.stop();
  });

  it('waits while a command edits the files, and adopts the result immediately', async () => {
    const { edits, queue, write, nth, rebuilds } = createHarness();
    const started = queue.start();
    (await nth(1)).end();
    await started;
    let finishEdit = (): void => undefined;
    edits.push(
      new Promise((resolve) => {
        finishEdit = resolve;
      }),
    );
    write('a');
    write('b');
    expect(rebuilds).toHaveLength(1);
    write('c');
    finishEdit();
    const second = await nth(2);
    expect(second.changed).toEqual(['a', 'b', 'c']);
    second.end();
    await queue.stop();
    expect(rebuilds).toHaveLength(2);
  });
});
