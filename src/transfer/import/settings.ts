import type { AccountSettings } from '../../config/account-settings.js';
import { isRecord } from '../../lib/is-record.js';
import type { ImportOptions } from './import-options.js';
import type { Survey } from './survey.js';
import type { Tally } from './tally.js';

/** Settings of people's accounts: their name in Strapi's store, in cms.config, and what holds here. */
const ACCOUNT_SETTINGS: readonly (readonly [
  key: string,
  option: string,
  current: (settings: AccountSettings) => unknown,
])[] = [
  ['allow_register', 'allowRegister', ({ allowRegister }) => allowRegister],
  ['email_confirmation', 'emailConfirmation', ({ emailConfirmation }) => emailConfirmation],
  [
    'email_confirmation_redirection',
    'emailConfirmationRedirection',
    ({ confirmationRedirect }) => confirmationRedirect,
  ],
  ['email_reset_password', 'emailResetPassword', ({ resetPage }) => resetPage],
  ['default_role', 'defaultRole', ({ defaultRole }) => defaultRole],
];

type Values = Readonly<Record<string, unknown>>;

/** Strapi stores empty text and null alike. */
const plain = (value: unknown): unknown => (value === '' || value === undefined ? null : value);

const tellAccounts = (value: Values, current: AccountSettings, tally: Tally): void => {
  const what = 'plugin_users-permissions_advanced';
  const changes = ACCOUNT_SETTINGS.filter(
    ([key, , read]) => Object.hasOwn(value, key) && plain(value[key]) !== plain(read(current)),
  ).map(([key, option]) => `${option}: ${JSON.stringify(value[key])}`);
  if (changes.length > 0) {
    const line = `plugins: { 'users-permissions': { config: { advanced: { ${changes.join(', ')} } } } }`;
    tally.add({ what, reason: `is kept for strapi.store; to have it hold, put into cms.config: ${line}` });
  }
  if (value['unique_email'] === false)
    tally.add({ what, reason: 'addresses of users are always unique here, unlike unique_email: false' });
};

const tellProviders = (value: Values, tally: Tally): void => {
  for (const [name, provider] of Object.entries(value))
    if (name !== 'email' && isRecord(provider) && provider['enabled'] === true)
      tally.add({
        what: `plugin_users-permissions_grant ${name}`,
        reason: `is kept for strapi.store; /api/auth/${name}/callback works once code adds the provider`,
      });
};

const tellUploads = (value: Values, tally: Tally): void => {
  if (value['responsiveDimensions'] !== false) return;
  const reason =
    'is kept for strapi.store; for uploads without formats, put into cms.config: upload: { breakpoints: {} }';
  tally.add({ what: 'plugin_upload_settings', reason });
};

const TELLERS: Readonly<Record<string, (value: Values, tally: Tally, current: AccountSettings) => void>> = {
  'plugin_users-permissions_advanced': (value, tally, current) => tellAccounts(value, current, tally),
  'plugin_users-permissions_grant': tellProviders,
  'plugin_users-permissions_email': (_value, tally) =>
    tally.add({
      what: 'plugin_users-permissions_email',
      reason:
        'is kept for strapi.store; texts that are sent: src/extensions/users-permissions/email-templates',
    }),
  plugin_upload_settings: tellUploads,
};

/** Says which settings do not hold by themselves. Those of the administration panel are not worth a word. */
export function tellSettings(
  { settings }: Survey,
  { parts, types }: ImportOptions,
  current: AccountSettings,
  tally: Tally,
): void {
  if (!parts.has('config') || types !== null) return;
  for (const record of settings) {
    if (record.type === 'webhook')
      tally.add({ what: 'webhooks', reason: 'are kept for strapi.webhookStore, and not delivered' });
    else if (isRecord(record.value.value)) TELLERS[record.value.key]?.(record.value.value, tally, current);
  }
}
