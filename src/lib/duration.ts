const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `30m`, `12h` or `7d` into milliseconds. Null: it is no such text. */
export function parseDuration(text: string): number | null {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  return size === undefined ? null : Number(count) * size;
}
