import { createHash } from 'node:crypto';

/** Strapi's limit, which fits all databases it supports. */
const MAX_LENGTH = 55;
const HASH_DIGITS = 5;

const hashOf = (text: string): string =>
  createHash('shake256', { outputLength: 3 }).update(text).digest('hex').slice(0, HASH_DIGITS);

const shorten = (name: string, length: number): string =>
  name.length <= length ? name : `${name.slice(0, length - HASH_DIGITS)}${hashOf(name)}`;

/** Shares out `available` characters: short names leave what they do not need to the others, in turn. */
const allot = (names: readonly string[], available: number): readonly number[] => {
  const share = Math.floor(available / names.length);
  const lengths = names.map(({ length }) => Math.min(length, share));
  let left = available - lengths.reduce((sum, length) => sum + length, 0);
  while (left > 0) {
    const before = left;
    for (const [index, name] of names.entries()) {
      const length = lengths[index] ?? 0;
      if (left === 0 || length === name.length) continue;
      lengths[index] = length + 1;
      left -= 1;
    }
    if (left === before) break;
  }
  return lengths;
};

/** Prefix and suffix of an identifier, which are never shortened. */
export interface Affixes {
  readonly prefix?: string;
  readonly suffix?: string;
}

/**
 * Returns the name that Strapi 5 gives a table or column: its parts joined by `_`. If that is too long, parts
 * are cut and end with digits of their hash.
 */
export function identifier(parts: readonly string[], { prefix, suffix }: Affixes = {}): string {
  const join = (names: readonly string[]): string =>
    [prefix, ...names, suffix].filter((part) => part !== undefined).join('_');
  const whole = join(parts);
  if (whole.length <= MAX_LENGTH) return whole;
  const around = join(parts.map(() => ''));
  const lengths = allot(parts, MAX_LENGTH - around.length);
  return join(parts.map((part, index) => shorten(part, lengths[index] ?? part.length)));
}
