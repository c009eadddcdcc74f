import type { MigrationSession } from '../../dialects/migration-support.js';
import { defined } from '../../lib/defined.js';
import { joinClauses } from '../migration-dialect.js';
import type { ContentChange } from './content-plan.js';

/** How many values a query found, with some of them as JSON. */
export type Finding = Pick<ContentChange, 'values' | 'samples'>;

/** What is told of the values that were found. */
export type Told = Pick<ContentChange, 'kind' | 'type' | 'path' | 'reason' | 'remedy'>;

export const NOTHING_FOUND: Finding = Object.freeze({ values: 0, samples: [] });

export const MAX_SAMPLES = 3;

/**
 * Counts the rows of a query with the columns `version_id` and `sample`; a pair counts once.
 *
 * @param withClause the clause that defines the tables of the query, or empty text
 */
export async function findIn(session: MigrationSession, query: string, withClause = ''): Promise<Finding> {
  const pairs = `(SELECT DISTINCT "version_id", "sample" FROM (${query}) AS q) AS r`;
  const [row] = await session.query(joinClauses(withClause, `SELECT count(*) AS "count" FROM ${pairs}`));
  const values = Number(defined(row?.['count'], 'The number of values'));
  if (values === 0) return NOTHING_FOUND;
  const rows = await session.query(
    joinClauses(withClause, `SELECT DISTINCT "sample" FROM ${pairs} ORDER BY "sample" LIMIT ${MAX_SAMPLES}`),
  );
  return { values, samples: rows.map(({ sample }) => JSON.stringify(sample)) };
}

/** Returns the change, or none where nothing was found. */
export function toChanges(told: Told, { values, samples }: Finding): readonly ContentChange[] {
  return values === 0 ? [] : [{ ...told, values, samples }];
}
