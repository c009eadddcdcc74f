import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPollingFallback, watchProject } from '../../../../src/project/serve/watch-project.js';
import { changedFiles, takeFingerprint } from '../../../../src/project/serve/watched-files.js';
import type { Fingerprint } from '../../../../src/project/serve/watched-files.js';

const POLL_OPTIONS = { timeout: 15_000, interval: 10 };

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'watch-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe('watching a project', () => {
  const watch = async (): Promise<Set<string>> => {
    const reported = new Set<string>();
    const watcher = await watchProject(root, (paths) => {
      for (const path of paths) reported.add(path);
    });
    onTestFinished(() => watcher.close());
    return reported;
  };

  it('reports what is saved as soon as it watches', async () => {
    const files = Array.from(
      { length: 20 },
      (_, index) => `src/api/t${index}/content-types/t${index}/schema.json`,
    );
    for (const file of files) write(file, '{}');
    const reported = await watch();
    for (const file of files) write(file, '{ "saved": true }');
    await expect.poll(() => [...reported].toSorted(), POLL_OPTIONS).toEqual(files.toSorted());
  });

  it('reports files whose folders are created later, and nothing that does not matter', async () => {
    write('src/index.ts', '');
    const reported = await watch();
    for (const path of [
      'data.db',
      'prisma/schema.prisma',
      'types/index.d.ts',
      '.galley/client/index.js',
      'src/.cache/x',
      'src/index.ts~',
      'src/a.json.123.new',
      'src/node_modules/x/index.js',
    ])
      write(path, 'x');
    for (const path of [
      'cms.config.ts',
      '.env',
      'prisma/migrations/1/migration.sql',
      'src/components/shared/seo.json',
    ])
      write(path, 'x');
    await expect
      .poll(() => [...reported].toSorted(), POLL_OPTIONS)
      .toEqual([
        '.env',
        'cms.config.ts',
        'prisma/migrations/1/migration.sql',
        'src/components/shared/seo.json',
      ]);
  });
});

describe('a fingerprint', () => {
  it('reports which of the watched files were added, changed, replaced or removed', async () => {
    for (const name of ['same', 'changed', 'replaced', 'removed']) write(`src/${name}.json`, 'old');
    write('data.db', '1');
    const before = await takeFingerprint(root);
    expect([...before.keys()].toSorted()).toEqual([
      'src/changed.json',
      'src/removed.json',
      'src/replaced.json',
      'src/same.json',
    ]);
    write('src/changed.json', 'longer than before');
    write('src/replaced.json.new', 'new');
    renameSync(join(root, 'src/replaced.json.new'), join(root, 'src/replaced.json'));
    rmSync(join(root, 'src/removed.json'));
    write('src/a/b/added.json', '');
    write('data.db', 'x');
    expect(changedFiles(before, await takeFingerprint(root))).toEqual([
      'src/a/b/added.json',
      'src/changed.json',
      'src/removed.json',
      'src/replaced.json',
    ]);
    expect(changedFiles(before, before)).toEqual([]);
  });
});

describe('a second look', () => {
  const fingerprintOf = (text: string): Fingerprint =>
    new Map([...text].map((content, index) => [`file${index}`, content]));

  /** Looks that find these states one after the other, and the last of them for ever. */
  const pollStates = (states: readonly string[]) => {
    const reported: (readonly string[])[] = [];
    let pollCount = 0;
    const readFingerprint = async (): Promise<Fingerprint> =>
      fingerprintOf(states[Math.min(pollCount++, states.length - 1)] ?? '');
    const pollingFallback = createPollingFallback({
      readFingerprint,
      onChange: (changed) => reported.push(changed),
      intervalMs: 1,
      stabilityMs: 1,
    });
    onTestFinished(() => pollingFallback.stop());
    const polledMoreThan = async (times: number): Promise<void> => {
      await expect.poll(() => pollCount, POLL_OPTIONS).toBeGreaterThan(times);
    };
    return { reported, pollingFallback, polledMoreThan };
  };

  it('reports a change after a pause, and once only', async () => {
    const { reported, pollingFallback, polledMoreThan } = pollStates(['aa', 'ab', 'ac', 'ac']);
    pollingFallback.start(fingerprintOf('aa'));
    await polledMoreThan(8);
    expect(reported).toEqual([['file1']]);
  });

  it('reports changes before it began, and waits for the next', async () => {
    const { reported, pollingFallback, polledMoreThan } = pollStates(['b', 'b', 'b', 'c', 'c']);
    pollingFallback.start(fingerprintOf('a'));
    await polledMoreThan(8);
    expect(reported).toEqual([['file0'], ['file0']]);
  });

  it('reports nothing that was undone, nor after it stops or restarts', async () => {
    const undone = pollStates(['b', 'a', 'a']);
    undone.pollingFallback.start(fingerprintOf('a'));
    await undone.polledMoreThan(6);
    expect(undone.reported).toEqual([]);
    const restarted = pollStates(['b']);
    restarted.pollingFallback.start(fingerprintOf('a'));
    restarted.pollingFallback.start(fingerprintOf('b'));
    await restarted.polledMoreThan(6);
    expect(restarted.reported).toEqual([]);
  });
});
