/** Bytes. */
export const MEGABYTE = 1024 * 1024;

/** Milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DURATION_UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses `30m`, `12h` or `7d` into milliseconds. Null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const size = DURATION_UNITS[unit];
  return size === undefined ? null : Number(count) * size;
}
