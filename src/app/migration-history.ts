import { migrateDown } from '../migrations/history/migrate-down.js';
import type { DownOptions, DownResult } from '../migrations/history/migrate-down.js';
import { migrationTarget } from './migrate-project.js';
import type { Project } from './open-project.js';
import { mapUnreachableError } from './unreachable-error.js';

/** Takes back migrations of the project's database. Changes no file. */
export async function downProject(
  project: Project,
  options: Pick<DownOptions, 'steps' | 'to' | 'acceptsDataLoss' | 'acceptsMisfits' | 'isDryRun'>,
): Promise<DownResult> {
  return mapUnreachableError(project, () => migrateDown({ ...migrationTarget(project), ...options }));
}
