import { parseBodyFields } from './parse-body-fields.js';
import { issueCode } from './codes.js';
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
 * and returned before any look-up.
 *
 * @throws `request/invalid-values`
 */
export function forgotPassword(context: AccountContext, body: unknown): { readonly ok: true } {
  const email = parseBodyFields(body, ['email']).email.toLowerCase();
  context.runInBackground(async () => {
    const user = await context.users.byIdentifier(email);
    if (user === null || user.email !== email || user.blocked) return;
    const code = await issueCode(
      context.database,
      { userDocumentId: user.documentId, purpose: PURPOSE },
      context.now(),
    );
    await context.sendMail({
      purpose: PURPOSE,
      to: user.email,
      username: user.username,
      code,
      url: await resetUrl(context, code),
    });
  });
  return { ok: true };
}
