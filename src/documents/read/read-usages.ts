import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../lib/collections.js';
import type { ReadQuery } from '../../query/query.js';
import { readShapeOf } from '../../query/read-shape.js';
import type { ReadShape } from '../../query/read-shape.js';

/** Number and duration of reads of one shape. */
export interface ReadUsage {
  readonly shape: ReadShape;
  readonly calls: number;
  /** Total milliseconds of all calls. */
  readonly ms: number;
  readonly maxMs: number;
}

type MutableUsage = { -readonly [Key in keyof ReadUsage]: ReadUsage[Key] };

/** A completed read. */
export interface RanRead {
  readonly query: ReadQuery;
  /** True if the matching documents were counted. */
  readonly isCount: boolean;
}

/** Counts reads by their shape. */
export interface ReadUsages {
  /** Adds one read. `statement` is the same object for all reads that share a compiled statement. */
  readonly record: (statement: object, ms: number, describe: () => RanRead) => void;
  /** Returns the counts since the last call, and resets them. The slowest shapes come first. */
  readonly take: () => readonly ReadUsage[];
}

const MAX_SHAPES = 500;
/** Threshold in milliseconds for checking the plan of a read. */
const SLOW_MS = 3;

export interface ReadUsagesOptions {
  readonly onSlow?: (read: RanRead, ms: number) => void;
}

/** Creates the counters of one server. They keep the last 500 shapes between two calls of `take`. */
export function createReadUsages({ onSlow }: ReadUsagesOptions = {}): ReadUsages {
  const usages = new LRUCache<string, MutableUsage>({ max: MAX_SHAPES });
  let byStatement = new WeakMap<object, MutableUsage>();
  const usageOf = (statement: object, { query, isCount }: RanRead): MutableUsage => {
    const shape = readShapeOf(query, isCount);
    const usage = getOrCreate(usages, JSON.stringify(shape), () => ({ shape, calls: 0, ms: 0, maxMs: 0 }));
    byStatement.set(statement, usage);
    return usage;
  };
  return {
    record: (statement, ms, describe) => {
      const usage = byStatement.get(statement) ?? usageOf(statement, describe());
      usage.calls += 1;
      usage.ms += ms;
      if (ms > usage.maxMs) usage.maxMs = ms;
      if (ms > SLOW_MS) onSlow?.(describe(), ms);
    },
    take: () => {
      const taken = [...usages.values()].toSorted((a, b) => b.ms - a.ms);
      usages.clear();
      byStatement = new WeakMap();
      return taken;
    },
  };
}
