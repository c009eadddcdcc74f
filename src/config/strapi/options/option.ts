import { nearest } from '../../../lib/nearest.js';
import { isRecord } from '../../../lib/records.js';
import { printValue } from '../../checks.js';
import type { Check } from '../../checks.js';
import type { ConfigValues } from '../config-values.js';

/** The effect that an option of Strapi has in Galley. */
type Treatment = 'applied' | 'applied differently' | 'refused' | 'harmless';

/** The treatment of one option of a Strapi project. */
export interface StrapiOption {
  readonly treatment: Treatment;
  /** One phrase for the table of options. */
  readonly remark: string;
  /** True if the option restricts access: the server does not start if it cannot be applied. */
  readonly restricts: boolean;
  /** The value that matches the behavior of Galley. */
  readonly holds?: unknown;
  /** The values that can be applied. Default: all, or those that the setting of Galley allows. */
  readonly check?: Check<unknown>;
}

/** Options by their paths below a file or a middleware; `*` matches all others there. */
export type StrapiOptions = Readonly<Record<string, StrapiOption>>;

const create =
  (treatment: Treatment) =>
  (remark = ''): StrapiOption => ({ treatment, remark, restricts: false });

/** Returns an option that has the same effect as in Strapi. */
export const applied = create('applied');
/** Returns an option that is applied with a difference, which the remark describes. */
export const differently = create('applied differently');
/** Returns an option that has no effect, which is reported as a warning. */
export const refused = create('refused');
/** Returns an option that has no effect, and does not change responses. */
export const harmless = create('harmless');

/** Returns an option that has no effect, unless it has the only supported value. */
export function fixed(holds: unknown, remark: string): StrapiOption {
  return { ...refused(remark), holds };
}

/** Marks an option that restricts access. */
export function restricting(option: StrapiOption, check?: Check<unknown>): StrapiOption {
  return { ...option, restricts: true, ...(check === undefined ? {} : { check }) };
}

/** True if the option has an effect here, so that code reads it. */
export function isRead({ treatment }: StrapiOption): boolean {
  return treatment === 'applied' || treatment === 'applied differently';
}

/** An option of a Strapi project that is set and has no effect. */
export interface UnappliedOption {
  /** `['middlewares', 'strapi::body', 'encoding']` */
  readonly path: readonly string[];
  readonly reason: string;
  /** True if the server does not start, because the option restricts access. */
  readonly isFatal: boolean;
}

/** Finds the entry of a path in a table: the path, or `*` at its level or above. */
export function entryOf(options: StrapiOptions, path: readonly string[]): StrapiOption | undefined {
  const name = path.join('.');
  if (Object.hasOwn(options, name)) return options[name];
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const rest = [...path.slice(0, length), '*'].join('.');
    if (Object.hasOwn(options, rest)) return options[rest];
  }
  return undefined;
}

const hasBelow = (options: StrapiOptions, path: readonly string[]): boolean =>
  Object.keys(options).some((name) => name.startsWith(`${path.join('.')}.`));

/** Returns the reason that an option with a value has no effect. Null: it has one, or is harmless. */
const reasonAgainst = (entry: StrapiOption, value: unknown): string | null => {
  const { check, holds, remark, treatment } = entry;
  if (holds !== undefined && value === holds) return null;
  if (check !== undefined && check.read(value) === undefined)
    return `is ${printValue(value)} but must be ${check.allowed}`;
  return isRead(entry) || treatment === 'harmless' ? null : `has no effect here. ${remark}`;
};

/** Reports an unknown option. A name close to an option that restricts access counts as that option. */
const unknownOption = (options: StrapiOptions, path: readonly string[]): Omit<UnappliedOption, 'path'> => {
  const problem = 'is not an option that Strapi 5 documents';
  const meant = nearest(path.join('.'), Object.keys(options));
  if (meant === undefined) return { reason: problem, isFatal: false };
  return { reason: `${problem}; did you mean ${meant}?`, isFatal: options[meant]?.restricts === true };
};

/** Lists the set options that have no effect, by a table of options. `place` precedes each path. */
export function checkSection(
  options: StrapiOptions,
  values: ConfigValues,
  place: readonly string[] = [],
): readonly UnappliedOption[] {
  const checkBelow = (section: ConfigValues, path: readonly string[]): readonly UnappliedOption[] =>
    Object.entries(section).flatMap(([key, value]): readonly UnappliedOption[] => {
      const optionPath = [...path, key];
      if (value === undefined || value === null) return [];
      if (isRecord(value) && hasBelow(options, optionPath)) return checkBelow(value, optionPath);
      const entry = entryOf(options, optionPath);
      if (entry === undefined)
        return [{ path: [...place, ...optionPath], ...unknownOption(options, optionPath) }];
      const reason = reasonAgainst(entry, value);
      return reason === null ? [] : [{ path: [...place, ...optionPath], reason, isFatal: entry.restricts }];
    });
  return checkBelow(values, []);
}
