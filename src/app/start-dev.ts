import type { ConfigOverrides } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import type { Preview } from '../migrations/migrate.js';
import { createSwitch } from '../server/create-switch.js';
import { createLogger } from '../server/logger.js';
import type { Logger } from '../server/logger.js';
import { runRound } from './dev-round.js';
import type { DevQuestions, RoundParts, Served } from './dev-round.js';
import type { Project } from './open-project.js';
import { ensureClient } from './project-client.js';
import { GENERATED } from './project-paths.js';
import { createSecondLook } from './second-look.js';
import { urlOf } from './server-url.js';
import { warnOfImages } from './warn-of-images.js';
import { watchProject } from './watch-project.js';
import { takeFingerprint } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

/** What happens in a development server, for whoever tells people. */
export type DevEvent =
  /** A new API serves. `ms` is the time since the change was seen. */
  | ({ readonly kind: 'serving'; readonly ms: number; readonly changed: readonly string[] } & Omit<Served, 'retired'>)
  /** What was saved cannot be served; what was served before still is. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly changed: readonly string[] }
  /** The change would lose data; what was served before still is. Whoever can is asked next. */
  | { readonly kind: 'held'; readonly preview: Preview; readonly changed: readonly string[] };

export interface DevOptions {
  readonly overrides?: ConfigOverrides;
  /** Unset: to stderr, as the configuration says. */
  readonly logger?: Logger;
  readonly onEvent: (event: DevEvent) => void;
  readonly questions?: DevQuestions;
}

export interface DevServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Runs rounds one after the other; changes that come meanwhile make one more round, unless the last round turns out to have made them itself. */
const createRounds = (work: (changed: readonly string[], signal: AbortSignal) => Promise<void>, isOwn: (path: string) => boolean) => {
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;
  let abort = new AbortController();
  const take = (): readonly string[] => {
    const changed = [...waiting].filter((path) => !isOwn(path));
    waiting.clear();
    return changed;
  };
  const runAll = async (first: readonly string[]): Promise<void> => {
    let changed = first;
    do {
      abort = new AbortController();
      await work(changed, abort.signal);
      changed = take();
    } while (changed.length > 0);
    running = null;
  };
  return {
    start: (): Promise<void> => (running ??= runAll([])),
    request: (changed: readonly string[]): void => {
      for (const path of changed) waiting.add(path);
      if (running !== null) {
        if (changed.some((path) => !path.startsWith(GENERATED.migrations))) abort.abort();
        return;
      }
      const first = take();
      if (first.length > 0) running = runAll(first);
    },
    stop: async (): Promise<void> => {
      abort.abort();
      waiting.clear();
      await running;
    },
  };
};

/** Generating the client's files keeps a processor busy for a second, which is better spent on the next save while somebody is at it. */
const CLIENT_DELAY = 1500;

/** Writes `.galley/client` for editors and the next start, when nobody waits for it. */
const createClientWriter = (onError: (error: unknown) => void) => {
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  return {
    write: (project: Project): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(() => ensureClient(project)).catch(onError);
      }, CLIENT_DELAY);
    },
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      await last;
    },
  };
};

/**
 * The development server: serves the project and follows its files. It listens at once; until the content-types are right for the first
 * time, requests are answered with 503.
 *
 * @example const server = await startDev(root, { onEvent: (event) => print(event) });
 * @throws `config/broken-file`, `config/invalid`, `server/port-in-use`
 */
export async function startDev(root: string, { overrides = {}, logger, onEvent, questions = {} }: DevOptions): Promise<DevServer> {
  const config = await loadConfig(root, overrides);
  const log = logger ?? createLogger({ level: config.logLevel });
  const socket = createSwitch();
  const { port } = await socket.listen(config.server);
  const client = createClientWriter((error) => log.error({ err: error }, 'the client could not be generated'));
  const ownMigrations = new Set<string>();
  const look = (): Promise<Fingerprint> => takeFingerprint(root);
  const secondLook = createSecondLook({ look, onChange: (changed) => rounds.request(changed) });
  let isClosing = false;

  const work = async (changed: readonly string[], signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const before = await look();
    if (!isClosing) secondLook.start(before);
    const parts: RoundParts = { root, overrides, socket, logger: log, questions, signal, onHeld: (preview) => onEvent({ kind: 'held', preview, changed }) };
    try {
      const served = await runRound(parts);
      if (served === null) return;
      const { retired, ...rest } = served;
      if (rest.migration !== null) ownMigrations.add(`${GENERATED.migrations}/${rest.migration}`);
      retired.catch((error: unknown) => log.error({ err: error }, 'the app before could not be closed'));
      onEvent({ kind: 'serving', ms: Math.round(performance.now() - startedAt), changed, ...rest });
      client.write(rest.project);
    } catch (error) {
      onEvent({ kind: 'failed', error, changed });
    }
  };

  const isOwn = (path: string): boolean => path === GENERATED.migrations || path.endsWith('migration_lock.toml') || [...ownMigrations].some((name) => path.startsWith(name));
  const rounds = createRounds(work, isOwn);
  const watcher = await watchProject(root, rounds.request);
  await rounds.start();
  void warnOfImages(log);
  return {
    url: urlOf(config.server.host, port),
    close: async () => {
      isClosing = true;
      secondLook.stop();
      await watcher.close();
      await rounds.stop();
      await socket.close();
      await client.stop();
    },
  };
}
