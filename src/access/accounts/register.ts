import { createError } from '../../errors/catalogue.js';
import { findRole, roleTables } from '../roles/role-tables.js';
import type { UserState } from './user-reader.js';
import { parseAllowedFields, parseBodyFields } from './parse-body-fields.js';
import { createUser } from './create-user.js';
import type { AccountContext, AccountResult } from './account-context.js';
import { assertAllowedPassword } from './passwords.js';
import { sendConfirmationMessage } from './email-confirmation.js';
import { signIn } from './sessions.js';
import { userType } from './user-attributes.js';
import { userSelection } from './user-record.js';

const REQUIRED_FIELDS = ['username', 'email', 'password'] as const;

/** Attributes that cannot be set at sign-up, whatever fields a project allows. */
const PROTECTED_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'confirmed',
  'blocked',
  'provider',
  'id',
  'documentId',
  'resetPasswordToken',
  'confirmationToken',
]);

const findDefaultRole = async ({ database, model }: AccountContext, type: string): Promise<string> =>
  database.transact(async (tx) => (await findRole(tx, roleTables(model), type)).documentId);

const loadCreatedUser = async ({ users }: AccountContext, documentId: string): Promise<UserState> => {
  const user = await users.byDocumentId(documentId);
  if (user === null) throw createError('request/unauthorized');
  return user;
};

/**
 * Signs a user up, and in unless the address has to be confirmed first.
 *
 * @throws `auth/registration-disabled`, `auth/email-or-username-taken`, `request/invalid-key`,
 *   `request/invalid-values`
 */
export async function register(context: AccountContext, body: unknown): Promise<AccountResult> {
  const settings = await context.currentSettings();
  if (!settings.allowRegister) throw createError('auth/registration-disabled');
  const { attributes } = userType(context.model);
  const extraFields = settings.registerFields.filter(
    (name) => !PROTECTED_FIELDS.has(name) && attributes[name]?.writable !== false,
  );
  const data = parseAllowedFields(body, [...REQUIRED_FIELDS, ...extraFields]);
  const values = { ...data, ...parseBodyFields(data, REQUIRED_FIELDS) };
  await assertAllowedPassword(context, values.password);
  const role = await findDefaultRole(context, settings.defaultRole);
  const serverValues = { provider: 'local', confirmed: !settings.emailConfirmation, blocked: false, role };
  const { documentId, record } = await createUser(
    context,
    { ...values, ...serverValues },
    { selection: userSelection(context.model) },
  );
  const user = await loadCreatedUser(context, documentId);
  if (!settings.emailConfirmation) return signIn(context, user);
  context.runInBackground(() => sendConfirmationMessage(context, user));
  return { user: record };
}
