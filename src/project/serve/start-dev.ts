import { checkSecrets } from '../../config/check-secrets.js';
import type { SecretProblem } from '../../config/check-secrets.js';
import type { SchemaEditor } from '../../api/mcp/mcp-services.js';
import type { Config, ConfigOverrides } from '../../config/config.js';
import { loadConfig } from '../../config/load-config.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { createHotSwapServer } from '../../server/create-hot-swap-server.js';
import type { HotSwapServer } from '../../server/create-hot-swap-server.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import { createLogger } from '../../server/logger.js';
import type { Logger } from '../../server/logger.js';
import type { App } from '../open/open-app.js';
import { createContentWatch } from './content-watch.js';
import type { ContentEvent } from './content-watch.js';
import { rebuildApp } from './rebuild-app.js';
import type { DevPrompts, RebuildResult } from './rebuild-app.js';
import { GENERATED, serverUrl } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { createStrapiReporter, warnIfImagesUnsupported } from './start-server.js';
import { takeFingerprint, waitForEdits } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';
import { logLateRejections } from '../late-errors.js';
import { createPollingFallback, createRebuildQueue, watchProject } from './watch-project.js';
import { ensureClient } from '../generate.js';

/** An event of the development server. */
export type DevEvent =
  | ContentEvent
  /** A new app serves. `ms` is the duration of the rebuild. */
  | ({ readonly kind: 'serving'; readonly ms: number; readonly changed: readonly string[] } & Omit<
      RebuildResult,
      'drained' | 'app'
    >)
  /** The change contains an error. The previous app continues to serve. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly changed: readonly string[] }
  /**
   * The change would lose data, or leave values that do not fit. The previous app continues to serve. The
   * user is asked next, if a prompt is given.
   */
  | { readonly kind: 'held'; readonly changed: readonly string[]; readonly plan: Plan };

export interface DevOptions {
  readonly overrides?: ConfigOverrides;
  /** Default: a logger that writes to stderr with the configured level. */
  readonly logger?: Logger;
  readonly onEvent: (event: DevEvent) => void;
  readonly prompts?: DevPrompts;
  /** A folder of content files. Saved files are written to the database. */
  readonly content?: string | undefined;
  /** Changes content-types for clients of the Model Context Protocol. Absent: they cannot be changed. */
  readonly schemaEditor?: SchemaEditor;
}

export interface DevServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const MISSING_SECRETS: Readonly<Record<SecretProblem['name'], string>> = {
  JWT_SECRET: 'JWT_SECRET is missing, so nobody can sign in. Set it in .env: openssl rand -base64 32',
  API_TOKEN_SALT:
    'API_TOKEN_SALT is missing, so API tokens do not work. Set it in .env: openssl rand -base64 32',
};

/**
 * Milliseconds. Generating the client files takes about a second of CPU time, which the delay keeps free for
 * further changes.
 */
const CLIENT_DELAY_MS = 1500;

/** Writes `.galley/client` after a delay. Editors and the next start use it. */
const createClientWriter = (log: Logger) => {
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  return {
    write: (project: Project): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last
          .then(() => ensureClient(project))
          .catch((error: unknown) => log.error({ err: error }, 'The client could not be generated'));
      }, CLIENT_DELAY_MS);
    },
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      await last;
    },
  };
};

/** Returns true if a migration of this server wrote the path. */
const isMigrationWrite = (path: string, writtenMigrations: ReadonlySet<string>): boolean =>
  path === GENERATED.migrations ||
  path.endsWith('migration_lock.toml') ||
  [...writtenMigrations].some((name) => path.startsWith(name));

/** Returns prompts that call `onAsk` before questions about renames, which no `held` event precedes. */
const announceRenames = (prompts: DevPrompts, onAsk: () => void): DevPrompts => {
  const { chooseRenames } = prompts;
  if (chooseRenames === undefined) return prompts;
  return {
    ...prompts,
    chooseRenames: async (candidates, signal) => {
      onAsk();
      return chooseRenames(candidates, signal);
    },
  };
};

/** Warns of missing secrets and their effects. Development accepts weak ones. */
const warnOfMissingSecrets = (config: Config, log: Logger): void => {
  for (const { name, problem } of checkSecrets(config))
    if (problem === 'missing') log.warn(MISSING_SECRETS[name]);
};

