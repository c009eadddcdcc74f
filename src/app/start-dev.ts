import type { ConfigOverrides } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import type { MigrationPreview } from '../migrations/migrate.js';
import { createHotSwapServer } from '../server/create-hot-swap-server.js';
import { createLogger } from '../server/logger.js';
import type { Logger } from '../server/logger.js';
import { rebuildApp } from './rebuild-app.js';
import type { DevPrompts, RebuildOptions, RebuildResult } from './rebuild-app.js';
import type { Project } from './open-project.js';
import { ensureClient } from './project-client.js';
import { GENERATED } from './project-paths.js';
import { createPollingFallback } from './polling-fallback.js';
import { serverUrl } from './server-url.js';
import { warnIfImagesUnsupported } from './warn-if-images-unsupported.js';
import { watchProject } from './watch-project.js';
import { takeFingerprint } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

/** An event of the development server. */
export type DevEvent =
  /** A new app serves. `ms` is the duration of the rebuild. */
  | ({ readonly kind: 'serving'; readonly ms: number; readonly changed: readonly string[] } & Omit<
      RebuildResult,
      'drained'
    >)
  /** The change contains an error. The previous app continues to serve. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly changed: readonly string[] }
  /**
   * The change would lose data. The previous app continues to serve. The user is asked next, if a prompt is
   * given.
   */
  | { readonly kind: 'held'; readonly preview: MigrationPreview; readonly changed: readonly string[] };

export interface DevOptions {
  readonly overrides?: ConfigOverrides;
  /** Default: a logger that writes to stderr with the configured level. */
  readonly logger?: Logger;
  readonly onEvent: (event: DevEvent) => void;
  readonly prompts?: DevPrompts;
}

export interface DevServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Runs rebuilds one after another. Changes during a rebuild cause one more rebuild, except changes that the
 * rebuild itself wrote.
 */
const createRebuildQueue = (
  runRebuild: (changed: readonly string[], signal: AbortSignal) => Promise<void>,
  isOwnWrite: (path: string) => boolean,
) => {
  const pendingPaths = new Set<string>();
  let running: Promise<void> | null = null;
  let abortController = new AbortController();
  const takePending = (): readonly string[] => {
    const changed = [...pendingPaths].filter((path) => !isOwnWrite(path));
    pendingPaths.clear();
    return changed;
  };
  const runAll = async (first: readonly string[]): Promise<void> => {
    let changed = first;
    do {
      abortController = new AbortController();
      await runRebuild(changed, abortController.signal);
      changed = takePending();
    } while (changed.length > 0);
    running = null;
  };
  return {
    start: (): Promise<void> => (running ??= runAll([])),
    request: (changed: readonly string[]): void => {
      for (const path of changed) pendingPaths.add(path);
      if (running !== null) {
        if (changed.some((path) => !path.startsWith(GENERATED.migrations))) abortController.abort();
        return;
      }
      const first = takePending();
      if (first.length > 0) running = runAll(first);
    },
    stop: async (): Promise<void> => {
      abortController.abort();
      pendingPaths.clear();
      await running;
    },
  };
};

/**
 * Milliseconds. Generating the client files takes about a second of CPU time. The delay keeps that time free
 * for further changes by the user.
 */
const CLIENT_DELAY_MS = 1500;

/** Writes `.galley/client` after a delay. Editors and the next start use it. */
const createClientWriter = (onError: (error: unknown) => void) => {
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  return {
    write: (project: Project): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(() => ensureClient(project)).catch(onError);
      }, CLIENT_DELAY_MS);
    },
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      await last;
    },
  };
};

/** Returns whether a migration of this server wrote the path. */
const isMigrationWrite = (path: string, writtenMigrations: ReadonlySet<string>): boolean =>
  path === GENERATED.migrations ||
  path.endsWith('migration_lock.toml') ||
  [...writtenMigrations].some((name) => path.startsWith(name));

/**
 * Starts the development server. It serves the project and rebuilds it when its files change. It listens at
 * once and responds with 503 until the first build succeeds.
 *
 * @example
 *   const server = await startDev(root, { onEvent: (event) => print(event) });
 *
 * @throws `config/load-failed`, `config/invalid`, `server/port-in-use`
 */
export async function startDev(
  root: string,
  { overrides = {}, logger, onEvent, prompts = {} }: DevOptions,
): Promise<DevServer> {
  const config = await loadConfig(root, overrides);
  const log = logger ?? createLogger({ level: config.logLevel });
  const server = createHotSwapServer();
  const { port } = await server.listen(config.server);
  const clientWriter = createClientWriter((error) =>
    log.error({ err: error }, 'The client could not be generated'),
  );
  const writtenMigrations = new Set<string>();
  const readFingerprint = (): Promise<Fingerprint> => takeFingerprint(root);
  const pollingFallback = createPollingFallback({
    readFingerprint,
    onChange: (changed) => rebuilds.request(changed),
  });
  let isClosing = false;

  const runRebuild = async (changed: readonly string[], signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const before = await readFingerprint();
    if (!isClosing) pollingFallback.start(before);
    const options: RebuildOptions = {
      root,
      overrides,
      server,
      logger: log,
      prompts,
      signal,
      onDataLoss: (preview) => onEvent({ kind: 'held', preview, changed }),
    };
    try {
      const result = await rebuildApp(options);
      if (result === null) return;
      const { drained, ...rest } = result;
      if (rest.migration !== null) writtenMigrations.add(`${GENERATED.migrations}/${rest.migration}`);
      drained.catch((error: unknown) => log.error({ err: error }, 'The previous app could not be closed'));
      onEvent({ kind: 'serving', ms: Math.round(performance.now() - startedAt), changed, ...rest });
      clientWriter.write(rest.project);
    } catch (error) {
      onEvent({ kind: 'failed', error, changed });
    }
  };

  const rebuilds = createRebuildQueue(runRebuild, (path) => isMigrationWrite(path, writtenMigrations));
  const watcher = await watchProject(root, rebuilds.request);
  await rebuilds.start();
  void warnIfImagesUnsupported(log);
  return {
    url: serverUrl(config.server.host, port),
    close: async () => {
      isClosing = true;
      pollingFallback.stop();
      await watcher.close();
      await rebuilds.stop();
      await server.close();
      await clientWriter.stop();
    },
  };
}
