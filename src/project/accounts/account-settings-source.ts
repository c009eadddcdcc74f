import type { Config } from '../../config/config.js';
import type { AccountSettings } from '../../config/account-settings.js';
import { currentAccountSettings } from '../../config/stored-account-settings.js';
import { providerSettings } from '../../config/provider-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import type { Database } from '../../database/database.js';
import { createServerState } from '../../database/server-state.js';
import { STORE_PREFIX } from '../../transfer/stored-state.js';

/** The settings of accounts as they are when they are asked for. */
export interface AccountSettingsSource {
  readonly current: () => Promise<AccountSettings>;
  /** The providers that the configuration and the stored setting `grant` have. */
  readonly providers: () => Promise<ReadonlyMap<string, ProviderSettings>>;
  /** The stored setting `email` of users-permissions. */
  readonly mails: () => Promise<unknown>;
}

/**
 * Reads what Strapi's store says of accounts each time, since imports and project code write it while servers
 * run. Signing in and up takes far longer than that.
 */
export function createAccountSettingsSource(config: Config, database: Database): AccountSettingsSource {
  const state = createServerState(database);
  const read = async (key: string): Promise<unknown> => {
    const text = await state.read(`${STORE_PREFIX}plugin_users-permissions_${key}`);
    return text === null ? null : (JSON.parse(text) as unknown);
  };
  return {
    current: async () => {
      const [advanced, grant] = await Promise.all([read('advanced'), read('grant')]);
      return currentAccountSettings(config, { advanced, grant });
    },
    providers: async () => providerSettings(config, await read('grant')),
    mails: () => read('email'),
  };
}
