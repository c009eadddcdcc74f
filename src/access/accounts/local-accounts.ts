import { compare } from '@node-rs/bcrypt';
import { invalidValue, invalidValues } from '../../documents/validation/issues.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/caught-errors.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { linksCaller, typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel } from '../../model/model.js';
import type { Caller } from '../access.js';
import { userType } from '../permissions/rules.js';
import { findRole, roleTables } from '../roles/role-tables.js';
import {
  parseBodyFields,
  writeUser,
  parseAllowedFields,
  readUserRecord,
  userSelection,
} from './account-context.js';
import type { AccountContext, SignInResult, AccountMail, AccountResult } from './account-context.js';
import { NOBODY, issueCode, redeemCode, revokeUserCodes, redeemConfirmation } from './codes.js';
import { endUserSessions, identityOfUser, signIn } from './sessions.js';
import type { UserState } from './user-reader.js';
import { createUser } from './users.js';

/** The hash of a password that nobody knows. Comparing with it takes as long as comparing with a real one. */
const DUMMY_HASH = '$2b$10$e1CbTI1GULdXhQ05.71k3O4BSuVVO8.5E9W4P4RVTYchtZEgbAXwS';

/**
 * True if a password matches its hash; null matches nothing. Takes the same time either way. bcrypt reads
 * only 72 bytes. Galley rejects longer new passwords, but users from Strapi may have some.
 */
export async function isCorrectPassword(password: string, hash: string | null): Promise<boolean> {
  const isMatch = await compare(password, hash ?? DUMMY_HASH);
  return isMatch && hash !== null;
}

/** Throws `request/invalid-values` if the password and its confirmation differ. */
function assertPasswordConfirmed(password: string, confirmation: string): void {
  if (password !== confirmation)
    throw invalidValue(['passwordConfirmation'], 'must be the same as the password');
}

/** Throws `request/invalid-values` if a text is not a valid value of an attribute of users. */
export function assertUserValue(
  { model }: Pick<AccountContext, 'model'>,
  name: 'username' | 'email' | 'password',
  text: string,
): void {
  const attribute = userType(model).attributes[name];
  if (attribute?.family !== 'scalar') throw new TypeError(`${USER_UID}.${name} is not a scalar.`);
  const parsed = attribute.field.parse(text, attribute.constraints, 'full');
  if (!parsed.ok)
    throw invalidValues(
      parsed.issues.map(({ message }) => ({ path: [name], message, name: 'ValidationError' })),
    );
}

/** Throws `request/invalid-values` if a password is too short, too long or against the project's rules. */
export function assertPassword(context: Pick<AccountContext, 'model'>, password: string): void {
  assertUserValue(context, 'password', password);
}

/** Throws `request/invalid-values` if the project's rule rejects a password. */
async function assertAllowedPassword(
  { validatePassword }: Pick<AccountContext, 'validatePassword'>,
  password: string,
): Promise<void> {
  if (validatePassword === null) return;
  let isAllowed: unknown;
  try {
    isAllowed = await validatePassword(password);
  } catch (error) {
    throw invalidValue(['password'], messageOf(error));
  }
  if (!isAllowed) throw invalidValue(['password'], "is against the project's rule");
}

/**
 * Sets a user's password. Ends all sessions of the old one, deletes all reset codes, and signs the user in
 * again.
 */
async function setPassword(
  context: AccountContext,
  user: UserState,
  password: string,
): Promise<SignInResult> {
  await writeUser(context, user.documentId, { password });
  await endUserSessions(context, user.documentId);
  await revokeUserCodes(context, user.documentId, 'reset-password');
  const changed = await context.users.byDocumentId(user.documentId);
  if (changed === null) throw createError('request/unauthorized');
  return signIn(context, changed);
}

const RESET_PURPOSE = 'reset-password';

const resetUrl = async ({ currentSettings, apiUrl }: AccountContext, code: string): Promise<string> => {
  const { resetPage } = await currentSettings();
  const url = new URL(resetPage ?? `${apiUrl}/auth/reset-password`);
  url.searchParams.set('code', code);
  return url.href;
};

/**
 * Sends a code for a new password if there is a user with that address. The result is the same either way,
 * and returned before any look-up. The work is the same, too, since the next request may have to wait for it:
 * without a user, a code is issued to nobody, and a message is composed and dropped.
 *
 * @throws `request/invalid-values`
 */
export function forgotPassword(context: AccountContext, body: unknown): { readonly ok: true } {
  const email = parseBodyFields(body, ['email']).email.toLowerCase();
  context.runInBackground(async () => {
    const user = await context.users.byIdentifier(email);
    const isReceiver = user !== null && user.email === email && !user.blocked;
    const { documentId, username } = isReceiver ? user : NOBODY;
    const code = await issueCode(
      context.database,
      { userDocumentId: documentId, purpose: RESET_PURPOSE },
      context.now(),
    );
    const mail = {
      purpose: RESET_PURPOSE,
      to: email,
      username,
      code,
      url: await resetUrl(context, code),
    } as const;
    await (isReceiver ? context.sendMail(mail) : context.rehearseMail(mail));
  });
  return { ok: true };
}

