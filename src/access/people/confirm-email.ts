import { fail } from '../../errors/catalogue.js';
import { redeemCode } from './codes.js';
import type { PeopleContext } from './people.js';
import { readUserRecord, writeUser } from './user-record.js';

/**
 * Takes an address for confirmed whose owner knows the code that was sent there. Answers the user's record.
 *
 * @throws `auth/invalid-confirmation`
 */
export async function confirmEmail(context: PeopleContext, code: unknown): Promise<string> {
  const owner = typeof code === 'string' && code !== '' ? await redeemCode(context.database, 'email-confirmation', code, context.now()) : null;
  if (owner === null) throw fail('auth/invalid-confirmation');
  await writeUser(context, owner, { confirmed: true });
  return readUserRecord(context, owner);
}
