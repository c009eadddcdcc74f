import { accountSettings } from '../../config/account-settings.js';
import { emailSettings } from '../../config/email-settings.js';
import type { Config } from '../../config/config.js';
import type { StoreDefaults } from './store.js';

/** Sign-in with other providers is off unless project code stores their settings. */
const PROVIDERS = { email: { enabled: true, icon: 'envelope' } };

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
    'plugin_users-permissions_advanced': () => {
      const settings = accountSettings(config);
      return {
        unique_email: true,
        allow_register: settings.allowRegister,
        email_confirmation: settings.emailConfirmation,
        email_reset_password: settings.resetPage,
        email_confirmation_redirection: settings.confirmationRedirect,
        default_role: settings.defaultRole,
      };
    },
    'plugin_users-permissions_grant': () => PROVIDERS,
    'plugin_users-permissions_email': () => ({
      reset_password: mailOptions(config, 'Reset password'),
      email_confirmation: mailOptions(config, 'Account confirmation'),
    }),
    plugin_upload_settings: () => ({
      sizeOptimization: false,
      responsiveDimensions: true,
      autoOrientation: false,
    }),
    plugin_i18n_default_locale: defaultLocale,
  };
}
