import type { Access, AccessContext } from '../../access/access.js';
import { listLocales } from '../../access/locales.js';
import type { Database } from '../../database/database.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import type { DocumentService } from '../../documents/documents.js';
import { createDocumentHistory } from '../../documents/versions/document-history.js';
import { createMediaLibrary } from '../../media/create-media-library.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import { aboutRemote } from '../../transfer/remote/about-remote.js';
import { createRemoteMediaStore } from '../../transfer/remote/remote-media-store.js';
import { createRemoteStore } from '../../transfer/remote/remote-store.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';
import { createDocumentStore } from '../../transfer/store/content-store.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { createLibraryMediaStore } from '../../transfer/store/media-store.js';
import type { MediaStore } from '../../transfer/store/media-store.js';
import { loadLocales } from './open-database.js';
import type { OpenProject } from './open-database.js';
import { publicPathOf } from './open-project.js';
import type { Project } from './open-project.js';

/**
 * Returns the content of an open database, for reading only, since writes would bypass project code. Does not
 * load Prisma Client and the server, which would take longer than all other code.
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

/** The services of an open app that hold the content. */
interface ServedContent {
  readonly project: Project;
  readonly database: Database;
  readonly access: Pick<Access, 'locales'>;
  readonly documents: DocumentService;
}

/** Returns the content of an open app. Writes have the same effects as requests of clients. */
export function appContentStore({ project, database, documents, access }: ServedContent): ContentStore {
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

/** Returns the media library of an open app. Writes have the same effects as requests of clients. */
export function appMediaStores(app: ServedContent & { readonly media: MediaLibrary }): MediaStores {
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

/**
 * Returns the content of a remote server. Calls `warn` if the server's schemas differ.
 *
 * @throws the errors of `aboutRemote`
 */
export async function remoteContentStore(
  model: ContentModel,
  access: RemoteAccess,
  warn: (message: string) => void,
): Promise<ContentStore> {
  return createRemoteStore({ model, access, about: await aboutRemote(access), warn });
}

/**
 * Returns the content of a remote server with its media library.
 *
 * @throws the errors of `aboutRemote`
 */
export async function remoteMediaStores(
  model: ContentModel,
  access: RemoteAccess,
  warn: (message: string) => void,
): Promise<MediaStores> {
  const content = await remoteContentStore(model, access, warn);
  return { content, media: createRemoteMediaStore(access, content) };
}
