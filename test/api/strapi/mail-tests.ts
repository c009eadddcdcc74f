import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { Site } from '../support/site.js';

const PATIENCE = { timeout: 20_000 };
const MAILER = 'node_modules/@strapi/provider-email-pigeon';

/** A package that sends messages, and the settings that name it. */
export const MAIL_FILES: Readonly<Record<string, string>> = {
  [`${MAILER}/package.json`]: '{ "name": "@strapi/provider-email-pigeon", "main": "index.js" }',
  [`${MAILER}/index.js`]: `
    module.exports = {
      init: ({ loft }, { defaultFrom }) => ({
        send: async ({ to, subject, text }) => {
          strapi.config.set('sent', [loft, defaultFrom, to, subject, text]);
          return 'flown';
        },
      }),
    };`,
  'config/plugins.js': `
    module.exports = { email: { config: {
      provider: 'pigeon', providerOptions: { loft: 'east' }, settings: { defaultFrom: 'me@example.com' },
    } },
    upload: { config: {
      provider: 'bucket', providerOptions: { host: 'https://bucket.example' },
      actionOptions: { uploadStream: { folder: 'public' } },
    } } };`,
};

interface EmailPlugin {
  readonly service: (name: string) => {
    readonly send: (message: object) => Promise<unknown>;
    readonly getProviderSettings: () => unknown;
  };
}

/** Tests of messages that a package sends, on the site of a suite that has {@link MAIL_FILES}. */
export function describeMail(open: () => { readonly site: Site; readonly strapi: Strapi }): void {
  describe('an email provider', () => {
    let strapi: Strapi;
    let site: Site;
    beforeAll(() => {
      ({ strapi, site } = open());
    });

    const post = async (path: string, body: object): Promise<number> => {
      const authorization = `Bearer ${site.tokens['full']}`;
      const headers = { 'content-type': 'application/json', authorization };
      return (await fetch(site.server.url + path, { method: 'POST', headers, body: JSON.stringify(body) }))
        .status;
    };

    it('sends messages of code, and those about accounts', async () => {
      const { send, getProviderSettings } = (strapi.plugin('email') as unknown as EmailPlugin).service(
        'email',
      );
      expect(getProviderSettings()).toMatchObject({ provider: 'pigeon' });
      expect(await send({ to: 'a@example.com', subject: 'Hi', text: 'Text' })).toBe('flown');
      expect(strapi.config.get('sent')).toEqual(['east', 'me@example.com', 'a@example.com', 'Hi', 'Text']);
      const user = { username: 'mail', email: 'mail@example.com', password: 'Passw0rd' };
      expect(await post('/api/users', { ...user, role: 1 })).toBe(201);
      expect(await post('/api/auth/forgot-password', { email: user.email })).toBe(200);
      await vi.waitFor(() => expect(strapi.config.get('sent.2')).toBe(user.email), PATIENCE);
      expect(strapi.config.get('sent.4')).toContain('code=');
    });

    it('sends what Strapi has stored as the texts of messages', async () => {
      const message = '<p><%= USER.username %>: <%= URL %>?code=<%= TOKEN %></p>';
      const options = {
        from: { name: 'Us', email: 'no-reply@strapi.io' },
        object: 'For <%= USER.email %>',
        message,
      };
      const store = strapi.store({ type: 'plugin', name: 'users-permissions' });
      await store.set({ key: 'email', value: { reset_password: { options } } });
      await store.set({ key: 'advanced', value: { email_reset_password: 'https://site.example/new' } });
      strapi.config.set('sent', []);
      expect(await post('/api/auth/forgot-password', { email: 'mail@example.com' })).toBe(200);
      await vi.waitFor(() => expect(strapi.config.get('sent.3')).toBe('For mail@example.com'), PATIENCE);
      expect(strapi.config.get('sent.4')).toMatch(
        /^<p>mail: https:\/\/site\.example\/new\?code=[\w-]+<\/p>$/,
      );
      await store.delete({ key: 'email' });
      await store.delete({ key: 'advanced' });
    });
  });
}
