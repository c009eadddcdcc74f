import { isRecord } from '../../../lib/is-record.js';

type Params = Record<string, unknown>;

/** Throws for parameters that the caller must not or cannot use. */
export type CheckQuery = (params: Params) => unknown;

const isValid = (check: CheckQuery, params: Params): boolean => {
  try {
    check(params);
    return true;
  } catch {
    return false;
  }
};

const keepList = (check: CheckQuery, name: string, values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => isValid(check, { [name]: [value] }));

const keepEntries = (check: CheckQuery, name: string, values: Params): Params =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (isValid(check, { [name]: { [key]: value } })) return [[key, value]];
      if (!Array.isArray(value) || !key.startsWith('$')) return [];
      return [[key, value.filter((each) => isValid(check, { [name]: { [key]: [each] } }))]];
    }),
  );

const keepWords = (check: CheckQuery, name: string, text: string): string | undefined => {
  const words = text.split(',').filter((word) => isValid(check, { [name]: word.trim() }));
  return words.length === 0 ? undefined : words.join(',');
};

/** Returns what of a parameter is valid; undefined if nothing is. */
const keepValid = (check: CheckQuery, name: string, value: unknown): unknown => {
  if (isValid(check, { [name]: value })) return value;
  if (Array.isArray(value)) return keepList(check, name, value);
  if (isRecord(value)) return keepEntries(check, name, value);
  return typeof value === 'string' ? keepWords(check, name, value) : undefined;
};

const CHECKED: readonly string[] = ['filters', 'sort', 'fields', 'populate'];

/** Returns a query without the filters, orders, fields and relations that the caller must not use. */
export function sanitizeQuery(query: Params, check: CheckQuery): Params {
  const cleaned: Params = { ...query };
  for (const name of CHECKED) {
    const value = cleaned[name];
    if (value === undefined) continue;
    const valid = keepValid(check, name, value);
    if (valid === undefined) Reflect.deleteProperty(cleaned, name);
    else cleaned[name] = valid;
  }
  return cleaned;
}
