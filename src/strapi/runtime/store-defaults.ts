import { emailSettings } from '../../config/email-settings.js';
import type { Config } from '../../config/config.js';
import { currentAccountSettings, printAdvancedSettings } from '../../config/stored-account-settings.js';
import { isRecord } from '../../lib/is-record.js';
import type { Log } from './log.js';
import type { StoreDefaults } from './store.js';

/** Sign-in with other providers is off unless project code stores their settings. */
const PROVIDERS = { email: { enabled: true, icon: 'envelope' } };

/** Returns a function that merges a stored value over the defaults, key by key. */
const over =
  (defaults: Readonly<Record<string, unknown>>) =>
  (stored: unknown): unknown =>
    isRecord(stored) ? { ...defaults, ...stored } : (stored ?? defaults);

const mailOptions = (config: Config, object: string) => {
  const { from, replyTo } = emailSettings(config);
  return {
    options: { from: { name: '', email: from }, response_email: replyTo ?? '', object, message: '' },
  };
};

/**
 * The settings that Strapi keeps in its store and Galley in its configuration. Project code reads them as
 * they apply here.
 */
export function createStoreDefaults(config: Config, defaultLocale: () => string): StoreDefaults {
  return {
    'plugin_users-permissions_advanced': (advanced) => ({
      ...(isRecord(advanced) ? advanced : {}),
      ...printAdvancedSettings(currentAccountSettings(config, { advanced, grant: null })),
    }),
    'plugin_users-permissions_grant': over(PROVIDERS),
    'plugin_users-permissions_email': over({
      reset_password: mailOptions(config, 'Reset password'),
      email_confirmation: mailOptions(config, 'Account confirmation'),
    }),
    plugin_upload_settings: over({
      sizeOptimization: false,
      responsiveDimensions: true,
      autoOrientation: false,
    }),
    plugin_i18n_default_locale: (stored) => stored ?? defaultLocale(),
  };
}

/** Tells of settings that code stores and that do not hold here. */
export const tellUnheld =
  ({ warn }: Pick<Log, 'warn'>) =>
  (setting: string, value: unknown): void => {
    if (setting === 'plugin_users-permissions_advanced' && isRecord(value) && value['unique_email'] === false)
      warn('unique_email: false does not hold: no two users have the same address here');
  };
