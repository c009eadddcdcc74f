import { createError } from '../../errors/catalogue.js';
import type { UserState } from './user-reader.js';
import { parseBodyFields } from './parse-body-fields.js';
import { issueCode, redeemCode } from './codes.js';
import type { AccountContext } from './account-context.js';
import { readUserRecord, writeUser } from './user-record.js';

const PURPOSE = 'email-confirmation';

/** Sends a user the message with the link that confirms the e-mail address. */
export async function sendConfirmationMessage(
  context: AccountContext,
  { documentId, email, username }: UserState,
): Promise<void> {
  const code = await issueCode(
    context.database,
    { userDocumentId: documentId, purpose: PURPOSE },
    context.now(),
  );
  const url = `${context.apiUrl}/auth/email-confirmation?confirmation=${code}`;
  await context.sendMail({ purpose: PURPOSE, to: email, username, code, url });
}

/**
 * Sends the message again in the background, if a user has that address and it is not confirmed. The result
 * is the same either way.
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
    if (user !== null && user.email === email && !user.confirmed && !user.blocked)
      await sendConfirmationMessage(context, user);
  });
  return { email, sent: true };
}

/**
 * Confirms the address to which a code was sent. Returns the JSON text of the user's record.
 *
 * @throws `auth/invalid-confirmation-token`
 */
export async function confirmEmail(context: AccountContext, code: unknown): Promise<string> {
  const userDocumentId =
    typeof code === 'string' && code !== ''
      ? await redeemCode(context.database, PURPOSE, code, context.now())
      : null;
  if (userDocumentId === null) throw createError('auth/invalid-confirmation-token');
  await writeUser(context, userDocumentId, { confirmed: true });
  return readUserRecord(context, userDocumentId);
}
