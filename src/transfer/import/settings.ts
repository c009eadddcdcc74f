import type { ImportOptions } from './import-options.js';
import type { Survey } from './survey.js';
import type { Tally } from './tally.js';

/** Settings of Strapi's that are configuration here, by their key in its store. */
const CONFIGURED_HERE: Readonly<Record<string, string>> = {
  'plugin_users-permissions_advanced':
    'registration and confirmation are set in cms.config, plugins.users-permissions.config.advanced',
  'plugin_users-permissions_email': 'the texts of e-mails are files in src/mail here',
  'plugin_users-permissions_grant': 'providers to sign in with, and their keys, are not stored here',
  plugin_upload_settings: 'image formats are set in cms.config, upload',
};

/** Says which settings are not imported. What only the administration panel uses is not worth a word. */
export function tellSettings({ settings }: Survey, { parts }: ImportOptions, tally: Tally): void {
  if (!parts.has('config')) return;
  for (const record of settings) {
    if (record.type === 'webhook') {
      tally.add({ what: 'webhooks', reason: 'there are no webhooks here' });
      continue;
    }
    const reason = CONFIGURED_HERE[record.value.key];
    if (reason !== undefined) tally.add({ what: record.value.key, reason });
  }
}
