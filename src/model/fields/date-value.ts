import { MINUTE_MS } from '../../lib/units.js';
import { accept, reject } from './field-type.js';
import type { FieldType, ParseResult } from './field-type.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?$/;
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2})?)?$/;

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

/** Returns a valid calendar date unchanged, otherwise null. The year 0 is not valid. */
export function readDate(text: string): string | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? text : null;
}

/** Returns a time with milliseconds, `10:30:15.000` for `10:30:15`, or null. */
export function readTime(text: string): string | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, hours = '', minutes = '', seconds = '', fraction = ''] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/**
 * Returns a typed time in its stored form: `10:00` as `10:00:00.000`. The content API requires seconds. Text
 * that is not a time is returned unchanged: validation reports it.
 */
export function completeTime(text: string): string {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  const time = hours === undefined ? text : `${hours.padStart(2, '0')}:${String(minutes)}:00`;
  return readTime(time) ?? text;
}

/** Returns the offset from UTC in minutes, or null if it is not valid. */
const readOffset = (
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | null => {
  if (sign === undefined) return 0;
  const [h, m] = [Number(hours), Number(minutes ?? 0)];
  if (h > 23 || m > 59) return null;
  return (sign === '-' ? -1 : 1) * (h * 60 + m);
};

const isStorableYear = (moment: Date): boolean =>
  moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;

/** Returns a date within the years 1 to 9999 unchanged, otherwise null. */
export function readMoment(moment: Date): Date | null {
  return Number.isNaN(moment.getTime()) || !isStorableYear(moment) ? null : moment;
}

/**
 * Parses ISO 8601: with an offset, without one (UTC), or a date alone (midnight UTC). A space may replace the
 * T. Fractions are truncated to milliseconds. Null: anything else.
 */
export function readDatetime(text: string): Date | null {
  const [, date = text, clock = '00:00', seconds = '00', fraction = '', sign, offsetHours, offsetMinutes] =
    DATETIME.exec(text) ?? [];
  const day = readDate(date);
  const time = readTime(`${clock}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`);
  const offset = readOffset(sign, offsetHours, offsetMinutes);
  if (day === null || time === null || offset === null) return null;
  return readMoment(new Date(Date.parse(`${day}T${time}Z`) - offset * MINUTE_MS));
}

const MILLISECONDS = /^-?\d{1,15}$/;

/** Reads digits as milliseconds since 1970. Null: not a moment. */
export function readMilliseconds(digits: string): Date | null {
  return MILLISECONDS.test(digits) ? readMoment(new Date(Number(digits))) : null;
}

interface MomentFacets {
  readonly name: 'datetime' | 'timestamp';
  /** Reads digits, which a request may send as text or as a number. Null: not a moment. */
  readonly readDigits: (digits: string) => Date | null;
  /** TypeScript of the value in a request. */
  readonly input: string;
  readonly printsMilliseconds?: true;
  readonly jsonSchema: FieldType['jsonSchema'];
}

/** Returns a field type whose values are moments in UTC, to the millisecond. */
export function defineMomentField({ name, readDigits, input, ...facets }: MomentFacets): FieldType {
  const toMoment = (value: unknown): Date | null => {
    if (value instanceof Date) return readMoment(value);
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    return typeof text === 'string' ? (readDatetime(text) ?? readDigits(text)) : null;
  };
  const parse = (value: unknown): ParseResult<Date> => {
    const moment = toMoment(value);
    return moment === null
      ? reject('must be a date and time like 2026-02-28T13:45:00.000Z, or milliseconds since 1970')
      : accept(moment);
  };
  return {
    name,
    column: 'datetime',
    options: [],
    parse,
    parseFilter: parse,
    filterable: true,
    sortable: true,
    indexable: true,
    ...facets,
    typescript: () => ({ output: 'string', input }),
    graphql: { output: 'DateTime', input: 'DateTime', filter: 'DateTimeFilterInput' },
  };
}
