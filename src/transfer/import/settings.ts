import { contradictedOptions } from '../../config/stored-account-settings.js';
import type { AccountConfig } from '../../config/stored-account-settings.js';
import { isRecord } from '../../lib/is-record.js';
import type { ImportOptions } from './import-options.js';
import type { Survey } from './survey.js';
import type { Tally } from './tally.js';

type Values = Readonly<Record<string, unknown>>;

const tellAccounts = (value: Values, accounts: AccountConfig, tally: Tally): void => {
  const what = 'plugin_users-permissions_advanced';
  const contradicted = contradictedOptions(accounts, value);
  if (contradicted.length > 0)
    tally.add({ what, reason: `cms.config states ${contradicted.join(', ')} otherwise, and wins` });
  if (value['unique_email'] === false)
    tally.add({ what, reason: 'unique_email: false does not hold: no two users have the same address here' });
};

const tellProviders = (value: Values, tally: Tally): void => {
  for (const [name, provider] of Object.entries(value))
    if (name !== 'email' && isRecord(provider) && provider['enabled'] === true)
      tally.add({
        what: `plugin_users-permissions_grant ${name}`,
        reason: `signs people in here, too; tell the service this server's address: cms provider list`,
      });
};

const tellUploads = (value: Values, tally: Tally): void => {
  if (value['responsiveDimensions'] !== false) return;
  const reason =
    'is kept for strapi.store; for uploads without formats, put into cms.config: upload: { breakpoints: {} }';
  tally.add({ what: 'plugin_upload_settings', reason });
};

const TELLERS: Readonly<Record<string, (value: Values, tally: Tally, accounts: AccountConfig) => void>> = {
  'plugin_users-permissions_advanced': (value, tally, accounts) => tellAccounts(value, accounts, tally),
  'plugin_users-permissions_grant': tellProviders,
  plugin_upload_settings: tellUploads,
};

/** Says which settings do not hold by themselves. Those of the administration panel are not worth a word. */
export function tellSettings(
  { settings }: Survey,
  { parts, types }: ImportOptions,
  accounts: AccountConfig,
  tally: Tally,
): void {
  if (!parts.has('config') || types !== null) return;
  for (const record of settings) {
    if (record.type === 'webhook')
      tally.add({ what: 'webhooks', reason: 'are sent to from now on; see them with: cms webhook list' });
    else if (isRecord(record.value.value)) TELLERS[record.value.key]?.(record.value.value, tally, accounts);
  }
}
