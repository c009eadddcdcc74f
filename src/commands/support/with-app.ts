import { asUnreachable } from '../../app/as-unreachable.js';
import { openApp } from '../../app/open-app.js';
import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import { createLogger } from '../../server/logger.js';

/**
 * Opens the project's service, its own hooks included, for one piece of work that is to be done as the server would do it.
 *
 * @throws `project/pending-migrations`, `project/broken-entry`, `database/unreachable`, and what the work throws
 */
export async function withApp<T>(project: Project, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(project, { logger: createLogger({ level: 'silent' }) }).catch((error: unknown) => {
    throw asUnreachable(project, error);
  });
  try {
    return await work(app);
  } finally {
    await app.fastify.close();
  }
}
