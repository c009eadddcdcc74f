import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './open-project.js';
import { openProjectDatabase } from './open-project-database.js';

/**
 * Imports the project's seed folder, unless the folder is missing or this database has it already. Returns
 * the number of imported documents.
 */
export async function importProjectSeed(project: Project): Promise<number> {
  if (!existsSync(join(project.root, 'seed'))) return 0;
  const { importSeed } = await import('./import-seed.js');
  const opened = await openProjectDatabase(project);
  try {
    return await importSeed(opened);
  } finally {
    await opened.close();
  }
}
