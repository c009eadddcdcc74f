import * as Args from '@oclif/core/args';
import type { AccessContext } from '../../access/access.js';
import { changeUser } from '../../access/accounts/users.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import { userSelection } from '../../access/accounts/account-context.js';
import { compileUserReader } from '../../access/accounts/user-reader.js';
import type { UserReader, UserState } from '../../access/accounts/user-reader.js';
import type { Project } from '../../project/open/open-project.js';
import { createError } from '../../errors/catalogue.js';
import type { Outcome } from '../outcome.js';
import { withAccess } from '../../project/open/open-database.js';
import { withApp } from '../project/with-app.js';
import type { Warn } from '../project/with-app.js';

/** The services that create and change users. */
export type UserContext = Pick<AccountContext, 'database' | 'model' | 'documents' | 'users'>;

/** The arguments of the commands about one user. */
export const userArguments = {
  user: Args.string({ required: true, description: 'Name or e-mail address of the user.' }),
};
export const userCompletion = { user: 'user' } as const;

/** Changes users as the server would, with the project's hooks. */
export async function withUsers<T>(
  project: Project,
  warn: Warn,
  work: (context: UserContext) => Promise<T>,
): Promise<T> {
  const { model } = project;
  return withApp(project, { warn }, ({ database, documents }) =>
    work({ database, model, documents, users: compileUserReader(database, model) }),
  );
}

const requireUser = async (users: UserReader, identifier: string): Promise<UserState> => {
  const user = await users.byIdentifier(identifier);
  if (user === null) throw createError('access/unknown-user', { user: identifier });
  return user;
};

/** Returns the user with that name or e-mail address. Throws `access/unknown-user`. */
export function findUser({ database, model }: AccessContext, identifier: string): Promise<UserState> {
  return requireUser(compileUserReader(database, model), identifier);
}

/** `blocked`, `active` or `unconfirmed`. */
export function printUserState({ blocked, confirmed }: Pick<UserState, 'blocked' | 'confirmed'>): string {
  if (blocked) return 'blocked';
  return confirmed ? 'active' : 'unconfirmed';
}

/** A change of one user. */
export interface UserChange {
  /** Name or e-mail address. */
  readonly identifier: string;
  /** Looks the user up and changes nothing. */
  readonly isDryRun: boolean;
  readonly warn: Warn;
  readonly json: (user: UserState) => object;
  /** The message without the user's name: `Would block`, and `Blocked` below. */
  readonly dryRunPrefix: string;
  readonly successPrefix: string;
  readonly apply: (context: UserContext, user: UserState) => Promise<unknown>;
}

/**
 * Finds a user and changes them.
 *
 * @throws `access/unknown-user`, and the errors of the change
 */
export async function changeUserByIdentifier(
  project: Project,
  { identifier, isDryRun, warn, json, dryRunPrefix, successPrefix, apply }: UserChange,
): Promise<Outcome> {
  if (isDryRun) {
    const user = await withAccess(project, (access) => findUser(access, identifier));
    return { json: { ...json(user), dryRun: true }, text: `${dryRunPrefix} ${user.username}.` };
  }
  return withUsers(project, warn, async (context) => {
    const user = await requireUser(context.users, identifier);
    await apply(context, user);
    return { json: json(user), text: `${successPrefix} ${user.username}.` };
  });
}

/** Blocks or unblocks a user. */
export function setUserBlocked(
  project: Project,
  isBlocked: boolean,
  target: Pick<UserChange, 'identifier' | 'isDryRun' | 'warn'>,
): Promise<Outcome> {
  return changeUserByIdentifier(project, {
    ...target,
    json: ({ username, documentId }) => ({ username, documentId, blocked: isBlocked }),
    dryRunPrefix: isBlocked ? 'Would block' : 'Would unblock',
    successPrefix: isBlocked ? 'Blocked' : 'Unblocked',
    apply: (context, { documentId }) =>
      changeUser(context, documentId, { blocked: isBlocked }, { selection: userSelection(project.model) }),
  });
}
