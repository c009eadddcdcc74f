import type { Database } from '../database/database.js';
import { defined } from '../lib/defined.js';
import type { ContentModel, Uid } from '../model/model.js';

/**
 * After how many new documents the planner first looks at a type. Until then it takes each table for one row:
 * with 200 in each of four, a filter by a relation three links away took nine seconds.
 */
const FIRST = 50;

/** How many times as many there are the next time. */
const GROWTH = 4;

/**
 * Returns what is told how many documents of a type were just created. While tables are filled faster than
 * the database looks at them by itself, plans from when they were empty read them whole.
 */
export function createStatisticsRefresh(
  database: Database,
  model: ContentModel,
): (type: Uid, created: number) => Promise<void> {
  const { analyzeSql } = database.dialect.driver;
  const growth = new Map<Uid, { created: number; next: number }>();
  const tablesOf = (type: Uid): readonly string[] => {
    const { storage, attributes } = defined(model.typesByUid[type], `the type ${type}`);
    const links = Object.values(attributes).flatMap((attribute) =>
      'link' in attribute && attribute.link?.kind === 'table' ? [attribute.link.table] : [],
    );
    return [storage.document.table, storage.version.table, ...new Set(links)];
  };
  return async (type, created) => {
    if (analyzeSql === null) return;
    const { created: before, next } = growth.get(type) ?? { created: 0, next: FIRST };
    const now = before + created;
    growth.set(type, { created: now, next: now < next ? next : now * GROWTH });
    if (now >= next) await database.transact((tx) => tx.execute(analyzeSql(tablesOf(type)), []));
  };
}
