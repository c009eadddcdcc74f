import type { AccessContext } from '../../access/access.js';
import { openProjectDatabase } from '../../project/open-project-database.js';
import type { Project } from '../../project/open-project.js';
import { mapUnreachableError } from '../../project/unreachable-error.js';

/**
 * Opens the project's database for work on tokens, roles, permissions or locales, and closes it afterwards.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function withAccess<T>(
  project: Project,
  work: (access: AccessContext) => Promise<T>,
): Promise<T> {
  return mapUnreachableError(project, async () => {
    const { context, close } = await openProjectDatabase(project);
    try {
      return await work(context);
    } finally {
      await close();
    }
  });
}
