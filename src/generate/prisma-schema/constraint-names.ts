import { hashedName, shortName } from '../../lib/short-name.js';

/** PostgreSQL cuts longer names, so that two of them could become equal. */
const MAX_BYTES = 63;

type ConstraintSuffix = 'key' | 'idx' | 'fkey' | 'pkey';

/** Returns a name for an index or constraint that is unique in the database. */
export type ConstraintNamer = (table: string, columns: readonly string[], suffix: ConstraintSuffix) => string;

/**
 * Creates names such as `articles_author_document_id_fkey`. Where two are equal, as of `a_b` + `c` and `a` +
 * `b_c`, the second gets a hash.
 */
export function createConstraintNamer(): ConstraintNamer {
  const used = new Set<string>();
  return (table, columns, suffix) => {
    const maxStemBytes = MAX_BYTES - suffix.length - 1;
    const stem = [table, ...columns].join('_');
    const name = `${shortName(stem, maxStemBytes)}_${suffix}`;
    const uniqueName = used.has(name)
      ? `${hashedName(stem, maxStemBytes, [table, ...columns].join(' '))}_${suffix}`
      : name;
    used.add(uniqueName);
    return uniqueName;
  };
}
