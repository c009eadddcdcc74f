import { hashedName, shortName } from '../lib/short-name.js';

/** Longest name PostgreSQL keeps; longer ones it would cut off by itself, and two of them could become one. */
const MAX_BYTES = 63;

export type ConstraintSuffix = 'key' | 'idx' | 'fkey' | 'pkey';

/** Makes the names of indexes and constraints, which one database keeps in one namespace: none is given twice. */
export type ConstraintNamer = (table: string, columns: readonly string[], suffix: ConstraintSuffix) => string;

/** Names like `articles_author_document_id_fkey`; where table and column names run into each other (`a_b` + `c`, `a` + `b_c`), the second gets a hash. */
export function createConstraintNamer(): ConstraintNamer {
  const used = new Set<string>();
  return (table, columns, suffix) => {
    const room = MAX_BYTES - suffix.length - 1;
    const plain = [table, ...columns].join('_');
    const name = `${shortName(plain, room)}_${suffix}`;
    const free = used.has(name) ? `${hashedName(plain, room, [table, ...columns].join(' '))}_${suffix}` : name;
    used.add(free);
    return free;
  };
}

/** Hands out names that are unique within one model: the wished one, or the first `name2`, `name3` … that is free. */
export interface NamePool {
  readonly take: (wished: string) => string;
}

export function createNamePool(taken: Iterable<string>): NamePool {
  const used = new Set(taken);
  const take = (wished: string): string => {
    let name = wished;
    for (let count = 2; used.has(name); count++) name = `${wished}${count}`;
    used.add(name);
    return name;
  };
  return { take };
}
