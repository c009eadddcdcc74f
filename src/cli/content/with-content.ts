import { requireLocales } from '../../access/locales/require-locales.js';
import { appContentStore, readContentStore } from '../../project/open-content-store.js';
import { openProjectDatabase } from '../../project/open-project-database.js';
import { remoteContentStore } from '../../project/open-remote-store.js';
import { mapUnreachableError } from '../../project/unreachable-error.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import type { Warn } from '../project/with-app.js';
import type { ContentProject } from './content-project.js';

const ALL_LOCALES = '*';

/**
 * Checks the locale that the command names. Reads of the API find nothing in one that does not exist.
 *
 * @throws `access/unknown-locale`
 */
export async function assertLocale({ locale }: ContentProject, store: ContentStore): Promise<void> {
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
 * Opens the content of a project for reading, without the project's own code.
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
    const opened = await openProjectDatabase(project);
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
 * Opens the content of a project to write it, or with `isDryRun` only to try whether it can be written: then
 * the project's own code does not run, since it may do more than write.
 */
export function openContent<T>(
  project: ContentProject,
  { warn, isDryRun }: { readonly warn: Warn; readonly isDryRun: boolean },
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  return isDryRun ? readContent(project, work) : writeContent(project, warn, work);
}
