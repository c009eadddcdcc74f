import { createError } from '../../errors/catalogue.js';
import type { UserState } from './user-reader.js';
import { parseBodyFields } from './parse-body-fields.js';
import { issueCode, NOBODY, redeemConfirmation } from './codes.js';
import type { AccountContext, AccountMail } from './account-context.js';
import { readUserRecord, writeUser } from './user-record.js';

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
 * is the same either way, and so is the work, as for a new password.
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
 * Confirms the address to which a code was sent. A code that has done so before succeeds again, unless the
 * address has lost its confirmation since. Returns the JSON text of the user's record.
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
