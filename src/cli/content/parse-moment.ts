import { createError } from '../../errors/catalogue.js';

const LOCAL = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const SPAN = /^(\d{1,6})\s*(m|h|d|w)$/i;

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
const MINUTE_MS = 60_000;

/** Without an offset, in the time zone of this machine. A date alone is its first moment. */
const readLocal = (text: string): Date | null => {
  if (!LOCAL.test(text)) return null;
  const moment = new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
  if (Number.isNaN(moment.getTime())) return null;
  // The 31st of a shorter month would be taken for the first of the next one.
  const day = Number(text.slice(8, 10));
  return day > 28 && new Date(`${text.slice(0, 10)}T00:00`).getDate() !== day ? null : moment;
};

/**
 * Parses when something is to be done: `2026-12-01T09:00`, `2h`, `3d`, or `never`, which is null.
 *
 * @throws `cli/invalid-usage`
 */
export function parseMoment(text: string, now: Date = new Date()): Date | null {
  if (text === 'never') return null;
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  const moment =
    count === undefined
      ? readLocal(text)
      : new Date(now.getTime() + Number(count) * (MINUTES[unit.toLowerCase()] ?? 0) * MINUTE_MS);
  if (moment !== null) return moment;
  throw createError('cli/invalid-usage', {
    reason: `--at does not understand ${JSON.stringify(text)}.`,
    remedy: 'Write a time like 2026-12-01T09:00, a span like 30m, 2h, 3d or 1w, or never.',
  });
}
