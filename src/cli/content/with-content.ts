import { appContentStore, readContentStore } from '../../app/open-content-store.js';
import { openProjectDatabase } from '../../app/open-project-database.js';
import type { Project } from '../../app/open-project.js';
import { mapUnreachableError } from '../../app/unreachable-error.js';
import type { ContentStore } from '../../content-store/content-store.js';
import { withApp } from '../project/with-app.js';
import type { Warn } from '../project/with-app.js';

/**
 * Opens the content of a project for reading, without the project's own code.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export function readContent<T>(project: Project, work: (store: ContentStore) => Promise<T>): Promise<T> {
  return mapUnreachableError(project, async () => {
    const opened = await openProjectDatabase(project);
    try {
      return await work(await readContentStore(opened));
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
export function writeContent<T>(
  project: Project,
  warn: Warn,
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  return withApp(project, warn, (app) => work(appContentStore(app)));
}

/**
 * Opens the content of a project to write it, or with `isDryRun` only to try whether it can be written: then
 * the project's own code does not run, since it may do more than write.
 */
export function openContent<T>(
  project: Project,
  { warn, isDryRun }: { readonly warn: Warn; readonly isDryRun: boolean },
  work: (store: ContentStore) => Promise<T>,
): Promise<T> {
  return isDryRun ? readContent(project, work) : writeContent(project, warn, work);
}
