import * as Args from '@oclif/core/args';
import { changeUser } from '../../access/people/change-user.js';
import type { PeopleContext } from '../../access/people/people.js';
import { userSelection } from '../../access/people/user-record.js';
import { compileUserReader } from '../../access/user-reader.js';
import type { UserReader, UserState } from '../../access/user-reader.js';
import type { Project } from '../../app/open-project.js';
import { fail } from '../../errors/catalogue.js';
import type { Outcome } from './outcome.js';
import { withAccess } from './with-access.js';
import { withApp } from './with-app.js';
import type { Warn } from './with-app.js';

/** What users are made and changed with. */
export type UserKeeper = Pick<PeopleContext, 'database' | 'model' | 'documents' | 'users'>;

/** What the commands about one user take. */
export const userArguments = { user: Args.string({ required: true, description: 'Name or e-mail address.' }) };
export const userCompletion = { user: 'user' } as const;

/** Does one piece of work on users as the server would, through the project's own hooks. */
export async function withUsers<T>(project: Project, warn: Warn, work: (keeper: UserKeeper) => Promise<T>): Promise<T> {
  const { model } = project;
  return withApp(project, warn, ({ database, documents }) => work({ database, model, documents, users: compileUserReader(database, model) }));
}

const requireUser = async (users: UserReader, identifier: string): Promise<UserState> => {
  const user = await users.byIdentifier(identifier);
  if (user === null) throw fail('access/unknown-user', { user: identifier });
  return user;
};

/** What a command is about to do to one user. */
export interface UserChange {
  /** Name or e-mail address. */
  readonly identifier: string;
  /** The user is only looked up. */
  readonly isDryRun: boolean;
  readonly warn: Warn;
  readonly json: (user: UserState) => object;
  /** `Would block ann.` and `Blocked ann.`, but for the name. */
  readonly would: string;
  readonly done: string;
  readonly change: (keeper: UserKeeper, user: UserState) => Promise<unknown>;
}

/** Finds a user and changes them. Throws `access/unknown-user`, and what the change throws. */
export async function changeNamedUser(project: Project, { identifier, isDryRun, warn, json, would, done, change }: UserChange): Promise<Outcome> {
  if (isDryRun) {
    const user = await withAccess(project, ({ database, model }) => requireUser(compileUserReader(database, model), identifier));
    return { json: { ...json(user), dryRun: true }, text: `${would} ${user.username}.` };
  }
  return withUsers(project, warn, async (keeper) => {
    const user = await requireUser(keeper.users, identifier);
    await change(keeper, user);
    return { json: json(user), text: `${done} ${user.username}.` };
  });
}

/** Blocks a user, or lets them in again. */
export function setBlocked(project: Project, isBlocked: boolean, place: Pick<UserChange, 'identifier' | 'isDryRun' | 'warn'>): Promise<Outcome> {
  return changeNamedUser(project, {
    ...place,
    json: ({ username, documentId }) => ({ username, documentId, blocked: isBlocked }),
    would: isBlocked ? 'Would block' : 'Would unblock',
    done: isBlocked ? 'Blocked' : 'Unblocked',
    change: (keeper, { documentId }) => changeUser(keeper, documentId, { blocked: isBlocked }, { selection: userSelection(project.model) }),
  });
}
