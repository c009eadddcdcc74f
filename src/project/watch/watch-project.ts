import { watch } from 'chokidar';
import { isWatched, projectPath } from './watched-files.js';

export interface Watcher {
  readonly close: () => Promise<void>;
}

/** Milliseconds. Changes within this time are reported together. */
const DEBOUNCE_MS = 10;

/**
 * Milliseconds for which the size of a file must stay the same before a change is reported. This skips
 * half-written files. Without it, chokidar also misses a second save within 50 ms of the first, as by editors
 * that format on save.
 */
const AWAIT_WRITE_FINISH = { stabilityThreshold: 20, pollInterval: 10 };

/**
 * Watches the files of a project: schema files, the project's own code, configuration and migrations. Calls
 * back with the changed paths, relative to the project and with forward slashes. Most changes are reported
 * within 50 ms. The polling fallback finds those that the watcher misses.
 */
export async function watchProject(
  root: string,
  onChange: (paths: readonly string[]) => void,
): Promise<Watcher> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const paths = [...changed].toSorted();
    changed.clear();
    onChange(paths);
  };
  // Watches the root only, which exists. chokidar reports `ready` too early for each path that is missing,
  // and then misses changes.
  const watcher = watch(root, {
    ignoreInitial: true,
    awaitWriteFinish: AWAIT_WRITE_FINISH,
    ignored: (path) => !isWatched(root, path),
  });
  watcher.on('all', (event, path) => {
    // Changes of the files in a folder are reported for the files.
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(projectPath(root, path));
    clearTimeout(timer);
    timer = setTimeout(flush, DEBOUNCE_MS);
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
