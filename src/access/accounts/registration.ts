import { createError } from '../../errors/catalogue.js';
import { userType } from '../permissions/rules.js';
import { findRole, roleTables } from '../roles/role-tables.js';
import {
  parseAllowedFields,
  parseBodyFields,
  readUserRecord,
  userSelection,
  writeUser,
} from './account-context.js';
import type { AccountContext, AccountMail, AccountResult } from './account-context.js';
import { NOBODY, issueCode, redeemConfirmation } from './codes.js';
import { createUser } from './users.js';
import { assertAllowedPassword } from './passwords.js';
import { signIn } from './sessions.js';
import type { UserState } from './user-reader.js';

const PURPOSE = 'email-confirmation';

const confirmationMail = async (
  context: AccountContext,
  { documentId, email, username }: Pick<UserState, 'documentId' | 'email' | 'username'>,
): Promise<AccountMail> => {
  const code = await issueCode(
    context.database,
    { userDocumentId: documentId, purpose: PURPOSE },
    context.now(),
  );
  const url = `${context.apiUrl}/auth/email-confirmation?confirmation=${code}`;
  return { purpose: PURPOSE, to: email, username, code, url };
};

/** Sends a user the message with the link that confirms the e-mail address. */
export async function sendConfirmationMessage(context: AccountContext, user: UserState): Promise<void> {
  await context.sendMail(await confirmationMail(context, user));
}

/**
 * Sends the message again in the background, if a user has that address and it is not confirmed. The result
 * and the work are the same either way, as in `forgotPassword`.
 *
 * @throws `request/invalid-values`
 */
export function sendEmailConfirmation(
  context: AccountContext,
  body: unknown,
): { readonly email: string; readonly sent: true } {
  const email = parseBodyFields(body, ['email']).email.toLowerCase();
  context.runInBackground(async () => {
    const user = await context.users.byIdentifier(email);
    const isReceiver = user !== null && user.email === email && !user.confirmed && !user.blocked;
    if (isReceiver) await sendConfirmationMessage(context, user);
    else await context.rehearseMail(await confirmationMail(context, { ...NOBODY, email }));
  });
  return { email, sent: true };
}

/**
 * Confirms the address to which a code was sent. A used code succeeds again, unless the address has lost its
 * confirmation since. Returns the JSON text of the user's record.
 *
 * @throws `auth/invalid-confirmation-token`
 */
export async function confirmEmail(context: AccountContext, code: unknown): Promise<string> {
  const redeemed =
    typeof code === 'string' && code !== ''
      ? await redeemConfirmation(context.database, code, context.now())
      : null;
  if (redeemed === null) throw createError('auth/invalid-confirmation-token');
  const { userDocumentId, isUsed } = redeemed;
  if (!isUsed) await writeUser(context, userDocumentId, { confirmed: true });
  else if ((await context.users.byDocumentId(userDocumentId))?.confirmed !== true)
    throw createError('auth/invalid-confirmation-token');
  return readUserRecord(context, userDocumentId);
}

const REQUIRED_FIELDS = ['username', 'email', 'password'] as const;

/** Attributes that cannot be set at sign-up, even if a project allows them. */
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
 * Signs a user up. Signs the user in, too, unless the address must be confirmed first.
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
