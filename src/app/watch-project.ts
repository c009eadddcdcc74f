import { watch } from 'chokidar';
import { isWatched, watchedName } from './watched-files.js';

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

/**
 * Calls back with the changed files (relative to the project, forward slashes) whenever what a project consists of has changed:
 * schema files, its own code, configuration, migrations. Most saves are told within 50 ms; few are overlooked, for which
 * there is a second look.
 */
export async function watchProject(root: string, onChange: (paths: readonly string[]) => void): Promise<Watcher> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const paths = [...changed].toSorted();
    changed.clear();
    onChange(paths);
  };
  // One path that exists: with each that does not, chokidar would call itself ready a file too early, and overlook saves until it is.
  const watcher = watch(root, { ignoreInitial: true, awaitWriteFinish: SETTLED, ignored: (path) => !isWatched(root, path) });
  watcher.on('all', (event, path) => {
    // Folders matter by what is in them.
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(watchedName(root, path));
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
