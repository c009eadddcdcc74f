import type { LogFn, LoggerOptions } from 'pino';
import { toUnavailableError } from '../database/unavailable-error.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isRecord } from '../lib/is-record.js';

const INTERVAL_MS = 1000;

/** The message of the innermost cause, which says what is wrong. */
const reasonOf = (error: Error): string => {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message === '' ? String(Reflect.get(error, 'code')) : error.message;
};

/** Returns what a line is about that every request and task has while a database or a disk is away. */
const outageOf = (details: unknown): GalleyError | null => {
  const error = isRecord(details) ? details['err'] : null;
  if (isGalleyError(error)) return error.kind === 'unavailable' ? error : null;
  return toUnavailableError(error);
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * Creates the hook of a logger that prints outages of the database and of disks once a second, without a
 * stack and with the number of lines that were left out. Printing each would make a busy server busier.
 *
 * @param now for tests
 */
export function limitOutages(now: () => number = Date.now): LogMethod {
  const states = new Map<string, { readonly loggedAt: number; omitted: number }>();
  return function (this: ThisParameterType<LogMethod>, args, method: LogFn) {
    const outage = outageOf(args[0]);
    if (outage === null) return method.apply(this, args);
    const { code, message } = outage;
    const state = states.get(code);
    if (state !== undefined && now() - state.loggedAt < INTERVAL_MS) {
      state.omitted += 1;
      return;
    }
    states.set(code, { loggedAt: now(), omitted: 0 });
    const omitted = state?.omitted ?? 0;
    const details = { code, reason: reasonOf(outage), ...(omitted === 0 ? {} : { omitted }) };
    method.apply(this, [details, message]);
  };
}
