import type { Transaction } from '../../database/database.js';
import { WEBHOOKS_KEY } from '../../api/webhooks/webhook.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';
import type { ConfigurationRecord } from '../source.js';
import { readState, STORE_PREFIX, writeState } from '../stored-state.js';
import type { ImportRun } from './import-run.js';

/** Key prefixes of settings that belong to Strapi itself or to its administration panel. */
const INTERNAL = [
  'strapi_',
  'core_admin',
  'core_ee',
  'core_strapi',
  'plugin_content',
  'plugin_documentation',
  'plugin_i18n_',
  'plugin_review',
  'plugin_upload_api-folder',
  'plugin_upload_media_library',
  'plugin_upload_metrics',
  'plugin_upload_view',
];

/** True if code of a project may ask for a setting. */
const isKept = (key: string): boolean => !INTERNAL.some((beginning) => key.startsWith(beginning));

type Webhook = Extract<ConfigurationRecord, { readonly type: 'webhook' }>['value'];

const addWebhooks = async (tx: Transaction, webhooks: readonly Webhook[]): Promise<void> => {
  const stored = ((await readState(tx, WEBHOOKS_KEY)) ?? []) as readonly StoredWebhook[];
  const added = webhooks.filter(
    ({ name, url }) => !stored.some((known) => known.name === name && known.url === url),
  );
  const last = Math.max(0, ...stored.map(({ id }) => Number(id)));
  const all = [
    ...stored,
    ...added.map(({ name, url, headers, events, enabled }, index): StoredWebhook => {
      const id = String(last + index + 1);
      return { id, name, url, headers, events, isEnabled: enabled };
    }),
  ];
  if (added.length > 0) await writeState(tx, WEBHOOKS_KEY, all);
};

/** Writes settings and webhooks where `strapi.store` and `strapi.webhookStore` read them. */
export async function writeSettings(
  { survey, options }: Pick<ImportRun, 'survey' | 'options'>,
  tx: Transaction,
): Promise<void> {
  const webhooks: Webhook[] = [];
  for (const record of survey.settings) {
    if (record.type === 'webhook') {
      webhooks.push(record.value);
      continue;
    }
    const { key, value } = record.value;
    if (!isKept(key)) continue;
    const stays = options.existing === 'skip' && (await readState(tx, STORE_PREFIX + key)) !== null;
    if (!stays) await writeState(tx, STORE_PREFIX + key, value);
  }
  await addWebhooks(tx, webhooks);
}
