import * as v from 'valibot';
import { createError } from '../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../errors/galley-error.js';
import { isRecord } from '../lib/records.js';

/** The type of a setting. Numbers and booleans are also accepted as text, for environment variables. */
export interface Check<T> {
  /** Completes the sentence "must be …" in error messages. */
  readonly allowed: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Returns undefined for values that are not allowed. */
  readonly read: (value: unknown) => T | undefined;
}

/** Creates a check from a schema and its description in error messages. */
export function createCheck<T>(allowed: string, schema: v.GenericSchema<unknown, T>): Check<T> {
  return {
    allowed,
    schema,
    read: (value) => {
      const result = v.safeParse(schema, value);
      return result.success ? result.output : undefined;
    },
  };
}

export const text = createCheck('text that is not empty', v.pipe(v.unknown(), v.string(), v.nonEmpty()));

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', 'on', '1']);

export const flag = createCheck(
  'true or false',
  v.pipe(
    v.unknown(),
    v.union([
      v.boolean(),
      v.pipe(
        v.string(),
        v.toLowerCase(),
        v.picklist(['true', 'on', '1', 'false', 'off', '0']),
        v.transform((word) => TRUE_WORDS.has(word)),
      ),
    ]),
  ),
);

export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return createCheck(
    `a whole number${range}`,
    v.pipe(
      v.unknown(),
      v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d+$/), v.transform(Number))]),
      v.integer(),
      v.minValue(minimum),
      v.maxValue(maximum),
    ),
  );
}

export function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return createCheck(`one of ${words.join(', ')}`, v.pipe(v.unknown(), v.picklist(words)));
}

export function matching(pattern: RegExp, allowed: string): Check<string> {
  return createCheck(allowed, v.pipe(v.unknown(), v.string(), v.regex(pattern)));
}

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const secondsOf = (length: string): number => {
  const [, amount, unit = 's'] = /^(\d+)([smhdw])?$/.exec(length) ?? [];
  return Number(amount) * (SECONDS_BY_UNIT[unit] ?? Number.NaN);
};

/** A duration in whole seconds: `900`, `'15m'`, `'30d'`. */
export const seconds = createCheck(
  "a number of seconds, or a duration such as '15m', '12h' or '30d'",
  v.pipe(
    v.unknown(),
    v.union([v.string(), v.number()]),
    v.transform(String),
    v.regex(/^\d{1,9}[smhdw]?$/),
    v.transform(secondsOf),
    v.minValue(1),
  ),
);

export const names: Check<readonly string[]> = createCheck(
  'a list of names',
  v.pipe(v.unknown(), v.array(v.pipe(v.string(), v.nonEmpty()))),
);

/** A plain object. Valibot alone also accepts arrays as objects. */
export const plainObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** An object that has no keys besides these. All of them are optional. */
export function section(
  keys: Readonly<Record<string, Check<unknown>>>,
): Check<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(keys);
  const allowed = entries.map(([key, item]) => `${key} (${item.allowed})`).join('; ');
  const optional = entries.map(([key, { schema }]) => [key, v.exactOptional(schema)] as const);
  return createCheck(
    `an object with some of: ${allowed}`,
    v.pipe(plainObject, v.strictObject(Object.fromEntries(optional))),
  );
}

/** A boolean, or a value of another check. */
export function flagOr<T>(other: Check<T>): Check<boolean | T> {
  return createCheck(
    `${flag.allowed}, or ${other.allowed}`,
    v.pipe(v.unknown(), v.union([flag.schema, other.schema])),
  );
}

/** Prints a rejected value briefly: on one line, and without the password of a URL. */
export function printValue(value: unknown): string {
  const printed =
    typeof value === 'function'
      ? 'a function'
      : (JSON.stringify(value) ?? String(value)).replace(/:\/\/[^/@\s]*@/, '://***@');
  return printed.length > 80 ? `${printed.slice(0, 77)}...` : printed;
}

/** One key of the configuration: its check, its default and its entry in docs/configuration.md. */
export interface Option<T = unknown> {
  readonly check: Check<T>;
  readonly fallback: T;
  /** One sentence for the reference page. */
  readonly description: string;
  /** The environment variable that takes precedence over the file. */
  readonly variable?: string;
  /** A value for the reference page. Default: the fallback. */
  readonly example?: T;
}

/** The documentation of an option besides its description. */
type OptionDetails<T> = Pick<Option<T>, 'variable' | 'example'>;

export function option<T>(
  check: Check<T>,
  fallback: NoInfer<T>,
  description: string,
  details: OptionDetails<NoInfer<T>> = {},
): Option<T> {
  return { check, fallback, description, ...details };
}

/** Returns a function that reads options of a plugin's validated `config`, with their defaults. */
export function createOptionReader<Options extends Readonly<Record<string, Option<unknown>>>>(
  options: Options,
  config: unknown,
) {
  return <Path extends keyof Options & string>(path: Path): ValueOf<Options[Path]> => {
    const value = path
      .split('.')
      .reduce<unknown>((parent, key) => (isRecord(parent) ? parent[key] : undefined), config);
    const { check, fallback } = options[path] as Option<ValueOf<Options[Path]>>;
    return value === undefined ? fallback : (check.read(value) ?? fallback);
  };
}

type ValueOf<Item> = Item extends Option<infer Value> ? Value : never;

/** The problems of a configuration. One error reports all of them. */
export type Issues = ValidationIssue[];

export function addIssue(issues: Issues, path: readonly string[], message: string): void {
  issues.push({ path, message, name: 'ValidationError' });
}

/** Returns the checked value, or undefined. Adds an issue for a value that is not allowed. */
export function readChecked<T>(
  check: Check<T>,
  value: unknown,
  path: readonly string[],
  issues: Issues,
): T | undefined {
  if (value === undefined) return undefined;
  const parsed = check.read(value);
  if (parsed === undefined) addIssue(issues, path, `is ${printValue(value)} but must be ${check.allowed}`);
  return parsed;
}

export function configError(issues: Issues, file: string | null): GalleyError {
  const summary = issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  return createError(
    'config/invalid',
    { file: file ?? 'The configuration', summary },
    { details: { errors: issues } },
  );
}
