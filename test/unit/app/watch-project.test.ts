import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSecondLook } from '../../../src/app/second-look.js';
import { watchProject } from '../../../src/app/watch-project.js';
import { changedBetween, takeFingerprint } from '../../../src/app/watched-files.js';
import type { Fingerprint } from '../../../src/app/watched-files.js';

const PATIENCE = { timeout: 15_000, interval: 10 };

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
    const told = new Set<string>();
    const watcher = await watchProject(root, (paths) => {
      for (const path of paths) told.add(path);
    });
    onTestFinished(() => watcher.close());
    return told;
  };

  it('tells what is saved as soon as it watches', async () => {
    const files = Array.from({ length: 20 }, (_, index) => `src/api/t${index}/content-types/t${index}/schema.json`);
    for (const file of files) write(file, '{}');
    const told = await watch();
    for (const file of files) write(file, '{ "saved": true }');
    await expect.poll(() => [...told].toSorted(), PATIENCE).toEqual(files.toSorted());
  });

  it('tells of files whose folders are made later, and of nothing that does not matter', async () => {
    write('src/index.ts', '');
    const told = await watch();
    for (const path of ['data.db', 'prisma/schema.prisma', 'types/index.d.ts', '.galley/client/index.js', 'src/.cache/x', 'src/index.ts~', 'src/a.json.123.new', 'src/node_modules/x/index.js']) write(path, 'x');
    for (const path of ['cms.config.ts', '.env', 'prisma/migrations/1/migration.sql', 'src/components/shared/seo.json']) write(path, 'x');
    await expect.poll(() => [...told].toSorted(), PATIENCE).toEqual(['.env', 'cms.config.ts', 'prisma/migrations/1/migration.sql', 'src/components/shared/seo.json']);
  });
});

describe('a fingerprint', () => {
  it('tells which of the watched files were added, changed, replaced or removed', async () => {
    for (const name of ['same', 'changed', 'replaced', 'removed']) write(`src/${name}.json`, 'old');
    write('data.db', '1');
    const before = await takeFingerprint(root);
    expect([...before.keys()].toSorted()).toEqual(['src/changed.json', 'src/removed.json', 'src/replaced.json', 'src/same.json']);
    write('src/changed.json', 'longer than before');
    write('src/replaced.json.new', 'new');
    renameSync(join(root, 'src/replaced.json.new'), join(root, 'src/replaced.json'));
    rmSync(join(root, 'src/removed.json'));
    write('src/a/b/added.json', '');
    write('data.db', 'x');
    expect(changedBetween(before, await takeFingerprint(root))).toEqual(['src/a/b/added.json', 'src/changed.json', 'src/removed.json', 'src/replaced.json']);
    expect(changedBetween(before, before)).toEqual([]);
  });
});

describe('a second look', () => {
  const of = (text: string): Fingerprint => new Map([...text].map((stamp, index) => [`file${index}`, stamp]));

  /** Looks that find these states one after the other, and the last of them for ever. */
  const watchStates = (states: readonly string[]) => {
    const told: (readonly string[])[] = [];
    let looks = 0;
    const look = async (): Promise<Fingerprint> => of(states[Math.min(looks++, states.length - 1)] ?? '');
    const secondLook = createSecondLook({ look, onChange: (changed) => told.push(changed), everyMs: 1, settledMs: 1 });
    onTestFinished(() => secondLook.stop());
    const looked = async (times: number): Promise<void> => {
      await expect.poll(() => looks, PATIENCE).toBeGreaterThan(times);
    };
    return { told, secondLook, looked };
  };

  it('tells a change once it has rested, and once only', async () => {
    const { told, secondLook, looked } = watchStates(['aa', 'ab', 'ac', 'ac']);
    secondLook.start(of('aa'));
    await looked(8);
    expect(told).toEqual([['file1']]);
  });

  it('tells what had changed already when it began, and goes on for the next', async () => {
    const { told, secondLook, looked } = watchStates(['b', 'b', 'b', 'c', 'c']);
    secondLook.start(of('a'));
    await looked(8);
    expect(told).toEqual([['file0'], ['file0']]);
  });

  it('tells nothing of what was undone, nor once it is stopped or begins anew', async () => {
    const undone = watchStates(['b', 'a', 'a']);
    undone.secondLook.start(of('a'));
    await undone.looked(6);
    expect(undone.told).toEqual([]);
    const anew = watchStates(['b']);
    anew.secondLook.start(of('a'));
    anew.secondLook.start(of('b'));
    await anew.looked(6);
    expect(anew.told).toEqual([]);
  });
});
