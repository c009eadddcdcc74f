import { USER_UID } from '../../content-types/builtin/registry.js';
import { invalidValues } from '../../validation/faults.js';
import { fail } from '../../errors/catalogue.js';
import type { UserState } from '../user-reader.js';
import { endCodesOf } from './codes.js';
import type { PeopleContext, SignedIn } from './people.js';
import { endSessionsOf, signIn } from './sessions.js';
import { writeUser } from './user-record.js';

/** Throws `request/invalid-values` where a password may not be chosen: too short, too long, or whatever the project asks of it. */
export function assertPassword({ model }: Pick<PeopleContext, 'model'>, password: string): void {
  const attribute = model.typesByUid[USER_UID]?.attributes['password'];
  if (attribute?.family !== 'scalar') throw new TypeError(`${USER_UID}.password is not a scalar.`);
  const parsed = attribute.field.parse(password, attribute.constraints, 'full');
  if (!parsed.ok) throw invalidValues(parsed.faults.map(({ message }) => ({ path: ['password'], message, name: 'ValidationError' })));
}

/** Gives a user a new password, ends everything that was signed in with the old one and all codes for another, and signs in anew. */
export async function changePasswordOf(context: PeopleContext, user: UserState, password: string): Promise<SignedIn> {
  await writeUser(context, user.documentId, { password });
  await endSessionsOf(context, user.documentId);
  await endCodesOf(context, user.documentId, 'reset-password');
  const changed = await context.users.byDocumentId(user.documentId);
  if (changed === null) throw fail('request/unauthorized');
  return signIn(context, changed);
}
