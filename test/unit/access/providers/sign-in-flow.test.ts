import { describe, expect, it } from 'vitest';
import type { AccountContext } from '../../../../src/access/accounts/account-context.js';
import { beginSignIn, openTicket } from '../../../../src/access/providers/sign-in-flow.js';
import { storedProvider } from '../../../../src/config/provider-settings.js';

const SECRET = 'a secret that is long enough for tests';

const contextWith = (validateCallback: AccountContext['validateCallback']): AccountContext => {
  const github = { enabled: true, key: 'k', secret: 's', callback: 'https://example.com/done' };
  const context = {
    apiUrl: 'https://cms.example.com/api',
    jwtSecret: SECRET,
    validateCallback,
    providers: async () => new Map([['github', storedProvider('github', { github })]]),
  };
  return context as unknown as AccountContext;
};

describe("a project's rule for pages that a sign-in ends at", () => {
  it('decides in place of the built-in one, but never for scripts', async () => {
    const asked: unknown[] = [];
    const context = contextWith((callback, provider) => {
      asked.push([callback, provider.callback]);
      if (callback.includes('evil')) throw new Error('no');
    });
    const begin = (callback: string) => beginSignIn(context, 'github', { callback });
    const { ticket } = await begin('https://other.example.com/x');
    expect(openTicket(ticket, SECRET)?.callback).toBe('https://other.example.com/x');
    expect(asked).toEqual([['https://other.example.com/x', 'https://example.com/done']]);
    for (const callback of ['https://evil.example.com', 'javascript:alert(1)', 'https://'])
      await expect(begin(callback)).rejects.toMatchObject({ code: 'auth/invalid-callback' });
  });

  it('opens no ticket that was changed or sealed otherwise', async () => {
    const { ticket } = await beginSignIn(contextWith(null), 'github', {});
    expect(openTicket(ticket, SECRET)?.callback).toBe('https://example.com/done');
    expect(openTicket(ticket, `${SECRET}!`)).toBeNull();
    expect(openTicket(`${ticket}x`, SECRET)).toBeNull();
    expect(openTicket(null, SECRET)).toBeNull();
  });
});
