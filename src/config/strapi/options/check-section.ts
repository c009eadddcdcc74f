import { isRecord } from '../../../lib/is-record.js';
import { nearest } from '../../../lib/nearest.js';
import { printValue } from '../../checks.js';
import type { Values } from '../values.js';
import { isRead } from './option.js';
import type { StrapiOption, StrapiOptions } from './option.js';

/** An option of a Strapi project that is set and has no effect. */
export interface UnappliedOption {
  /** `['middlewares', 'strapi::body', 'encoding']` */
  readonly path: readonly string[];
  readonly reason: string;
  /** True if the start stops, since the option restricts access. */
  readonly isFatal: boolean;
}

/** Finds what a table says about a path: the path itself, or `*` beside it or above. */
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

/** Returns the reason why an option with a value has no effect. Null: it has one, or nobody needs it. */
const reasonAgainst = (entry: StrapiOption, value: unknown): string | null => {
  const { check, holds, remark, treatment } = entry;
  if (holds !== undefined && value === holds) return null;
  if (check !== undefined && check.read(value) === undefined)
    return `is ${printValue(value)} but must be ${check.allowed}`;
  return isRead(entry) || treatment === 'harmless' ? null : `has no effect here. ${remark}`;
};

/** Reports an unknown option. One that is close to an option that restricts access is taken for it. */
const unknownOption = (options: StrapiOptions, path: readonly string[]): Omit<UnappliedOption, 'path'> => {
  const statement = 'is not an option that Strapi 5 documents';
  const meant = nearest(path.join('.'), Object.keys(options));
  if (meant === undefined) return { reason: statement, isFatal: false };
  return { reason: `${statement}; did you mean ${meant}?`, isFatal: options[meant]?.restricts === true };
};

/** Lists what is set and has no effect, as a table of options says. `place` precedes each path. */
export function checkSection(
  options: StrapiOptions,
  values: Values,
  place: readonly string[] = [],
): readonly UnappliedOption[] {
  const checkBelow = (section: Values, path: readonly string[]): readonly UnappliedOption[] =>
    Object.entries(section).flatMap(([key, value]): readonly UnappliedOption[] => {
      const own = [...path, key];
      if (value === undefined || value === null) return [];
      if (isRecord(value) && hasBelow(options, own)) return checkBelow(value, own);
      const entry = entryOf(options, own);
      if (entry === undefined) return [{ path: [...place, ...own], ...unknownOption(options, own) }];
      const reason = reasonAgainst(entry, value);
      return reason === null ? [] : [{ path: [...place, ...own], reason, isFatal: entry.restricts }];
    });
  return checkBelow(values, []);
}
