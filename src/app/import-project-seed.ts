import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDocumentService } from '../documents/create-document-service.js';
import { loadLocales } from './load-locales.js';
import type { Project } from './open-project.js';
import { openProjectDatabase } from './open-project-database.js';
import type { OpenProject } from './open-project-database.js';
import { importSeed } from './import-seed.js';

const importWithDatabase = async ({ project, database, context }: OpenProject): Promise<number> => {
  const { root, config, model } = project;
  const locales = await loadLocales(context, config);
  return importSeed({
    root,
    model,
    database,
    documents: createDocumentService({ database, model, locales }),
  });
};

/**
 * Imports the project's seed folder, unless the folder is missing or this database has it already. Returns
 * the number of imported documents.
 */
export async function importProjectSeed(project: Project): Promise<number> {
  if (!existsSync(join(project.root, 'seed'))) return 0;
  const opened = await openProjectDatabase(project);
  try {
    return await importWithDatabase(opened);
  } finally {
    await opened.close();
  }
}
