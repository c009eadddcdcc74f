import type { Database } from '../../database/database.js';
import type { Trial } from '../../database/dialect/trial.js';
import type { ReadUsage, ReadUsages } from '../../documents/read/read-usages.js';
import { isRecord } from '../../lib/is-record.js';
import type { ReadShape } from '../../query/read-shape.js';

const KEY = 'read-shapes';
const READ_SQL = `SELECT value FROM cms_state WHERE key = '${KEY}'`;
const MAX_SHAPES = 500;
const STORE_INTERVAL_MS = 60_000;

const isUsage = (value: unknown): value is ReadUsage =>
  isRecord(value) &&
  isRecord(value['shape']) &&
  typeof value['shape']['type'] === 'string' &&
  ['calls', 'ms', 'maxMs'].every((key) => typeof value[key] === 'number');

const parseUsages = (text: unknown): readonly ReadUsage[] => {
  const value: unknown = JSON.parse(typeof text === 'string' ? text : '[]');
  return Array.isArray(value) ? value.filter(isUsage) : [];
};

const add = (left: ReadUsage, right: ReadUsage): ReadUsage => ({
  shape: left.shape,
  calls: left.calls + right.calls,
  ms: left.ms + right.ms,
  maxMs: Math.max(left.maxMs, right.maxMs),
});

const keyOf = (shape: ReadShape): string => JSON.stringify(shape);

/** Adds counts to counts. Of more than 500 shapes, those that took the least time are dropped. */
export function addUsages(stored: readonly ReadUsage[], counted: readonly ReadUsage[]): readonly ReadUsage[] {
  const byShape = new Map(stored.map((usage) => [keyOf(usage.shape), usage]));
  for (const usage of counted) {
    const known = byShape.get(keyOf(usage.shape));
    byShape.set(keyOf(usage.shape), known === undefined ? usage : add(known, usage));
  }
  return [...byShape.values()].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SHAPES);
}

/** Returns what all servers have counted, the shapes that took the most time first. */
export async function readUsages(trial: Pick<Trial, 'values'>): Promise<readonly ReadUsage[]> {
  const [text] = await trial.values(READ_SQL, []);
  return parseUsages(text);
}

/** Adds what one server has counted to what all have. */
const storeUsages = async (database: Database, counted: readonly ReadUsage[]): Promise<void> => {
  if (counted.length === 0) return;
  await database.transact(async (tx) => {
    await tx.lock(KEY);
    const [row] = await tx.query(READ_SQL, []);
    const value = JSON.stringify(addUsages(parseUsages(row?.['value']), counted));
    await tx
      .model('SystemState')
      .upsert({ where: { key: KEY }, create: { key: KEY, value }, update: { value } });
  });
};

/** Stores the counts of a server once a minute. Returns a function that stores the rest. */
export function storeRegularly(
  database: Database,
  usages: ReadUsages,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let storing: Promise<void> = Promise.resolve();
  const store = (): Promise<void> => {
    storing = storing.then(() => storeUsages(database, usages.take())).catch(onError);
    return storing;
  };
  const timer = setInterval(() => void store(), STORE_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    return store();
  };
}
