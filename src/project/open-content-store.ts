import { listLocales } from '../access/locales/find-locales.js';
import type { AccessContext } from '../access/access.js';
import { createDocumentStore } from '../transfer/store/document-store.js';
import type { ContentStore } from '../transfer/store/content-store.js';
import { createDocumentHistory } from '../documents/versions/document-history.js';
import { createLibraryMediaStore } from '../transfer/store/library-media-store.js';
import type { MediaStore } from '../transfer/store/media-store.js';
import { createDocumentService } from '../documents/create-document-service.js';
import { createMediaLibrary } from '../media/create-media-library.js';
import type { App } from './open-app.js';
import { loadLocales } from './load-locales.js';
import type { OpenProject } from './open-project-database.js';
import { publicPathOf } from './server-url.js';

/**
 * Returns the content of an open database, for reading: writes would go past the project's own code. Needs
 * neither Prisma Client nor the server, which take longer to load than all else.
 */
export async function readContentStore({ project, database, context }: OpenProject): Promise<ContentStore> {
  const locales = await loadLocales(context, project.config);
  const { model } = project;
  const objects = await database.readObjects();
  const documents = createDocumentService({ database, model, locales, objects });
  return createDocumentStore({
    model,
    database,
    documents,
    history: createDocumentHistory({ database, model, documents, locales }),
    locales: () => listLocales(context),
    defaultLocale: locales.defaultCode,
  });
}

/** Returns the content of an open app. Writes have the effects that those of clients have. */
export function appContentStore({ project, database, documents, access }: App): ContentStore {
  const { model } = project;
  const { locales } = access;
  const context: AccessContext = { database, model, salt: project.config.secrets.apiTokenSalt };
  return createDocumentStore({
    model,
    database,
    documents,
    history: createDocumentHistory({ database, model, documents, locales }),
    locales: () => listLocales(context),
    defaultLocale: access.locales.defaultCode,
  });
}

/** The content of a project with its media library. */
export interface MediaStores {
  readonly content: ContentStore;
  readonly media: MediaStore;
}

/** Returns the media library of an open app. Writes have the effects that those of clients have. */
export function appMediaStores(app: App): MediaStores {
  const content = appContentStore(app);
  const { sizeLimit } = app.project.config.upload;
  return { content, media: createLibraryMediaStore({ content, media: app.media, sizeLimit }) };
}

/** Returns the media library of an open database, for reading and for checking files. */
export async function readMediaStores(opened: OpenProject): Promise<MediaStores> {
  const { model, config } = opened.project;
  const content = await readContentStore(opened);
  const media = await createMediaLibrary({
    model,
    database: opened.database,
    config: config.upload,
    publicPath: publicPathOf(config.server),
    sweeps: false,
    onError: () => undefined,
  });
  return {
    content,
    media: createLibraryMediaStore({ content, media, sizeLimit: config.upload.sizeLimit }),
  };
}
