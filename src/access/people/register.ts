import { fail } from '../../errors/catalogue.js';
import { findRole, roleTables } from '../role-tables.js';
import type { UserState } from '../user-reader.js';
import { readKnown, readTexts } from './body.js';
import { createUser } from './create-user.js';
import type { PeopleContext, SignedIn } from './people.js';
import { sendConfirmationTo } from './send-confirmation.js';
import { signIn } from './sessions.js';
import { userSelection } from './user-record.js';

const OWN_FIELDS = ['username', 'email', 'password'] as const;

/** Whoever signs up chooses neither of these, whatever a project lets them send. */
const DECIDED_HERE: ReadonlySet<string> = new Set(['role', 'confirmed', 'blocked', 'provider', 'id', 'documentId', 'resetPasswordToken', 'confirmationToken']);

const defaultRole = async ({ database, model, settings }: PeopleContext): Promise<string> =>
  database.transact(async (tx) => (await findRole(tx, roleTables(model), settings.defaultRole)).documentId);

const createdUser = async ({ users }: PeopleContext, documentId: string): Promise<UserState> => {
  const user = await users.byDocumentId(documentId);
  if (user === null) throw fail('request/unauthorized');
  return user;
};

/**
 * Signs somebody up, and in unless the address has to be confirmed first.
 *
 * @throws `auth/register-off`, `auth/taken`, `request/invalid-key`, `request/invalid-values`
 */
export async function register(context: PeopleContext, body: unknown): Promise<SignedIn | { readonly user: string }> {
  const { settings } = context;
  if (!settings.allowRegister) throw fail('auth/register-off');
  const extra = settings.registerFields.filter((name) => !DECIDED_HERE.has(name));
  const data = readKnown(body, [...OWN_FIELDS, ...extra]);
  const values = { ...data, ...readTexts(data, OWN_FIELDS) };
  const role = await defaultRole(context);
  const decided = { provider: 'local', confirmed: !settings.emailConfirmation, blocked: false, role };
  const { documentId, record } = await createUser(context, { ...values, ...decided }, { selection: userSelection(context.model) });
  const user = await createdUser(context, documentId);
  if (!settings.emailConfirmation) return signIn(context, user);
  context.inBackground(() => sendConfirmationTo(context, user));
  return { user: record };
}
