import { isRecord } from '../../lib/records.js';
import { SECOND_MS } from '../../lib/units.js';
import { readChecked } from '../checks.js';
import type { Issues } from '../checks.js';
import { ACCOUNT_OPTIONS } from '../account-settings.js';
import type { ConfigValues } from './config-values.js';

const PATH = ['plugins', 'users-permissions', 'config'];

const MS_BY_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 604_800 * SECOND_MS,
  y: 31_557_600 * SECOND_MS,
};

/** `1 day`, `2.5 hrs`, `7d`; text without a unit is in milliseconds, as in jsonwebtoken. */
const LENGTH = new RegExp(
  [
    String.raw`^([\d.]+)\s*(?:(ms|milliseconds?|msecs?)|(s|secs?|seconds?)|(m|mins?|minutes?)`,
    String.raw`|(h|hrs?|hours?)|(d|days?)|(w|weeks?)|(y|yrs?|years?))?$`,
  ].join(''),
  'i',
);
const UNITS = ['ms', 's', 'm', 'h', 'd', 'w', 'y'];

/** Returns a duration in whole seconds. Numbers are already in seconds. */
const lifetimeOf = (length: unknown): unknown => {
  if (typeof length !== 'string') return length;
  const [, amount, ...units] = LENGTH.exec(length.trim()) ?? [];
  if (amount === undefined) return length;
  const unit = UNITS[units.findIndex((each) => each !== undefined)] ?? 'ms';
  return Math.max(1, Math.round((Number(amount) * (MS_BY_UNIT[unit] ?? 1)) / SECOND_MS));
};

const INTERVAL_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  sec: SECOND_MS,
  min: 60 * SECOND_MS,
  hour: 3600 * SECOND_MS,
  day: 86_400 * SECOND_MS,
  week: 604_800 * SECOND_MS,
};

/** `60000` (milliseconds) or `{ min: 5 }`, in seconds. */
const intervalOf = (interval: unknown): unknown => {
  const parts = isRecord(interval) ? Object.entries(interval) : [['ms', interval] as const];
  const ms = parts.reduce((sum, [unit, amount]) => sum + Number(amount) * (INTERVAL_UNITS[unit] ?? NaN), 0);
  return Number.isFinite(ms) ? Math.max(1, Math.round(ms / SECOND_MS)) : interval;
};

const CONVERSIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  'jwt.expiresIn': lifetimeOf,
  'ratelimit.interval': intervalOf,
};

const SECTIONS = new Set(['jwt', 'sessions', 'register', 'advanced', 'ratelimit']);

const isOption = (path: string): path is keyof typeof ACCOUNT_OPTIONS => Object.hasOwn(ACCOUNT_OPTIONS, path);

const mapSection = (name: string, section: ConfigValues, issues: Issues): ConfigValues =>
  Object.fromEntries(
    Object.entries(section).flatMap(([key, value]) => {
      const path = `${name}.${key}`;
      if (value === undefined || value === null || !isOption(path)) return [];
      const converted = CONVERSIONS[path]?.(value) ?? value;
      const parsed = readChecked<unknown>(
        ACCOUNT_OPTIONS[path].check,
        converted,
        [...PATH, name, key],
        issues,
      );
      return parsed === undefined ? [] : [[key, parsed] as const];
    }),
  );

/**
 * Converts the options of users-permissions to those of Galley. Omits keys of a section without a
 * counterpart. Reports and omits keys with invalid values.
 */
export function mapAccountOptions(config: ConfigValues, issues: Issues): ConfigValues {
  return Object.fromEntries(
    Object.entries(config).map(
      ([key, value]) =>
        [key, SECTIONS.has(key) && isRecord(value) ? mapSection(key, value, issues) : value] as const,
    ),
  );
}
