import { describe, expect, it } from 'vitest';
import {
  contradictedOptions,
  currentAccountSettings,
  printAdvancedSettings,
} from '../../../src/config/account-settings.js';

const ADVANCED = {
  unique_email: true,
  allow_register: false,
  email_confirmation: 'yes',
  email_reset_password: 'https://example.com/reset',
  email_confirmation_redirection: '',
  default_role: 'editor',
};

const configOf = (advanced: object) => ({
  plugins: { 'users-permissions': { enabled: true, config: { advanced } } },
  rateLimit: true,
  environment: 'test' as const,
});

describe('account settings that Strapi has stored', () => {
  it('apply where the configuration does not say otherwise', () => {
    const settings = currentAccountSettings(configOf({ defaultRole: 'reader' }), {
      advanced: ADVANCED,
      grant: { email: { enabled: false } },
    });
    expect(settings).toMatchObject({
      allowRegister: false,
      emailConfirmation: false,
      resetPage: 'https://example.com/reset',
      confirmationRedirect: null,
      defaultRole: 'reader',
      localSignIn: false,
    });
    expect(printAdvancedSettings(settings)).toMatchObject({ allow_register: false, default_role: 'reader' });
  });

  it('are not there in most projects', () => {
    const settings = currentAccountSettings(configOf({}), { advanced: null, grant: null });
    expect(settings).toMatchObject({ allowRegister: true, defaultRole: 'authenticated', localSignIn: true });
  });

  it('are reported where the configuration contradicts them', () => {
    const config = configOf({ defaultRole: 'reader', emailResetPassword: 'https://example.com/reset' });
    expect(contradictedOptions(config, ADVANCED)).toEqual(['defaultRole']);
    expect(contradictedOptions(config, null)).toEqual([]);
  });
});
