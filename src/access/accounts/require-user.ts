import { createError } from '../../errors/catalogue.js';
import { parseRecordId } from '../../lib/record-id.js';
import type { Caller } from '../access.js';
import type { UserReader, UserState } from './user-reader.js';

/** Returns the user with the numeric id a client names. Throws `request/not-found`. */
export async function requireUserById(users: UserReader, id: unknown): Promise<UserState> {
  const recordId = parseRecordId(id);
  const user = recordId === null ? null : await users.byId(recordId);
  if (user === null) throw createError('request/not-found');
  return user;
}

/** Returns the caller if it is a user; an API token is none. Throws `request/unauthorized`. */
export function requireUserCaller(caller: Caller): Caller & { readonly kind: 'user' } {
  if (caller.kind !== 'user') throw createError('request/unauthorized');
  return caller;
}
