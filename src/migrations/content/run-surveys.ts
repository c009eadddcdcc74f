import type { MigrationSession } from '../../dialects/migration-support.js';
import type { ContentChange, Survey } from './content-plan.js';

/** Counts what a plan does to the stored values of one database. */
export async function runSurveys(
  session: MigrationSession,
  surveys: readonly Survey[],
): Promise<readonly ContentChange[]> {
  const changes: ContentChange[] = [];
  for (const survey of surveys) changes.push(...(await survey(session)));
  return changes;
}
