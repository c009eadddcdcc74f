import { asUnreachable } from '../../app/as-unreachable.js';
import { openApp } from '../../app/open-app.js';
import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import { isRecord } from '../../lib/is-record.js';
import { createLogger } from '../../server/logger.js';

/** Tells people something on stderr. */
export type Warn = (message: string) => unknown;

/** A line of the log in words: what happened, and what was thrown. */
const wordsOf = (line: string): string => {
  const entry: unknown = JSON.parse(line);
  if (!isRecord(entry)) return line.trim();
  const { msg, err } = entry;
  return [msg, isRecord(err) ? err['message'] : undefined].filter((part) => typeof part === 'string' && part !== '').join(': ');
};

/**
 * Opens the project's service, its own hooks included, for one piece of work that is to be done as the server would do it. What goes wrong beside
 * that work, which the server would log, becomes warnings.
 *
 * @throws `project/pending-migrations`, `project/broken-entry`, `database/unreachable`, and what the work throws
 */
export async function withApp<T>(project: Project, warn: Warn, work: (app: App) => Promise<T>): Promise<T> {
  const logger = createLogger({ level: 'warn', stream: { write: (line) => void warn(wordsOf(line)) } });
  const app = await openApp(project, { logger }).catch((error: unknown) => {
    throw asUnreachable(project, error);
  });
  try {
    return await work(app);
  } finally {
    await app.fastify.close();
  }
}
