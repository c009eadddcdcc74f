import type { ConfigOverrides } from '../config/config.js';
import { assertSecrets } from '../config/check-secrets.js';
import { createSwitch } from '../server/create-switch.js';
import { createLogger } from '../server/logger.js';
import type { Logger } from '../server/logger.js';
import { openApp } from './open-app.js';
import type { App } from './open-app.js';
import { openProject } from './open-project.js';
import { urlOf } from './server-url.js';
import { warnOfImages } from './warn-of-images.js';

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:1337` */
  readonly url: string;
  readonly app: App;
  /** Takes no more requests, finishes those in flight and closes everything. */
  readonly close: () => Promise<void>;
}

export interface StartOptions {
  readonly overrides?: ConfigOverrides;
  /** Unset: to stderr, as the configuration says. */
  readonly logger?: Logger;
}

/**
 * Starts a project in production. Refuses to where secrets are missing or weak, or the database is not up to date, saying which.
 *
 * @throws `config/unsafe-secrets`, `project/pending-migrations`, `server/port-in-use`, and what `openProject` and `openApp` throw
 */
export async function startServer(root: string, { overrides = {}, logger }: StartOptions = {}): Promise<RunningServer> {
  const project = await openProject(root, { environmentDefault: 'production', ...overrides });
  const { config } = project;
  assertSecrets(config);
  const log = logger ?? createLogger({ level: config.logLevel });
  const app = await openApp(project, { logger: log, generates: true });
  const socket = createSwitch();
  await socket.swap(app.fastify);
  try {
    const address = await socket.listen(config.server);
    void warnOfImages(log);
    return { url: urlOf(config.server.host, address.port), app, close: socket.close };
  } catch (error) {
    await app.fastify.close();
    throw error;
  }
}
