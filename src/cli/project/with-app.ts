import { setImmediate } from 'node:timers/promises';
import { logLateRejections } from '../../project/late-errors.js';
import { unreachableError } from '../../project/unreachable-error.js';
import { openApp } from '../../project/open-app.js';
import type { App } from '../../project/open-app.js';
import type { Project } from '../../project/open-project.js';
import { isRecord } from '../../lib/is-record.js';
import { createLogger } from '../../server/logger.js';
import { printLogMessage } from '../server/dev-log.js';

/** Prints a warning to stderr. */
export type Warn = (message: string) => unknown;

const printWarning = (line: string): string => {
  const entry: unknown = JSON.parse(line);
  return isRecord(entry) ? printLogMessage(entry) : line.trim();
};

/**
 * Opens the project's app with its hooks, so that `work` has the same effects as a request to the server.
 * Entries of the server's log become warnings, and so do promises that reject and that nothing awaits.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function withApp<T>(
  project: Project,
  { warn, onLateRejection }: { readonly warn: Warn; readonly onLateRejection?: () => void },
  work: (app: App) => Promise<T>,
): Promise<T> {
  const logger = createLogger({
    level: 'warn',
    root: project.root,
    stream: { write: (line) => void warn(printWarning(line)) },
  });
  const stopLogging = logLateRejections(logger, onLateRejection);
  try {
    const app = await openApp(project, { logger }).catch((error: unknown) => {
      throw unreachableError(project, error);
    });
    try {
      return await work(app);
    } finally {
      await app.fastify.close();
    }
  } finally {
    // Node.js reports rejections once no other promise is left to settle.
    await setImmediate();
    stopLogging();
  }
}
