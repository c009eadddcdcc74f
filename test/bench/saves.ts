import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecondLook } from '../../src/app/second-look.js';
import { watchProject } from '../../src/app/watch-project.js';
import { takeFingerprint, watchedName } from '../../src/app/watched-files.js';

/**
 * Saves files in the ways editors and tools do, hundreds of times, and counts the saves that the watcher overlooks, and those that the second look
 * overlooks as well.
 *
 * node --import jiti/register test/bench/saves.ts [rounds]
 */
const ROUNDS = Number(process.argv[2] ?? 50);

/** A save that was not told by then is counted as overlooked. */
const PATIENCE_MS = 10_000;

interface Kind {
  readonly name: string;
  /** Makes the last change to `file` after which a reader has to be told. */
  readonly save: (file: string, text: string, round: number) => Promise<void>;
}

const beside = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};

/** Of a file that was there before. */
const KINDS: readonly Kind[] = [
  { name: 'in place', save: (file, text) => writeFile(file, text) },
  {
    name: 'in place, twice', save: async (file, text, round) => {
      await writeFile(file, 'first');
      await sleep(round % 40);
      await writeFile(file, text);
    },
  },
  { name: 'renamed into place', save: beside },
  {
    name: 'renamed into place, twice', save: async (file, text, round) => {
      await beside(file, 'first');
      await sleep(round % 8);
      await beside(file, text);
    },
  },
  {
    name: 'moved away, written anew', save: async (file, text, round) => {
      await rename(file, `${file}~`);
      if (round % 2 === 0) await sleep(round % 10);
      await writeFile(file, text);
    },
  },
  {
    name: 'removed, written anew', save: async (file, text, round) => {
      await rm(file, { force: true });
      if (round % 2 === 0) await sleep(round % 10);
      await writeFile(file, text);
    },
  },
  {
    name: 'removed and written anew, twice', save: async (file, text, round) => {
      for (const each of ['first', text]) {
        await rm(file, { force: true });
        await writeFile(file, each);
        await sleep(round % 30);
      }
    },
  },
];

/** In a folder that is made for it. */
const FOLDERS: readonly Kind[] = [
  {
    name: 'in a new folder', save: async (file, text) => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
  },
  {
    name: 'in a new folder, a moment later', save: async (file, text, round) => {
      await mkdir(dirname(file), { recursive: true });
      await sleep(round % 10);
      await beside(file, text);
    },
  },
];

/** When each file was told last, and by whom. */
const told = { watcher: new Map<string, number>(), either: new Map<string, number>() };

interface Overlooked {
  byWatcher: number;
  byBoth: number;
}

const wait = async (path: string, since: number, overlooked: Overlooked): Promise<void> => {
  const isTold = (by: ReadonlyMap<string, number>): boolean => (by.get(path) ?? -1) >= since;
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline && !isTold(told.either); await sleep(5));
  if (!isTold(told.watcher)) overlooked.byWatcher++;
  if (!isTold(told.either)) overlooked.byBoth++;
};

/** As a server that builds its next API does to its event loop. */
const keepBusy = (): NodeJS.Timeout =>
  setInterval(() => {
    for (const until = performance.now() + Math.random() * 60; performance.now() < until;);
  }, 40);

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'galley-saves-'));
  await mkdir(join(root, 'src/api'), { recursive: true });
  await Promise.all(KINDS.map((_, index) => writeFile(join(root, `src/api/${index}.json`), '')));
  const note = (by: Map<string, number>, paths: readonly string[]): void => {
    for (const path of paths) by.set(path, performance.now());
  };
  const secondLook = createSecondLook({ look: () => takeFingerprint(root), onChange: (paths) => note(told.either, paths) });
  let isDone = false;
  const watcher = await watchProject(root, (paths) => {
    note(told.watcher, paths);
    note(told.either, paths);
    void takeFingerprint(root).then((now) => isDone || secondLook.start(now));
  });
  secondLook.start(await takeFingerprint(root));
  process.stdout.write('overlooked by the watcher / by the second look as well\n');
  for (const isBusy of [false, true]) {
    const busy = isBusy ? keepBusy() : undefined;
    for (const [index, { name, save }] of [...KINDS, ...FOLDERS].entries()) {
      const [saves, after]: [Overlooked, Overlooked] = [{ byWatcher: 0, byBoth: 0 }, { byWatcher: 0, byBoth: 0 }];
      for (let round = 0; round < ROUNDS; round++) {
        const file = index < KINDS.length ? join(root, `src/api/${index}.json`) : join(root, `src/api/${isBusy ? 'b' : 'i'}${index}-${round}/content-types/x/schema.json`);
        const path = watchedName(root, file);
        let since = performance.now();
        await save(file, `${round}`, round);
        await wait(path, since, saves);
        await sleep(150);
        since = performance.now();
        await writeFile(file, `after ${round}`);
        await wait(path, since, after);
      }
      const print = ({ byWatcher, byBoth }: Overlooked): string => `${String(byWatcher).padStart(3)} / ${String(byBoth).padEnd(3)}`;
      process.stdout.write(`${isBusy ? 'busy' : 'idle'}  ${name.padEnd(32)} ${ROUNDS} saves: ${print(saves)} plain saves after them: ${print(after)}\n`);
    }
    clearInterval(busy);
  }
  isDone = true;
  secondLook.stop();
  await watcher.close();
  await rm(root, { recursive: true });
};

await main();
