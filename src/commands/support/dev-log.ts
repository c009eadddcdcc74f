import { isRecord } from '../../lib/is-record.js';
import type { Style } from './style.js';

/** pino's numbers. */
const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const WARN = 40;
const ERROR = 50;

const paintStatus = (status: number, style: Style): string => {
  if (status >= 500) return style.red(String(status));
  return status >= 400 ? style.yellow(String(status)) : style.green(String(status));
};

const paintLevel = (level: number, style: Style): string => {
  const name = LEVELS[level] ?? String(level);
  if (level >= ERROR) return style.red(name);
  return level >= WARN ? style.yellow(name) : style.dim(name);
};

const errorText = (err: unknown): string => (isRecord(err) && typeof err['message'] === 'string' ? `: ${err['message']}` : '');

/** A line of the server's log, which is JSON, as people read it: `09:30:12 GET /api/articles 200 3 ms`. */
export function printLogLine(line: string, style: Style): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (!isRecord(entry)) return line;
  const { level, time, msg, method, path, status, ms } = entry;
  const clock = style.dim(typeof time === 'string' ? time.slice(11, 19) : '');
  if (typeof method === 'string' && typeof status === 'number') return `${clock} ${method} ${String(path)} ${paintStatus(status, style)} ${style.dim(`${String(ms)} ms`)}`;
  return `${clock} ${paintLevel(Number(level), style)} ${String(msg)}${errorText(entry['err'])}`;
}
