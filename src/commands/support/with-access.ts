import type { AccessContext } from '../../access/access.js';
import { reaching } from '../../app/as-unreachable.js';
import { openProjectDatabase } from '../../app/open-project-database.js';
import type { Project } from '../../app/open-project.js';

/**
 * Opens the project's database for one piece of work on tokens, roles, permissions or languages, and closes it whatever happens.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and what the work throws
 */
export async function withAccess<T>(project: Project, work: (access: AccessContext) => Promise<T>): Promise<T> {
  return reaching(project, async () => {
    const { context, close } = await openProjectDatabase(project);
    try {
      return await work(context);
    } finally {
      await close();
    }
  });
}
