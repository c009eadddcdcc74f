import type { UserState } from '../user-reader.js';
import { readTexts } from './body.js';
import { issueCode } from './codes.js';
import type { PeopleContext } from './people.js';

const PURPOSE = 'email-confirmation';

/** Sends the message by which a user confirms the address. */
export async function sendConfirmationTo(context: PeopleContext, { documentId, email, username }: UserState): Promise<void> {
  const code = await issueCode(context.database, { userDocumentId: documentId, purpose: PURPOSE }, context.now());
  const url = `${context.apiUrl}/auth/email-confirmation?confirmation=${code}`;
  await context.sendMail({ purpose: PURPOSE, to: email, username, code, url });
}

/**
 * Sends it once more to who asks, if there is such a user and the address is not confirmed; the answer is the same either way, at once.
 *
 * @throws `request/invalid-values`
 */
export function sendEmailConfirmation(context: PeopleContext, body: unknown): { readonly email: string; readonly sent: true } {
  const email = readTexts(body, ['email']).email.toLowerCase();
  context.inBackground(async () => {
    const user = await context.users.byIdentifier(email);
    if (user !== null && user.email === email && !user.confirmed && !user.blocked) await sendConfirmationTo(context, user);
  });
  return { email, sent: true };
}
