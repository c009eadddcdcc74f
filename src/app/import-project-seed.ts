import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listLocales } from '../access/operations/list-locales.js';
import { createDocumentService } from '../documents/create-document-service.js';
import type { LocaleBook } from '../documents/documents.js';
import type { Project } from './open-project.js';
import { openProjectDatabase } from './open-project-database.js';
import type { OpenProject } from './open-project-database.js';
import { importSeed } from './seed.js';

const importInto = async ({ project, database, context }: OpenProject): Promise<number> => {
  const { root, config, model } = project;
  const known = await listLocales(context);
  const locales: LocaleBook = {
    defaultCode: () => known.find(({ isDefault }) => isDefault)?.code ?? config.i18n.defaultLocale,
    has: (code) => known.some((locale) => locale.code === code),
  };
  return importSeed({ root, model, database, documents: createDocumentService({ database, model, locales }) });
};

/** Imports the project's seed folder where it has one and this database has not had it yet. Answers how many documents that were. */
export async function importProjectSeed(project: Project): Promise<number> {
  if (!existsSync(join(project.root, 'seed'))) return 0;
  const open = await openProjectDatabase(project);
  try {
    return await importInto(open);
  } finally {
    await open.close();
  }
}
