import type { CronOptions } from 'croner';
import { isRecord } from '../../lib/is-record.js';

/** The schedule of a task, in the form that croner takes. */
export interface Schedule {
  readonly pattern: string | Date;
  readonly options: Pick<CronOptions, 'timezone' | 'startAt' | 'stopAt'>;
}

/** The fields of a rule that is written as an object, in the order of a cron pattern. */
const FIELDS = ['second', 'minute', 'hour', 'date', 'month', 'dayOfWeek'] as const;

const isTime = (value: unknown): value is Date | string => value instanceof Date || typeof value === 'string';

const printPart = (value: unknown, offset: number): string => {
  if (isRecord(value)) {
    const { start, end, step = 1 } = value;
    return `${Number(start) + offset}-${Number(end) + offset}/${Number(step)}`;
  }
  return String(Number(value) + offset);
};

const printField = (rule: Readonly<Record<string, unknown>>, field: (typeof FIELDS)[number]): string => {
  const value = rule[field] ?? null;
  // Without a second, a rule means the first one of each minute.
  if (value === null) return field === 'second' ? '0' : '*';
  const offset = field === 'month' ? 1 : 0;
  return (Array.isArray(value) ? value : [value]).map((part) => printPart(part, offset)).join(',');
};

const printRule = (rule: Readonly<Record<string, unknown>>): string => {
  if (!FIELDS.some((field) => (rule[field] ?? null) !== null))
    throw new TypeError(`the rule needs one of ${FIELDS.join(', ')}`);
  return FIELDS.map((field) => printField(rule, field)).join(' ');
};

const patternOf = (rule: unknown): string | Date => {
  if (isTime(rule)) return rule;
  if (typeof rule === 'object' && rule !== null) return printRule({ ...rule });
  throw new TypeError(`${String(rule)} is not a cron expression`);
};

/**
 * Reads the forms in which code written for Strapi says when a task runs: an expression of five or six
 * fields, a date, an object of fields (`{hour: 1, minute: 0}`), or these as `rule` beside `tz`, `start` and
 * `end`.
 */
export function parseSchedule(options: unknown): Schedule {
  if (!isRecord(options) || !Object.hasOwn(options, 'rule'))
    return { pattern: patternOf(options), options: {} };
  const { rule, tz, start, end } = options;
  return {
    pattern: patternOf(rule),
    options: {
      ...(typeof tz === 'string' ? { timezone: tz } : {}),
      ...(isTime(start) ? { startAt: start } : {}),
      ...(isTime(end) ? { stopAt: end } : {}),
    },
  };
}
