/**
 * The folder content supports the commands of documents and media. This file opens the content of the project
 * or of a remote server.
 */
import { requireLocales } from '../../access/access.js';
import {
  appContentStore,
  appMediaStores,
  readContentStore,
  readMediaStores,
  remoteContentStore,
  remoteMediaStores,
} from '../../project/open/content-stores.js';
import type { MediaStores } from '../../project/open/content-stores.js';
import { mapUnreachableError, openProjectDatabase } from '../../project/open/open-database.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import type { ContentProject } from '../project/command-target.js';
import type { Warn } from '../project/with-app.js';

const ALL_LOCALES = '*';

/**
 * Checks the locale of the command, since reads in an unknown locale return nothing.
 *
 * @throws `access/unknown-locale`
 */
async function assertLocale({ locale }: ContentProject, store: ContentStore): Promise<void> {
  if (locale === undefined || locale === ALL_LOCALES) return;
  const codes = (await store.locales()).map(({ code }) => code);
  requireLocales([locale], codes);
}

const workWith = async <T>(
  project: ContentProject,
  store: ContentStore,
  work: (store: ContentStore) => Promise<T>,
): Promise<T> => {
  await assertLocale(project, store);
  return work(store);
};

const withRemote = async <T>(
  project: ContentProject,
  { access, warn }: NonNullable<ContentProject['remote']>,
  work: (store: ContentStore) => Promise<T>,
): Promise<T> => workWith(project, await remoteContentStore(project.model, access, warn), work);

/**
 * Opens the content of a project for reading, without loading project code.
 *
 * @throws `access/unknown-locale`, `project/pending-migrations`, `database/unreachable`, and the errors of
 *   the work
 */
export async function readContent<T>(
  project: ContentProject,
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  if (project.remote !== undefined) return withRemote(project, project.remote, work);
  return mapUnreachableError(project, async () => {
    const opened = await openProjectDatabase(project, { isOnlyReader: true });
    try {
      return await workWith(project, await readContentStore(opened), work);
    } finally {
      await opened.close();
    }
  });
}

/**
 * Opens the content of a project for writing, with the project's hooks.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function writeContent<T>(
  project: ContentProject,
  warn: Warn,
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  if (project.remote !== undefined) return withRemote(project, project.remote, work);
  const { withApp } = await import('../project/with-app.js');
  return withApp(project, { warn }, (app) => workWith(project, appContentStore(app), work));
}

/**
 * Opens the content of a project for writing. With `isDryRun`, writes are only validated, and project code
 * does not run, since it may have other effects.
 */
export function openContent<T>(
  project: ContentProject,
  { warn, isDryRun }: { readonly warn: Warn; readonly isDryRun: boolean },
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  return isDryRun ? readContent(project, work) : writeContent(project, warn, work);
}

const remoteStores = ({ model, remote }: ContentProject): Promise<MediaStores> | null =>
  remote === undefined ? null : remoteMediaStores(model, remote.access, remote.warn);

const workWithFiles = async <T>(
  project: ContentProject,
  stores: MediaStores,
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> => {
  await assertLocale(project, stores.content);
  return work(stores);
};

/**
 * Opens the media library of a project for reading and for checking files, without loading project code.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function readMedia<T>(
  project: ContentProject,
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> {
  const remote = await remoteStores(project);
  if (remote !== null) return workWithFiles(project, remote, work);
  return mapUnreachableError(project, async () => {
    const opened = await openProjectDatabase(project, { isOnlyReader: true });
    try {
      return await workWithFiles(project, await readMediaStores(opened), work);
    } finally {
      await opened.close();
    }
  });
}

/**
 * Opens the media library of a project for writing, with the project's hooks. With `isDryRun`, only
 * determines the changes.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function openMedia<T>(
  project: ContentProject,
  { warn, isDryRun }: { readonly warn: Warn; readonly isDryRun: boolean },
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> {
  const remote = await remoteStores(project);
  if (remote !== null) return workWithFiles(project, remote, work);
  if (isDryRun) return readMedia(project, work);
  const { withApp } = await import('../project/with-app.js');
  return withApp(project, { warn }, (app) => workWithFiles(project, appMediaStores(app), work));
}
