import type { ConfigOverrides } from '../config/config.js';
import { assertSecrets } from '../config/check-secrets.js';
import { createHotSwapServer } from '../server/create-hot-swap-server.js';
import type { HotSwapServerOptions } from '../server/create-hot-swap-server.js';
import { createLogger } from '../server/logger.js';
import type { Logger } from '../server/logger.js';
import { logLateRejections } from './late-errors.js';
import { openApp } from './open-app.js';
import type { App } from './open-app.js';
import { openProject } from './open-project.js';
import type { Project } from './open-project.js';
import { serverUrl } from './server-url.js';
import { createStrapiReporter } from './tell-strapi-report.js';
import { warnIfImagesUnsupported } from './warn-if-images-unsupported.js';

/** A listening server. */
export interface RunningServer {
  /** `http://127.0.0.1:1337` */
  readonly url: string;
  readonly app: App;
  /** Accepts no more requests, waits for those in flight and closes all services. */
  readonly close: () => Promise<void>;
  /** Closes where another process serves in its place. */
  readonly retire: () => Promise<void>;
}

export interface StartOptions extends HotSwapServerOptions {
  readonly overrides?: ConfigOverrides;
  /** Default: a logger that writes to stderr with the configured level. */
  readonly logger?: Logger;
}

const serve = async (
  project: Project,
  log: Logger,
  socketOptions: HotSwapServerOptions,
): Promise<RunningServer> => {
  const { config } = project;
  const app = await openApp(project, {
    logger: log,
    shouldGenerate: true,
    watchesSchema: true,
    traces: true,
    sendsWebhooks: true,
    runsSchedules: true,
    slowReads: 'counted',
  });
  const server = createHotSwapServer(socketOptions);
  await server.swap(app.fastify);
  try {
    const address = await server.listen(config.server);
    createStrapiReporter(log)(project);
    void warnIfImagesUnsupported(log);
    return {
      url: serverUrl(config.server.host, address.port),
      app,
      close: server.close,
      retire: server.retire,
    };
  } catch (error) {
    await app.fastify.close();
    throw error;
  }
};

/**
 * Starts a project in production. Secrets must be safe and all migrations applied.
 *
 * @throws `config/unsafe-secrets`, `project/pending-migrations`, `server/port-in-use`, and what `openProject`
 *   and `openApp` throw
 */
export async function startServer(
  root: string,
  { overrides = {}, logger, ...socketOptions }: StartOptions = {},
): Promise<RunningServer> {
  const project = await openProject(root, { environmentDefault: 'production', ...overrides });
  const { config } = project;
  assertSecrets(config);
  const log = logger ?? createLogger({ level: config.logLevel, root });
  const stopLogging = logLateRejections(log);
  try {
    const server = await serve(project, log, socketOptions);
    return {
      ...server,
      close: () => server.close().finally(stopLogging),
      retire: () => server.retire().finally(stopLogging),
    };
  } catch (error) {
    stopLogging();
    throw error;
  }
}
