import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import type { BoundValue } from '../../sql-expressions.js';

const MAX_READS = 500;

interface Refusal {
  readonly error: GalleyError;
  /** Of the database, before it was read. */
  readonly version: number;
}

/**
 * Remembers reads that found too many records, which is known only after reading as many. Until something is
 * written they are refused without reading anything.
 */
export interface RefusedReads {
  /** Runs a read. Throws what it threw before, if it found too many records and nothing has been written. */
  readonly run: <T>(sql: string, parameters: readonly BoundValue[], read: () => Promise<T>) => Promise<T>;
}

/** A digest, since parameters may be long. */
const keyOf = (sql: string, parameters: readonly BoundValue[]): string => {
  const hash = createHash('sha1').update(sql);
  for (const value of parameters) hash.update(`\u0000${typeof value} ${String(value)}`);
  return hash.digest('base64');
};

/** `dataVersion` returns a number that changes with every write. */
export function createRefusedReads(dataVersion: () => number): RefusedReads {
  const refusals = new LRUCache<string, Refusal>({ max: MAX_READS });
  return {
    run: async (sql, parameters, read) => {
      const key = keyOf(sql, parameters);
      const version = dataVersion();
      const refusal = refusals.get(key);
      if (refusal?.version === version) throw refusal.error;
      try {
        return await read();
      } catch (error) {
        if (isGalleyError(error) && error.code === 'request/too-many-records')
          refusals.set(key, { error, version });
        throw error;
      }
    },
  };
}
