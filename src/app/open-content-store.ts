import { listLocales } from '../access/locales/find-locales.js';
import type { AccessContext } from '../access/access.js';
import { createDocumentStore } from '../content-store/document-store.js';
import type { ContentStore } from '../content-store/content-store.js';
import { createDocumentService } from '../documents/create-document-service.js';
import type { App } from './open-app.js';
import { loadLocales } from './load-locales.js';
import type { OpenProject } from './open-project-database.js';

/**
 * Returns the content of an open database, for reading: writes would go past the project's own code. Takes a
 * third of the time that the app takes to open.
 */
export async function readContentStore({ project, database, context }: OpenProject): Promise<ContentStore> {
  const locales = await loadLocales(context, project.config);
  return createDocumentStore({
    model: project.model,
    database,
    documents: createDocumentService({ database, model: project.model, locales }),
    locales: () => listLocales(context),
    defaultLocale: locales.defaultCode,
  });
}

/** Returns the content of an open app. Writes have the effects that those of clients have. */
export function appContentStore({ project, database, documents, access }: App): ContentStore {
  const context: AccessContext = {
    database,
    model: project.model,
    salt: project.config.secrets.apiTokenSalt,
  };
  return createDocumentStore({
    model: project.model,
    database,
    documents,
    locales: () => listLocales(context),
    defaultLocale: access.locales.defaultCode,
  });
}
