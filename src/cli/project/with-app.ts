import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../../lib/records.js';
import { logLateRejections } from '../../project/late-errors.js';
import { openApp } from '../../project/open/open-app.js';
import type { App } from '../../project/open/open-app.js';
import { unreachableError } from '../../project/open/open-database.js';
import type { Project } from '../../project/open/open-project.js';
import type { AppOptions } from '../../project/open/open-services.js';
import { createLogger } from '../../server/logger.js';
import type { Style } from '../terminal/terminal.js';

/** pino's log levels by number. */
const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const WARN = 40;
const ERROR = 50;

const colorStatus = (status: number, style: Style): string => {
  if (status >= 500) return style.red(String(status));
  return status >= 400 ? style.yellow(String(status)) : style.green(String(status));
};

const colorLevel = (level: number, style: Style): string => {
  const name = LEVELS[level] ?? String(level);
  if (level >= ERROR) return style.red(name);
  return level >= WARN ? style.yellow(name) : style.dim(name);
};

/** Prints the message of a log entry and of its error, with the line that threw it. */
function printLogMessage({ msg, err }: Readonly<Record<string, unknown>>): string {
  const { message, at } = isRecord(err) ? err : {};
  const source = typeof at === 'string' ? ` (${at})` : '';
  return [msg, message].filter((part) => typeof part === 'string' && part !== '').join(': ') + source;
}

/**
 * Formats a JSON line of the server's log for people: `09:30:12 GET /api/articles 200 3 ms`, and
 * `09:30:12 POST /graphql query Articles 200 3 ms`.
 */
export function printLogLine(line: string, style: Style): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (!isRecord(entry)) return line;
  const { level, time, method, path, operation, status, ms } = entry;
  const timeText = style.dim(typeof time === 'string' ? time.slice(11, 19) : '');
  if (typeof method === 'string' && typeof status === 'number') {
    const request = [method, String(path), ...(typeof operation === 'string' ? [operation] : [])];
    return [timeText, ...request, colorStatus(status, style), style.dim(`${String(ms)} ms`)].join(' ');
  }
  return `${timeText} ${colorLevel(Number(level), style)} ${printLogMessage(entry)}`;
}

/** Prints a warning to stderr. */
export type Warn = (message: string) => unknown;

const printWarning = (line: string): string => {
  const entry: unknown = JSON.parse(line);
  return isRecord(entry) ? printLogMessage(entry) : line.trim();
};

/**
 * Opens the project's app with its hooks, so that `work` has the same effects as a request to the server.
 * Pass `serves` to send requests to it. Log entries of the server become warnings, as do unhandled promise
 * rejections.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function withApp<T>(
  project: Project,
  {
    warn,
    onLateRejection,
    ...options
  }: Pick<AppOptions, 'impersonates' | 'serves'> & {
    readonly warn: Warn;
    readonly onLateRejection?: () => void;
  },
  work: (app: App) => Promise<T>,
): Promise<T> {
  const logger = createLogger({
    level: 'warn',
    root: project.root,
    stream: { write: (line) => void warn(printWarning(line)) },
  });
  const stopLogging = logLateRejections(logger, onLateRejection);
  try {
    const app = await openApp(project, { logger, serves: false, ...options }).catch((error: unknown) => {
      throw unreachableError(project, error);
    });
    try {
      return await work(app);
    } finally {
      await app.fastify.close();
    }
  } finally {
    // Node.js reports rejections after all other promises have settled.
    await setImmediate();
    stopLogging();
  }
}
