import { unreachableError } from '../../app/unreachable-error.js';
import { openApp } from '../../app/open-app.js';
import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import { isRecord } from '../../lib/is-record.js';
import { createLogger } from '../../server/logger.js';

/** Prints a warning to stderr. */
export type Warn = (message: string) => unknown;

/** Formats a JSON log line: the message, then the message of the error. */
const printLogMessage = (line: string): string => {
  const entry: unknown = JSON.parse(line);
  if (!isRecord(entry)) return line.trim();
  const { msg, err } = entry;
  return [msg, isRecord(err) ? err['message'] : undefined]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(': ');
};

/**
 * Opens the project's app with its hooks, so that `work` has the same effects as a request to the server.
 * Entries of the server's log become warnings.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function withApp<T>(project: Project, warn: Warn, work: (app: App) => Promise<T>): Promise<T> {
  const logger = createLogger({
    level: 'warn',
    stream: { write: (line) => void warn(printLogMessage(line)) },
  });
  const app = await openApp(project, { logger }).catch((error: unknown) => {
    throw unreachableError(project, error);
  });
  try {
    return await work(app);
  } finally {
    await app.fastify.close();
  }
}
