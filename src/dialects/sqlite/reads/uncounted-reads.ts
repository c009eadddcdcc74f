import { LRUCache } from 'lru-cache';
import type { BoundValue } from '../../sql-expressions.js';
import type { UncountedStatement } from '../../uncounted-statement.js';
import type { SqliteReader } from './reader.js';

const MAX_STATEMENTS = 500;

/** How often a statement is counted at once, after an answer that was too long. */
const COUNTED_RUNS = 16;

/** Reads without counting what the length of the answer shows. */
export interface UncountedReads {
  /** Null where the read has to be counted. */
  readonly texts: (
    statement: UncountedStatement,
    parameters: readonly BoundValue[],
  ) => readonly (string | null)[] | null;
}

export function createUncountedReads(reader: SqliteReader): UncountedReads {
  const countedRuns = new LRUCache<string, number>({ max: MAX_STATEMENTS });
  return {
    texts: (statement, parameters) => {
      const { sql } = statement;
      const left = countedRuns.size === 0 ? 0 : (countedRuns.get(sql) ?? 0);
      if (left > 0) {
        countedRuns.set(sql, left - 1);
        return null;
      }
      const texts = reader.textsWithin(statement, parameters);
      if (texts === null) countedRuns.set(sql, COUNTED_RUNS);
      return texts;
    },
  };
}
