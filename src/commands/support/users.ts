import type { AccessContext } from '../../access/access.js';
import type { UserState } from '../../access/user-reader.js';
import { openUserKeeper } from '../../app/user-keeper.js';
import type { UserKeeper } from '../../app/user-keeper.js';
import type { Project } from '../../app/open-project.js';
import { fail } from '../../errors/catalogue.js';
import { withAccess } from './with-access.js';

/** Opens the project's database for one piece of work on users. */
export async function withUsers<T>(project: Project, work: (keeper: UserKeeper, access: AccessContext) => Promise<T>): Promise<T> {
  return withAccess(project, async (access) => work(await openUserKeeper(access), access));
}

/** The user of that name or e-mail address. Throws `access/unknown-user`. */
export async function requireUser({ users }: UserKeeper, identifier: string): Promise<UserState> {
  const user = await users.byIdentifier(identifier);
  if (user === null) throw fail('access/unknown-user', { user: identifier });
  return user;
}
