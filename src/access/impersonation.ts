import { createError } from '../errors/catalogue.js';
import { NO_GRANTS } from './access.js';
import type { Access, AccessContext, Caller } from './access.js';
import type { UserReader } from './accounts/user-reader.js';
import { authorise } from './permissions/authorise.js';
import { findRole, roleTables } from './roles/role-tables.js';
import { callerOfUser } from './snapshot.js';
import type { AccessSnapshot } from './snapshot.js';
import { findToken } from './tokens.js';

/**
 * The caller of every request to an app that serves no clients: a caller with all rights, the public, a role,
 * a user or a token.
 */
export type Impersonation =
  | { readonly kind: 'all' }
  | { readonly kind: 'public' }
  | { readonly kind: 'role' | 'user' | 'token'; readonly name: string };

const NAMED_KINDS = ['role', 'user', 'token'] as const;

/**
 * Parses `public`, `role:editor`, `user:ada` or `token:ci`.
 *
 * @throws `access/invalid-impersonation`
 */
export function parseImpersonation(text: string): Impersonation {
  if (text === 'public') return { kind: 'public' };
  const [prefix = '', ...rest] = text.split(':');
  const name = rest.join(':');
  const kind = NAMED_KINDS.find((known) => known === prefix);
  if (kind !== undefined && name !== '') return { kind, name };
  throw createError('access/invalid-impersonation', { text });
}

interface ImpersonationDependencies {
  readonly context: AccessContext;
  /** Returns the current snapshot, since rights may change while the app is open. */
  readonly snapshot: () => AccessSnapshot;
  /** Returns the caller without a credential. */
  readonly anonymous: () => Caller;
  readonly users: UserReader;
  readonly requiresConfirmation: () => Promise<boolean>;
}

/** No stored token has this id. */
const NO_TOKEN = 0;

const tokenCaller = async (
  { context, snapshot }: ImpersonationDependencies,
  name: string,
): Promise<Caller | null> => {
  const { id } = await findToken(context, name);
  const token = [...snapshot().tokensByHash.values()].find(({ record }) => record.id === id);
  if (token === undefined || (token.expiresAt !== null && token.expiresAt <= Date.now())) return null;
  return { kind: 'token', tokenId: id, grants: token.grants };
};

const userCaller = async (
  { snapshot, users, requiresConfirmation }: ImpersonationDependencies,
  name: string,
): Promise<Caller | null> => {
  const user = await users.byIdentifier(name);
  if (user === null) throw createError('access/unknown-user', { user: name });
  if (user.blocked || (!user.confirmed && (await requiresConfirmation()))) return null;
  return callerOfUser(snapshot(), user, null);
};

/** Returns the caller; null if requests of this caller are rejected as unauthenticated. */
const findCaller = async (
  impersonation: Impersonation,
  dependencies: ImpersonationDependencies,
): Promise<Caller | null> => {
  const { anonymous, context, snapshot } = dependencies;
  if (impersonation.kind === 'all') return { kind: 'token', tokenId: NO_TOKEN, grants: { kind: 'all' } };
  if (impersonation.kind === 'public') return anonymous();
  const { kind, name } = impersonation;
  if (kind === 'token') return tokenCaller(dependencies, name);
  if (kind === 'user') return userCaller(dependencies, name);
  const { database, model } = context;
  const { documentId } = await database.transact((tx) => findRole(tx, roleTables(model), name));
  return { kind: 'anonymous', grants: snapshot().grantsByRole.get(documentId) ?? NO_GRANTS };
};

/**
 * Returns the authentication of an app that only this process calls: the same caller for all requests,
 * without credentials.
 *
 * @throws `access/unknown-role`, `access/unknown-user`, `access/unknown-token`
 */
export async function impersonate(
  impersonation: Impersonation,
  dependencies: ImpersonationDependencies,
): Promise<Pick<Access, 'authenticate' | 'authenticateFor'>> {
  await findCaller(impersonation, dependencies);
  const authenticate = async (): Promise<Caller> => {
    const caller = await findCaller(impersonation, dependencies);
    if (caller === null) throw createError('request/unauthorized');
    return caller;
  };
  return {
    authenticate,
    authenticateFor: async (_header, uid, action) => {
      const found = await authenticate();
      authorise(found, uid, action);
      return found;
    },
  };
}
