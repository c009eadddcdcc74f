import type { AccountMail } from '../../access/accounts/account-context.js';
import type { Config } from '../../config/config.js';
import { loadTemplate } from '../../access/mail/account-templates.js';
import { fillStoredTemplate, readStoredTemplate } from '../../access/mail/stored-template.js';
import { fillTemplate } from '../../access/mail/template.js';
import type { AccountSettingsSource } from './account-settings-source.js';
import { serverUrl } from '../server-url.js';

/** The name of a message in Strapi's store, and of the parameter with the code in its link. */
const STORED = {
  'reset-password': { name: 'reset_password', parameter: 'code' },
  'email-confirmation': { name: 'email_confirmation', parameter: 'confirmation' },
} as const;

const withoutParameter = (address: string, parameter: string): string => {
  const url = new URL(address);
  url.searchParams.delete(parameter);
  return url.href;
};

/**
 * Returns a function that writes messages about accounts: by the files of the project, by the templates that
 * are stored, or by those that Galley has.
 *
 * @throws `mail/invalid-template`
 */
export async function createAccountMessages(
  { root, server: { url, host, port } }: Pick<Config, 'root' | 'server'>,
  { mails }: Pick<AccountSettingsSource, 'mails'>,
) {
  const templates = {
    'reset-password': await loadTemplate(root, 'reset-password'),
    'email-confirmation': await loadTemplate(root, 'email-confirmation'),
  };
  const publicUrl = url || serverUrl(host, port);
  return async ({ purpose, to, username, code, url: link }: AccountMail) => {
    const { template, isOwn } = templates[purpose];
    const { name, parameter } = STORED[purpose];
    const stored = isOwn ? null : readStoredTemplate(await mails(), name);
    if (stored === null)
      return { to, ...fillTemplate(template, { URL: link, CODE: code, USERNAME: username, EMAIL: to }) };
    const values = {
      URL: withoutParameter(link, parameter),
      SERVER_URL: publicUrl,
      ADMIN_URL: `${publicUrl}/admin`,
      USER: { username, email: to },
      TOKEN: code,
      CODE: code,
    };
    return { to, ...fillStoredTemplate(stored, values) };
  };
}
