import { parseBodyFields } from './parse-body-fields.js';
import { issueCode, NOBODY } from './codes.js';
import type { AccountContext } from './account-context.js';

const PURPOSE = 'reset-password';

const resetUrl = async ({ currentSettings, apiUrl }: AccountContext, code: string): Promise<string> => {
  const { resetPage } = await currentSettings();
  const url = new URL(resetPage ?? `${apiUrl}/auth/reset-password`);
  url.searchParams.set('code', code);
  return url.href;
};

/**
 * Sends a code for a new password, if there is a user with that address. The result is the same either way,
 * and returned before any look-up. So is the work, which the next request may have to wait for: without such
 * a user a code is issued to nobody, and a message composed and dropped.
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
      { userDocumentId: documentId, purpose: PURPOSE },
      context.now(),
    );
    const mail = { purpose: PURPOSE, to: email, username, code, url: await resetUrl(context, code) } as const;
    await (isReceiver ? context.sendMail(mail) : context.rehearseMail(mail));
  });
  return { ok: true };
}
