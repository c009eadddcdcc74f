import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { tablesOf, typeOf } from '../model/lookup.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { DocumentHooks } from './hooks.js';

/**
 * Number of new documents after which a type is first analyzed. Until then, PostgreSQL assumes one row per
 * table. With 200 rows in each of four tables, a filter by a relation three links away took nine seconds.
 */
const FIRST = 50;

/** Factor of growth after which a type is analyzed again. */
const GROWTH = 4;

export interface StatisticsOptions {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'after'>;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

interface Growth {
  created: number;
  next: number;
}

/**
 * Analyzes the tables of types while they are filled. SQLite never does so by itself, and PostgreSQL only
 * later. Plans made for empty tables would read them as a whole. No write waits for the analysis.
 *
 * @returns a function that waits for the last analysis
 */
export function refreshStatistics({
  database,
  model,
  hooks,
  onError,
}: StatisticsOptions): () => Promise<void> {
  const growthOf = new Map<Uid, Growth>();
  let last: Promise<unknown> = Promise.resolve();
  const analyze = async (type: Uid, growth: Growth): Promise<void> => {
    // By then, all documents of a bulk are counted.
    await yieldToEventLoop();
    const { created } = growth;
    growth.next = created * GROWTH;
    const tables = tablesOf(typeOf(model, type));
    await database.transact((tx) => database.dialect.driver.analyzeTables(tx, tables, created));
  };
  hooks.after('create', ({ type }) => {
    const growth = growthOf.get(type) ?? { created: 0, next: FIRST };
    growthOf.set(type, growth);
    growth.created += 1;
    if (growth.created !== growth.next) return;
    last = last.then(() => analyze(type, growth)).catch(onError);
  });
  return async () => void (await last);
}
