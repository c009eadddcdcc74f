import type { MigrationSession } from '../migration-support.js';
import { SEARCH_PREFIX } from '../search-expressions.js';
import type { SearchedTable } from '../search-expressions.js';
import { quoteName } from '../sql-text.js';
import type { Folding } from './fold.js';
import { searchedTexts } from './searched-texts.js';

/**
 * How many texts PostgreSQL keeps of each to estimate how many a search finds. With its default of a hundred,
 * one that few in a thousand have counts as none or as one in a hundred, by chance.
 */
const TARGET = 400;

const SELECT_STATISTICS = `
  SELECT s.stxname::text AS "name" FROM pg_statistic_ext AS s
  WHERE s.stxnamespace = current_schema()::regnamespace AND starts_with(s.stxname::text, '${SEARCH_PREFIX}')`;

/** What the planner is to know of a text. It takes nothing from indexes of some of the rows. */
export interface TextStatistics {
  readonly name: string;
  /** In SQL. */
  readonly text: string;
}

export function statisticsOf(searched: SearchedTable, folding: Folding): readonly TextStatistics[] {
  return searchedTexts(searched, folding).map((text, position) => ({
    name: `${searched.name}_${folding}_${position}`,
    text,
  }));
}

export async function createStatistics(
  session: MigrationSession,
  table: string,
  { name, text }: TextStatistics,
): Promise<void> {
  await session.script(`CREATE STATISTICS IF NOT EXISTS ${quoteName(name)} ON (${text}) FROM ${table}`);
  await session.script(`ALTER STATISTICS ${quoteName(name)} SET STATISTICS ${TARGET}`);
}

/** Drops the statistics of other texts. Returns the names of those that are there. */
export async function dropOtherStatistics(
  session: MigrationSession,
  wanted: readonly TextStatistics[],
): Promise<ReadonlySet<string>> {
  const names = new Set(wanted.map(({ name }) => name));
  const known = new Set<string>();
  for (const row of await session.query(SELECT_STATISTICS)) {
    const name = String(row['name']);
    if (names.has(name)) known.add(name);
    else await session.script(`DROP STATISTICS IF EXISTS ${quoteName(name)}`);
  }
  return known;
}
