import { createHash } from 'node:crypto';
import { snakeCase } from '../../lib/names.js';
import type { SchemaRecord } from '../source.js';

/** Strapi's limit, which fits all databases it supports. */
const MAX_LENGTH = 55;
const HASH_DIGITS = 5;

const hashOf = (text: string): string =>
  createHash('shake256', { outputLength: 3 }).update(text).digest('hex').slice(0, HASH_DIGITS);

const shorten = (name: string, length: number): string =>
  name.length <= length ? name : `${name.slice(0, length - HASH_DIGITS)}${hashOf(name)}`;

/** Distributes `available` characters over names. Characters that short names do not use go to the others. */
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
interface Affixes {
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

export type Attribute = Readonly<Record<string, unknown>>;

const collectionOf = ({ collectionName, uid }: SchemaRecord): string =>
  collectionName ?? snakeCase(uid.replace(/^.*::/, ''));

/** Returns the singular name; of components, the part after the dot. */
const singularOf = ({ modelName, uid }: SchemaRecord): string =>
  snakeCase(modelName ?? uid.replace(/^.*\./, ''));

export const tableOf = (schema: SchemaRecord): string => identifier([collectionOf(schema)]);

export const columnOf = (attribute: string): string => identifier([snakeCase(attribute)]);

/** Returns the name of the table that links rows to components. */
export const componentTableOf = (schema: SchemaRecord): string =>
  identifier([collectionOf(schema)], { suffix: 'cmps' });

/** Returns the name of the column of a relation without a join table. */
export const joinColumnOf = (attribute: string): string =>
  identifier([snakeCase(attribute)], { suffix: 'id' });

export interface JoinTable {
  readonly table: string;
  readonly owner: string;
  readonly target: string;
  /** The position of the target in the owner's list. */
  readonly order: string;
  /** The position of the owner in the target's list. */
  readonly inverseOrder: string;
}

export function joinTableOf(
  schema: SchemaRecord,
  name: string,
  relation: string,
  target: SchemaRecord,
): JoinTable {
  const [ownerName, targetName] = [singularOf(schema), singularOf(target)];
  const owner = identifier([ownerName], { suffix: 'id' });
  const sameName = identifier([targetName], { suffix: 'id' });
  const order = identifier([targetName], { suffix: 'ord' });
  const inverse = identifier([ownerName], { suffix: 'ord' });
  return {
    table: identifier([snakeCase(tableOf(schema)), snakeCase(name)], { suffix: 'lnk' }),
    owner,
    target: sameName === owner ? identifier([targetName], { prefix: 'inv', suffix: 'id' }) : sameName,
    order,
    inverseOrder:
      relation === 'manyToMany' && inverse === order
        ? identifier([ownerName], { prefix: 'inv', suffix: 'ord' })
        : inverse,
  };
}

export interface MorphTable {
  readonly table: string;
  readonly owner: string;
  readonly target: string;
  readonly type: string;
}

export function morphTableOf(schema: SchemaRecord, name: string): MorphTable {
  const attribute = snakeCase(name);
  return {
    table: identifier([snakeCase(tableOf(schema)), attribute], { suffix: 'mph' }),
    owner: identifier([singularOf(schema)], { suffix: 'id' }),
    target: identifier([attribute], { suffix: 'id' }),
    type: identifier([attribute], { suffix: 'type' }),
  };
}
