import { appMediaStores, readMediaStores } from '../../project/open-content-store.js';
import type { MediaStores } from '../../project/open-content-store.js';
import { openProjectDatabase } from '../../project/open-project-database.js';
import { remoteMediaStores } from '../../project/open-remote-store.js';
import { mapUnreachableError } from '../../project/unreachable-error.js';
import type { ContentProject } from '../content/content-project.js';
import { assertLocale } from '../content/with-content.js';
import type { Warn } from '../project/with-app.js';

const remoteStores = ({ model, remote }: ContentProject): Promise<MediaStores> | null =>
  remote === undefined ? null : remoteMediaStores(model, remote.access, remote.warn);

const workWith = async <T>(
  project: ContentProject,
  stores: MediaStores,
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> => {
  await assertLocale(project, stores.content);
  return work(stores);
};

/**
 * Opens the media library of a project for reading and for checking files, without the project's own code.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function readMedia<T>(
  project: ContentProject,
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> {
  const elsewhere = await remoteStores(project);
  if (elsewhere !== null) return workWith(project, elsewhere, work);
  return mapUnreachableError(project, async () => {
    const opened = await openProjectDatabase(project);
    try {
      return await workWith(project, await readMediaStores(opened), work);
    } finally {
      await opened.close();
    }
  });
}

/**
 * Opens the media library of a project to change it, with the project's hooks, or with `isDryRun` only to
 * find out what would change.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, `database/unreachable`, and the errors
 *   of the work
 */
export async function openMedia<T>(
  project: ContentProject,
  { warn, isDryRun }: { readonly warn: Warn; readonly isDryRun: boolean },
  work: (stores: MediaStores) => Promise<T>,
): Promise<T> {
  const elsewhere = await remoteStores(project);
  if (elsewhere !== null) return workWith(project, elsewhere, work);
  if (isDryRun) return readMedia(project, work);
  const { withApp } = await import('../project/with-app.js');
  return withApp(project, { warn }, (app) => workWith(project, appMediaStores(app), work));
}
