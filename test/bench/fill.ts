import { openProject } from '../../src/project/open/open-project.js';
import { fillPostgres } from './fill-postgres.js';
import { fillSqlite } from './fill-sqlite.js';

/** Fills the migrated database of the project in `folder`, which has no documents yet. */
export async function fill(folder: string, size: number): Promise<void> {
  const project = await openProject(folder);
  await (project.dialect.name === 'sqlite' ? fillSqlite : fillPostgres)(project, size);
}