/**
 * Sets a new password with a code that was sent by e-mail. Redeems the code and ends all earlier sessions.
 *
 * @throws `request/invalid-values`, `auth/invalid-code`, `auth/account-blocked`
 */
export async function resetPassword(context: AccountContext, body: unknown): Promise<SignInResult> {
  const { code, password, passwordConfirmation } = parseBodyFields(body, [
    'code',
    'password',
    'passwordConfirmation',
  ]);
  assertPasswordConfirmed(password, passwordConfirmation);
  assertPassword(context, password);
  await assertAllowedPassword(context, password);
  const userDocumentId = await redeemCode(context.database, 'reset-password', code, context.now());
  const user = userDocumentId === null ? null : await context.users.byDocumentId(userDocumentId);
  if (user === null) throw createError('auth/invalid-code');
  if (user.blocked) throw createError('auth/account-blocked');
  return setPassword(context, user, password);
}

/**
 * Changes the password of a user who knows the current one. Ends all its sessions, and signs the user in
 * again.
 *
 * @throws `auth/not-signed-in`, `request/invalid-values`, `auth/wrong-password`, `auth/same-password`
 */
export async function changePassword(
  context: AccountContext,
  caller: Caller,
  body: unknown,
): Promise<SignInResult> {
  if (caller.kind !== 'user') throw createError('auth/not-signed-in');
  const { currentPassword, password, passwordConfirmation } = parseBodyFields(body, [
    'currentPassword',
    'password',
    'passwordConfirmation',
  ]);
  assertPasswordConfirmed(password, passwordConfirmation);
  assertPassword(context, password);
  await assertAllowedPassword(context, password);
  const user = await context.users.byDocumentId(caller.documentId);
  const isPasswordCorrect = await isCorrectPassword(currentPassword, user?.passwordHash ?? null);
  if (user === null || !isPasswordCorrect) throw createError('auth/wrong-password');
  if (password === currentPassword) throw createError('auth/same-password');
  return setPassword(context, user, password);
}

/** Logs a rejected sign-in. Never logs the identifier itself, since people type passwords into its field. */
const logRejection = async ({ log }: AccountContext, user: UserState | null, error: unknown): Promise<void> =>
  log?.reject(
    { action: 'sign-in-rejected', details: { reason: isGalleyError(error) ? error.code : null } },
    user === null ? undefined : { ...log.actors.current(), ...identityOfUser(user) },
  );

/**
 * Signs a user in with a name or e-mail address and a password. The error for a blocked account requires the
 * right password.
 *
 * @throws `auth/provider-disabled`,
 *   `request/invalid-values`, `auth/invalid-credentials`, `auth/account-blocked`,
 *   `auth/email-not-confirmed`
 */
export async function login(context: AccountContext, body: unknown): Promise<SignInResult> {
  const settings = await context.currentSettings();
  if (!settings.localSignIn) throw createError('auth/provider-disabled');
  const { identifier, password } = parseBodyFields(body, ['identifier', 'password']);
  const user = await context.users.byIdentifier(identifier);
  const isPasswordCorrect = await isCorrectPassword(password, user?.passwordHash ?? null);
  try {
    if (user === null || !isPasswordCorrect) throw createError('auth/invalid-credentials');
    if (user.blocked) throw createError('auth/account-blocked');
    if (settings.emailConfirmation && !user.confirmed) throw createError('auth/email-not-confirmed');
  } catch (error) {
    await logRejection(context, user, error);
    throw error;
  }
  return signIn(context, user);
}

const CONFIRM_PURPOSE = 'email-confirmation';

const confirmationMail = async (
  context: AccountContext,
  { documentId, email, username }: Pick<UserState, 'documentId' | 'email' | 'username'>,
): Promise<AccountMail> => {
  const code = await issueCode(
    context.database,
    { userDocumentId: documentId, purpose: CONFIRM_PURPOSE },
    context.now(),
  );
  const url = `${context.apiUrl}/auth/email-confirmation?confirmation=${code}`;
  return { purpose: CONFIRM_PURPOSE, to: email, username, code, url };
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

/** True if the attribute lists documents that users own. Signing up must not claim some. */
const listsOwned = (model: ContentModel, attribute: Attribute | undefined): boolean =>
  attribute?.family === 'relation' &&
  attribute.side === 'inverse' &&
  attribute.target !== null &&
  attribute.counterpart !== null &&
  linksCaller(typeOf(model, attribute.target).attributes[attribute.counterpart]);

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
    (name) =>
      !PROTECTED_FIELDS.has(name) &&
      attributes[name]?.writable !== false &&
      !listsOwned(context.model, attributes[name]),
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
