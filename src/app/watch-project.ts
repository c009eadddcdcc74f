import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { GENERATED } from './project-paths.js';

export interface Watcher {
  readonly close: () => Promise<void>;
}

/** Several files saved at once make one change. */
const QUIET = 10;

/**
 * A file counts as changed when its size has rested. Not only for half-written files: without it, a second save within 50 ms of the first
 * would be overlooked, and editors that format on saving do just that.
 */
const SETTLED = { stabilityThreshold: 20, pollInterval: 10 };

const WATCHED = ['src', 'cms.config.ts', 'cms.config.js', 'cms.config.mjs', '.env', GENERATED.migrations];

const isNoise = (root: string, path: string): boolean => {
  const [first = '', ...rest] = relative(root, path).split(sep);
  const inside = first === '.env' ? rest : [first, ...rest];
  return inside.some((part) => part === 'node_modules' || part.startsWith('.')) || /(~|\.tmp|\.swp|\.new)$/.test(path);
};

/**
 * Calls back with the changed files (relative to the project, forward slashes) whenever what a project consists of has changed:
 * schema files, its own code, configuration, migrations.
 */
export async function watchProject(root: string, onChange: (paths: readonly string[]) => void): Promise<Watcher> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const paths = [...changed].toSorted();
    changed.clear();
    onChange(paths);
  };
  const watcher = watch(WATCHED.map((path) => join(root, path)), { ignoreInitial: true, awaitWriteFinish: SETTLED, ignored: (path) => isNoise(root, path) });
  watcher.on('all', (event, path) => {
    // Folders matter by what is in them.
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(relative(root, path).split(sep).join('/'));
    clearTimeout(timer);
    timer = setTimeout(flush, QUIET);
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
