import { bindText } from './migration-values.js';
import type { TextForm } from './migration-values.js';

/** SQL expressions that a database provides for checking dates and times. */
interface TextFunctions {
  /** True if text has a shape: `d` stands for a digit, other characters for themselves. */
  readonly hasShape: (text: string, shape: string) => string;
  /** The last characters of a text. */
  readonly ending: (text: string, length: number) => string;
  /** `2026-02-28T13:45:00.000Z` for a local time and its offset from UTC in minutes. Null: no such year. */
  readonly toUtc: (local: string, minutes: string) => string;
}

const LAST_DAY = [
  `CASE WHEN substr("t", 6, 2) IN ('04', '06', '09', '11') THEN '30'`,
  `WHEN substr("t", 6, 2) <> '02' THEN '31'`,
  `WHEN CAST(substr("t", 1, 4) AS INTEGER) % 4 = 0 AND (CAST(substr("t", 1, 4) AS INTEGER) % 100 <> 0`,
  `OR CAST(substr("t", 1, 4) AS INTEGER) % 400 = 0) THEN '29' ELSE '28' END`,
].join(' ');

const isDate = [
  `substr("t", 1, 4) <> '0000' AND substr("t", 6, 2) BETWEEN '01' AND '12'`,
  `AND substr("t", 9, 2) BETWEEN '01' AND ${LAST_DAY}`,
].join(' ');

const isClock = `substr("t", 1, 2) <= '23' AND substr("t", 4, 2) <= '59' AND substr("t", 7, 2) <= '59'`;

/** The clock of a datetime with its seconds, and with a fraction cut to milliseconds. */
const fullClock = ({ hasShape }: TextFunctions): string =>
  [
    `CASE WHEN ${hasShape('"clock"', 'dd:dd')} THEN "clock" || ':00'`,
    `WHEN length("clock") <= 8 THEN "clock"`,
    `WHEN length("clock") BETWEEN 10 AND 18 AND ltrim(substr("clock", 10), '0123456789') = ''`,
    `THEN substr("clock", 1, 12) END`,
  ].join(' ');

const offset = ({ hasShape, ending }: TextFunctions): string => {
  const isOffset = (length: number, shape: string): string => {
    const text = ending('"rest"', length);
    const isSigned = `substr(${text}, 1, 1) IN ('+', '-')`;
    return `WHEN ${isSigned} AND ${hasShape(`substr(${text}, 2)`, shape)} THEN ${text}`;
  };
  return [
    `CASE WHEN ${ending('"rest"', 1)} IN ('Z', 'z') THEN 'Z'`,
    isOffset(6, 'dd:dd'),
    isOffset(5, 'dddd'),
    isOffset(3, 'dd'),
    `ELSE '' END`,
  ].join(' ');
};

/** The offset in minutes. Null where it is not valid. */
const offsetMinutes = ({ ending }: TextFunctions): string => {
  const hours = 'CAST(substr("zone", 2, 2) AS INTEGER)';
  const minutes = `CASE length("zone") WHEN 3 THEN 0 ELSE CAST(${ending('"zone"', 2)} AS INTEGER) END`;
  const sign = `CASE substr("zone", 1, 1) WHEN '-' THEN -1 ELSE 1 END`;
  const isValid = `${hours} <= 23 AND ${minutes} <= 59`;
  const sum = `${sign} * (${hours} * 60 + ${minutes})`;
  return `CASE WHEN length("zone") < 3 THEN 0 WHEN ${isValid} THEN ${sum} END`;
};

/** SQL for the usual form of dates and times, as the API reads them. Null where a text is none. */
export function createDateTexts(
  functions: TextFunctions,
): Readonly<Record<Extract<TextForm, 'date' | 'time' | 'datetime'>, (text: string) => string>> {
  const { hasShape, toUtc } = functions;
  const day = (text: string): string =>
    bindText(text, `CASE WHEN ${hasShape('"t"', 'dddd-dd-dd')} THEN CASE WHEN ${isDate} THEN "t" END END`);
  const time = (text: string): string => {
    const shapes = ['', '.d', '.dd', '.ddd'].map((fraction) => hasShape('"t"', `dd:dd:dd${fraction}`));
    const milliseconds = `substr("t", 1, 8) || '.' || substr(substr("t", 10) || '000', 1, 3)`;
    return bindText(text, `CASE WHEN (${shapes.join(' OR ')}) AND ${isClock} THEN ${milliseconds} END`);
  };
  const datetime = (text: string): string => {
    const parts = `SELECT ${day('substr("t", 1, 10)')} AS "day", substr("t", 11) AS "rest"`;
    const split = `${parts} FROM (SELECT ${text} AS "t" LIMIT 1) AS "a" LIMIT 1`;
    const zoned = `SELECT "day", "rest", ${offset(functions)} AS "zone" FROM (${split}) AS "b" LIMIT 1`;
    const clock = [
      `CASE WHEN "rest" = '' THEN '00:00' WHEN substr("rest", 1, 1) IN ('T', 't')`,
      `THEN substr("rest", 2, length("rest") - 1 - length("zone")) END`,
    ].join(' ');
    const clocked = `SELECT "day", "zone", ${clock} AS "clock" FROM (${zoned}) AS "c" LIMIT 1`;
    const normalClock = time(fullClock(functions));
    const timed = `SELECT "day", "zone", ${normalClock} AS "time" FROM (${clocked}) AS "d" LIMIT 1`;
    const utc = toUtc(`"day" || 'T' || "time"`, offsetMinutes(functions));
    const isValid = '"day" IS NOT NULL AND "time" IS NOT NULL';
    return `(SELECT CASE WHEN ${isValid} THEN ${utc} END FROM (${timed}) AS "e")`;
  };
  const midnight = 'T00:00:00.000Z';
  return {
    // A datetime is a date only where that loses nothing.
    date: (text) =>
      bindText(
        text,
        `coalesce(${day('"t"')}, ${bindText(
          datetime('"t"'),
          `CASE WHEN substr("t", 11) = '${midnight}' THEN substr("t", 1, 10) END`,
        )})`,
      ),
    time,
    datetime,
  };
}
