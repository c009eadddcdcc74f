import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { tablesOf, typeOf } from '../model/lookup.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { DocumentHooks } from './hooks.js';

/**
 * After how many new documents the planner first looks at a type. Until then PostgreSQL takes each table for
 * one row: with 200 in each of four, a filter by a relation three links away took nine seconds.
 */
const FIRST = 50;

/** Factor of growth after which the planner looks at a type again. */
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
 * Has the planner look at types while they are filled. SQLite never does so by itself, and PostgreSQL not as
 * fast: plans from when tables were empty read them whole. Nobody waits for that.
 *
 * @returns what waits for the last look
 */
export function refreshStatistics({
  database,
  model,
  hooks,
  onError,
}: StatisticsOptions): () => Promise<void> {
  const growthOf = new Map<Uid, Growth>();
  let last: Promise<unknown> = Promise.resolve();
  const look = async (type: Uid, growth: Growth): Promise<void> => {
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
    last = last.then(() => look(type, growth)).catch(onError);
  });
  return async () => void (await last);
}
