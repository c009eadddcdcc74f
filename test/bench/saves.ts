import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPollingFallback, watchProject } from '../../src/project/serve/watch-project.js';
import { relativePath } from '../../src/lib/text.js';
import { takeFingerprint } from '../../src/project/serve/watched-files.js';

/**
 * Saves files in the ways editors and tools do, hundreds of times, and counts the saves that the watcher
 * overlooks, and those that the second look overlooks as well.
 *
 * node --import jiti/register test/bench/saves.ts [rounds]
 */
const ROUNDS = Number(process.argv[2] ?? 50);

/** A save that was not told by then is counted as overlooked. */
const TIMEOUT_MS = 10_000;

interface SaveScenario {
  readonly name: string;
  /** Makes the last change to `file` after which a reader has to be told. */
  readonly save: (file: string, text: string, round: number) => Promise<void>;
}

const replaceByRename = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};

/** Of a file that was there before. */
const SAVE_SCENARIOS: readonly SaveScenario[] = [
  { name: 'in place', save: (file, text) => writeFile(file, text) },
  {
    name: 'in place, twice',
    save: async (file, text, round) => {
      await writeFile(file, 'first');
      await sleep(round % 40);
      await writeFile(file, text);
    },
  },
  { name: 'renamed into place', save: replaceByRename },
  {
    name: 'renamed into place, twice',
    save: async (file, text, round) => {
      await replaceByRename(file, 'first');
      await sleep(round % 8);
      await replaceByRename(file, text);
    },
  },
  {
    name: 'moved away, written anew',
    save: async (file, text, round) => {
      await rename(file, `${file}~`);
      if (round % 2 === 0) await sleep(round % 10);
      await writeFile(file, text);
    },
  },
  {
    name: 'removed, written anew',
    save: async (file, text, round) => {
      await rm(file, { force: true });
      if (round % 2 === 0) await sleep(round % 10);
      await writeFile(file, text);
    },
  },
  {
    name: 'removed and written anew, twice',
    save: async (file, text, round) => {
      for (const each of ['first', text]) {
        await rm(file, { force: true });
        await writeFile(file, each);
        await sleep(round % 30);
      }
    },
  },
];

/** In a folder that is made for it. */
const NEW_FOLDER_SCENARIOS: readonly SaveScenario[] = [
  {
    name: 'in a new folder',
    save: async (file, text) => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
  },
  {
    name: 'in a new folder, a moment later',
    save: async (file, text, round) => {
      await mkdir(dirname(file), { recursive: true });
      await sleep(round % 10);
      await replaceByRename(file, text);
    },
  },
];

/** When each file was told last, and by whom. */
const reportedAt = { watcher: new Map<string, number>(), either: new Map<string, number>() };

interface MissedSaves {
  byWatcher: number;
  byBoth: number;
}

const waitForReport = async (path: string, since: number, missed: MissedSaves): Promise<void> => {
  const isReported = (times: ReadonlyMap<string, number>): boolean => (times.get(path) ?? -1) >= since;
  for (
    const deadline = performance.now() + TIMEOUT_MS;
    performance.now() < deadline && !isReported(reportedAt.either);
    await sleep(5)
  );
  if (!isReported(reportedAt.watcher)) missed.byWatcher++;
  if (!isReported(reportedAt.either)) missed.byBoth++;
};

/** As a server that builds its next API does to its event loop. */
const keepBusy = (): NodeJS.Timeout =>
  setInterval(() => {
    for (const until = performance.now() + Math.random() * 60; performance.now() < until;);
  }, 40);

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'galley-saves-'));
  await mkdir(join(root, 'src/api'), { recursive: true });
  await Promise.all(SAVE_SCENARIOS.map((_, index) => writeFile(join(root, `src/api/${index}.json`), '')));
  const recordReport = (times: Map<string, number>, paths: readonly string[]): void => {
    for (const path of paths) times.set(path, performance.now());
  };
  const pollingFallback = createPollingFallback({
    readFingerprint: () => takeFingerprint(root),
    onChange: (paths) => recordReport(reportedAt.either, paths),
  });
  let isDone = false;
  const watcher = await watchProject(root, (paths) => {
    recordReport(reportedAt.watcher, paths);
    recordReport(reportedAt.either, paths);
    void takeFingerprint(root).then((now) => isDone || pollingFallback.start(now));
  });
  pollingFallback.start(await takeFingerprint(root));
  process.stdout.write('overlooked by the watcher / by the second look as well\n');
  for (const isBusy of [false, true]) {
    const busy = isBusy ? keepBusy() : undefined;
    for (const [index, { name, save }] of [...SAVE_SCENARIOS, ...NEW_FOLDER_SCENARIOS].entries()) {
      const [saves, after]: [MissedSaves, MissedSaves] = [
        { byWatcher: 0, byBoth: 0 },
        { byWatcher: 0, byBoth: 0 },
      ];
      for (let round = 0; round < ROUNDS; round++) {
        const file =
          index < SAVE_SCENARIOS.length
            ? join(root, `src/api/${index}.json`)
            : join(root, `src/api/${isBusy ? 'b' : 'i'}${index}-${round}/content-types/x/schema.json`);
        const path = relativePath(root, file);
        let since = performance.now();
        await save(file, `${round}`, round);
        await waitForReport(path, since, saves);
        await sleep(150);
        since = performance.now();
        await writeFile(file, `after ${round}`);
        await waitForReport(path, since, after);
      }
      const print = ({ byWatcher, byBoth }: MissedSaves): string =>
        `${String(byWatcher).padStart(3)} / ${String(byBoth).padEnd(3)}`;
      process.stdout.write(
        `${isBusy ? 'busy' : 'idle'}  ${name.padEnd(32)} ${ROUNDS} saves: ${print(saves)} plain ` +
          `saves after them: ${print(after)}\n`,
      );
    }
    clearInterval(busy);
  }
  isDone = true;
  pollingFallback.stop();
  await watcher.close();
  await rm(root, { recursive: true });
};

await main();
