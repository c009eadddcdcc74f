/** The folder serve runs a project as a server: in production here, in development in start-dev.ts. */
import { assertSecrets } from '../../config/check-secrets.js';
import type { ConfigOverrides } from '../../config/config.js';
import { loadSharp } from '../../media/images/image-library.js';
import { createHotSwapServer } from '../../server/create-hot-swap-server.js';
import type { HotSwapServerOptions } from '../../server/create-hot-swap-server.js';
import { createLogger } from '../../server/logger.js';
import type { Logger } from '../../server/logger.js';
import { isStrapiProject, reportProject } from '../../strapi/report/project-report.js';
import { logLateRejections } from '../late-errors.js';
import { openApp } from '../open/open-app.js';
import type { App } from '../open/open-app.js';
import { openProject, serverUrl } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';

/** Logs a warning if the image library cannot be loaded. Uploaded images are then stored unchanged. */
export async function warnIfImagesUnsupported(logger: Logger): Promise<void> {
  const { error: loadError } = await loadSharp();
  if (loadError !== null) logger.warn({ code: loadError.code, hint: loadError.hint }, loadError.message);
}

/**
 * Returns a function that logs, after changes, a summary of the running code written for Strapi, and each
 * option of config/ without effect. It logs nothing for projects without such code.
 */
export function createStrapiReporter(log: Logger): (project: Project) => void {
  let lastSummary = '';
  return ({ root, strapiConfig, model }) => {
    if (!isStrapiProject(root, strapiConfig)) return;
    const report = reportProject(root, { config: strapiConfig, model });
    const { files, notRunning, plugins, warnings, errors } = report;
    const missing = plugins.filter(({ state }) => state === 'missing').map(({ name }) => name);
    const counts = {
      running: files.running,
      total: files.total,
      notices: errors.length + notRunning.length + warnings.length,
    };
    const unapplied = strapiConfig.ignored.map(({ place, path, reason }) => `${place} ${path} ${reason}`);
    const summary = JSON.stringify([counts, missing, unapplied]);
    if (summary === lastSummary) return;
    lastSummary = summary;
    for (const text of unapplied) log.warn(text);
    const text = `${files.running} of ${files.total} files of server code run`;
    if (counts.notices + missing.length === 0) log.info(text);
    else
      log.warn(
        { notices: counts.notices, missingPlugins: missing },
        `${text}; cms doctor lists the others with reasons`,
      );
  };
}

/** A listening server. */
export interface RunningServer {
  /** `http://127.0.0.1:1337` */
  readonly url: string;
  readonly app: App;
  /** Accepts no more requests, waits for those in flight and closes all services. */
  readonly close: () => Promise<void>;
  /** Closes after another process has replaced this one. */
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
 * @throws `config/unsafe-secrets`, `project/pending-migrations`, `server/port-in-use`, and the errors of
 *   `openProject` and `openApp`
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
