import { readTexts } from './body.js';
import { issueCode } from './codes.js';
import type { PeopleContext } from './people.js';

const PURPOSE = 'reset-password';

const linkOf = ({ settings, apiUrl }: PeopleContext, code: string): string => {
  const page = new URL(settings.resetPage ?? `${apiUrl}/auth/reset-password`);
  page.searchParams.set('code', code);
  return page.href;
};

/**
 * Sends a code to who has forgotten the password, if there is such a user. The answer is the same either way, and given before anything
 * is looked up.
 *
 * @throws `request/invalid-values`
 */
export function forgotPassword(context: PeopleContext, body: unknown): { readonly ok: true } {
  const email = readTexts(body, ['email']).email.toLowerCase();
  context.inBackground(async () => {
    const user = await context.users.byIdentifier(email);
    if (user === null || user.email !== email || user.blocked) return;
    const code = await issueCode(context.database, { userDocumentId: user.documentId, purpose: PURPOSE }, context.now());
    await context.sendMail({ purpose: PURPOSE, to: user.email, username: user.username, code, url: linkOf(context, code) });
  });
  return { ok: true };
}
