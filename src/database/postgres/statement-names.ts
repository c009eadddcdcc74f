import { LRUCache } from 'lru-cache';
import { PLANNED_PER_RUN } from './search.js';

/** The number of statements that the server keeps prepared per connection. */
const MAX_NAMES = 500;

/**
 * Names statements from their second run on, so that statements that run once do not use memory of the
 * server. A name never means two statements.
 */
export function createStatementNames(prefix: string): (sql: string) => string | undefined {
  const names = new LRUCache<string, string>({ max: MAX_NAMES });
  const executedOnce = new LRUCache<string, true>({ max: MAX_NAMES });
  let count = 0;
  return (sql) => {
    // Without a name a statement is planned for its values.
    if (sql.includes(PLANNED_PER_RUN)) return undefined;
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (executedOnce.get(sql) === undefined) {
      executedOnce.set(sql, true);
      return undefined;
    }
    count += 1;
    names.set(sql, `${prefix}${count}`);
    return names.get(sql);
  };
}
