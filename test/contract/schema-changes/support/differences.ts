import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../src/lib/records.js';

const MAX_TEXT = 120;

const print = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_TEXT);

/** Stands for any value, where one is expected that cannot be known. */
export const ANY = '<any>';

/** Stands for a value of which only a part is stated. */
export type Matcher = (found: unknown) => boolean;

/** Describes where two values differ, one line each: `article.x.hero.title: expected "a", found nothing`. */
export function differences(expected: unknown, found: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(expected, found) || (expected === ANY && found !== undefined)) return [];
  if (typeof expected === 'function' && (expected as Matcher)(found)) return [];
  const areLists = Array.isArray(expected) && Array.isArray(found) && expected.length === found.length;
  if (!areLists && !(isRecord(expected) && isRecord(found)))
    return [`${path}: expected ${print(expected)}, found ${print(found)}`];
  const [left, right] = [Object(expected), Object(found)] as Record<string, unknown>[];
  return [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])].flatMap((key) =>
    differences(left?.[key], right?.[key], path === '' ? key : `${path}.${key}`),
  );
}
