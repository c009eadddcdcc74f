import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { PeopleContext, UserAnswer } from './people.js';

const IDENTIFIERS: ReadonlySet<string> = new Set(['username', 'email']);

/** The document service's word for a name or address that somebody else has. */
const isTakenFault = (error: unknown): boolean => {
  if (!isGalleyError(error) || error.code !== 'request/invalid-values') return false;
  const faults = error.details.errors ?? [];
  return faults.length > 0 && faults.every(({ path: [name = ''], message }) => IDENTIFIERS.has(name) && message.startsWith('must be unique'));
};

/** Whether a name or address is somebody's name or address already; a name that is another's address would sign in as either. */
export async function assertFree({ users }: Pick<PeopleContext, 'users'>, identifiers: readonly unknown[], exceptId: number | null = null): Promise<void> {
  for (const identifier of identifiers) {
    const owner = typeof identifier === 'string' && identifier !== '' ? await users.byIdentifier(identifier) : null;
    if (owner !== null && owner.id !== exceptId) throw fail('auth/taken');
  }
}

/** Runs a write of a user and says what the recordings say where the name or address is taken. */
export async function writingUser<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isTakenFault(error) ? fail('auth/taken', {}, { cause: error }) : error;
  }
}

/** Addresses are kept in lower case, so that one person can't have two accounts by spelling. */
export function normaliseUser(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const email = data['email'];
  return typeof email === 'string' ? { ...data, email: email.toLowerCase() } : data;
}

/**
 * Makes a user.
 *
 * @throws `auth/taken`, `request/invalid-values`, `request/invalid-key`
 */
export async function createUser({ users, documents }: Pick<PeopleContext, 'users' | 'documents'>, values: Readonly<Record<string, unknown>>, answer: UserAnswer): Promise<{ readonly documentId: string; readonly record: string }> {
  const data = normaliseUser(values);
  await assertFree({ users }, [data['username'], data['email']]);
  return writingUser(() => documents.create({ type: USER_UID, data, ...answer }));
}
