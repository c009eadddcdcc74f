import { createLruCache } from '../lib/lru-cache.js';

/** Names that a server keeps prepared statements under, one connection at a time. */
const NAMES = 500;

/**
 * Gives a statement a name from its second run on: what is asked once is not worth a place in the server's memory.
 * A name never stands for two statements.
 */
export function createStatementNames(prefix: string): (sql: string) => string | undefined {
  const names = createLruCache<string, string>(NAMES);
  const seen = createLruCache<string, true>(NAMES);
  let count = 0;
  return (sql) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (seen.get(sql) === undefined) {
      seen.set(sql, true);
      return undefined;
    }
    count += 1;
    names.set(sql, `${prefix}${count}`);
    return names.get(sql);
  };
}
