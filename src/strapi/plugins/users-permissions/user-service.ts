import { revokeUserCodes } from '../../../access/accounts/codes.js';
import { endUserSessions } from '../../../access/accounts/sessions.js';
import { sendConfirmationMessage } from '../../../access/accounts/email-confirmation.js';
import { isCorrectPassword } from '../../../access/accounts/passwords.js';
import { USER_UID } from '../../../model/content-types/builtin/registry.js';
import { passwordField } from '../../../model/fields/password.js';
import { typeOf } from '../../../model/lookup.js';
import type { Entry, PluginHost, QueryParams } from '../plugin-host.js';
import { toQueryParams } from '../read-params.js';

type Values = Record<string, unknown>;

/** A hash that bcrypt has made. */
const HASH = /^\$2[aby]\$\d\d\$.{53}$/;

const hash = async (password: string): Promise<unknown> =>
  HASH.test(password) ? password : passwordField.hash?.(password);

/** Ends what the user is signed in to, and what was sent to an address or for a password that has changed. */
const endAccess = async (
  { accounts }: PluginHost,
  { documentId }: Values,
  { password, email, blocked }: Values,
): Promise<void> => {
  if (typeof documentId !== 'string') return;
  if (password !== undefined || blocked === true) await endUserSessions(accounts, documentId);
  if (email !== undefined) await revokeUserCodes(accounts, documentId);
  else if (password !== undefined) await revokeUserCodes(accounts, documentId, 'reset-password');
};

/** The values that are set for a user who is removed. */
const REMOVED: Values = { blocked: true, email: null };

/** Creates the service `user` of users-permissions. */
export function createUserService(host: PluginHost) {
  const { model, accounts } = host;
  const users = () => host.query(USER_UID);
  const passwords = Object.values(typeOf(model, USER_UID).attributes)
    .filter(({ type }) => type === 'password')
    .map(({ name }) => name);
  const ensureHashedPasswords = async (values: Values): Promise<Values> => {
    for (const name of passwords) {
      const value = values[name];
      if (typeof value === 'string') values[name] = await hash(value);
    }
    return values;
  };
  const count = (where?: QueryParams): Promise<number> => users().count({ where });
  return {
    ensureHashedPasswords,
    hashPassword: hash,
    validatePassword: isCorrectPassword,
    count,
    countUsers: count,
    add: async (values: Values): Promise<Entry> =>
      users().create({ data: await ensureHashedPasswords({ ...values }), populate: ['role'] }),
    edit: async (id: unknown, values: Values = {}): Promise<Entry | null> => {
      const data = await ensureHashedPasswords({ ...values });
      const user = await users().update({ where: { id }, data, populate: ['role'] });
      if (user !== null) await endAccess(host, user, data);
      return user;
    },
    fetch: (id: unknown, params?: QueryParams): Promise<Entry | null> => {
      const { where = {}, ...query } = toQueryParams(params);
      return users().findOne({ ...query, where: { $and: [{ id }, where] } });
    },
    fetchAuthenticatedUser: (id: unknown): Promise<Entry | null> =>
      users().findOne({ where: { id }, populate: ['role'] }),
    fetchAll: (params?: QueryParams): Promise<readonly Entry[]> => users().findMany(toQueryParams(params)),
    remove: async (where: QueryParams): Promise<Entry | null> => {
      const user = await users().delete({ where });
      if (user !== null) await endAccess(host, user, REMOVED);
      return user;
    },
    sendConfirmationEmail: async ({ id }: Entry): Promise<void> => {
      const user = await accounts.users.byId(Number(id));
      if (user !== null) await sendConfirmationMessage(accounts, user);
    },
  };
}