interface RebuilderOptions extends Required<Pick<DevOptions, 'overrides' | 'onEvent' | 'prompts'>> {
  readonly root: string;
  readonly server: HotSwapServer;
  readonly log: Logger;
  readonly schemaEditor: SchemaEditor | undefined;
  readonly onBuilt: (project: Project, app: App) => void;
}

/** Runs rebuilds and reports them as events. */
const createRebuilder = ({ log, onEvent, prompts, onBuilt, ...options }: RebuilderOptions) => {
  const { server } = options;
  const writtenMigrations = new Set<string>();
  let isServing = false;
  let unreachable: unknown = null;
  return {
    /** Returns the reason why the first build could not reach the database. Null if it could. */
    unreachable: (): unknown => unreachable,
    isOwnWrite: (path: string): boolean => isMigrationWrite(path, writtenMigrations),
    run: async (changed: readonly string[], signal: AbortSignal): Promise<void> => {
      const startedAt = performance.now();
      if (!isServing) await server.pause();
      try {
        const result = await rebuildApp({
          ...options,
          logger: log,
          // Requests that wait for the first app must not wait for the user's answer.
          prompts: announceRenames(prompts, server.resume),
          signal,
          onHeld: (plan) => {
            server.resume();
            onEvent({ kind: 'held', plan, changed });
          },
        });
        if (result === null) return;
        isServing = true;
        const { drained, app, ...rest } = result;
        for (const name of [rest.migration, rest.replaced])
          if (name !== null) writtenMigrations.add(`${GENERATED.migrations}/${name}`);
        drained.catch((error: unknown) => log.error({ err: error }, 'The previous app could not be closed'));
        onEvent({ kind: 'serving', ms: Math.round(performance.now() - startedAt), changed, ...rest });
        onBuilt(rest.project, app);
      } catch (error) {
        // Saving a file would not help, so the server ends instead of waiting for a change.
        if (!isServing && isGalleyError(error) && error.code === 'database/unreachable') unreachable = error;
        else onEvent({ kind: 'failed', error, changed });
      } finally {
        server.resume();
      }
    },
  };
};

/**
 * Starts the development server. It serves the project and rebuilds it when its files change. It listens
 * immediately, and requests wait for the first build. If the build fails, requests get 503 until a later one
 * succeeds.
 *
 * @example
 *   const server = await startDev(root, { onEvent: (event) => print(event) });
 *
 * @throws `config/load-failed`, `config/invalid`, `server/port-in-use`, `database/unreachable`
 */
export async function startDev(
  root: string,
  { overrides = {}, logger, onEvent, prompts = {}, content, schemaEditor }: DevOptions,
): Promise<DevServer> {
  const config = await loadConfig(root, overrides);
  const log = logger ?? createLogger({ level: config.logLevel, root });
  const server = createHotSwapServer();
  await server.pause();
  const { port } = await server.listen(config.server);
  warnOfMissingSecrets(config, log);
  const stopLogging = logLateRejections(log);
  const clientWriter = createClientWriter(log);
  const tellReport = createStrapiReporter(log);
  const contentWatch = await createContentWatch({ folder: content, onEvent });
  const rebuilder = createRebuilder({
    root,
    overrides,
    server,
    log,
    onEvent,
    prompts,
    schemaEditor,
    onBuilt: (project, app) => {
      contentWatch.useApp(app);
      clientWriter.write(project);
      tellReport(project);
    },
  });
  const readFingerprint = (): Promise<Fingerprint> => takeFingerprint(root);
  const pollingFallback = createPollingFallback({
    readFingerprint,
    onChange: (changed) => rebuilds.request(changed),
  });
  let isClosing = false;
  const rebuilds = createRebuildQueue({
    readFingerprint,
    waitForEdits: () => waitForEdits(root),
    isOwnWrite: rebuilder.isOwnWrite,
    runRebuild: (changed, before, signal) => {
      if (!isClosing) pollingFallback.start(before);
      return rebuilder.run(changed, signal);
    },
  });
  const watcher = await watchProject(root, rebuilds.request);
  const close = async (): Promise<void> => {
    isClosing = true;
    pollingFallback.stop();
    await watcher.close();
    await contentWatch.close();
    await rebuilds.stop();
    await server.close();
    await clientWriter.stop();
    stopLogging();
  };
  await rebuilds.start();
  if (rebuilder.unreachable() !== null) {
    await close();
    throw rebuilder.unreachable();
  }
  void warnIfImagesUnsupported(log);
  return { url: serverUrl(config.server.host, port), close };
}
