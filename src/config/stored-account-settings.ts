import { isRecord } from '../lib/is-record.js';
import { ACCOUNT_OPTIONS, accountSettings } from './account-settings.js';
import type { AccountSettings } from './account-settings.js';
import type { Config } from './config.js';

/** Settings of accounts that Strapi keeps in its database: its name, the option here, and what it sets. */
const STORED_OPTIONS = [
  ['allow_register', 'allowRegister', 'allowRegister'],
  ['email_confirmation', 'emailConfirmation', 'emailConfirmation'],
  ['email_confirmation_redirection', 'emailConfirmationRedirection', 'confirmationRedirect'],
  ['email_reset_password', 'emailResetPassword', 'resetPage'],
  ['default_role', 'defaultRole', 'defaultRole'],
] as const satisfies readonly (readonly [string, string, keyof AccountSettings])[];

/** The part of the configuration that concerns accounts. */
export type AccountConfig = Pick<Config, 'plugins' | 'rateLimit' | 'environment'>;

/** The settings `advanced` and `grant` of users-permissions, as Strapi's store has them. */
export interface StoredAccountSettings {
  readonly advanced: unknown;
  readonly grant: unknown;
}

const isStated = ({ plugins }: AccountConfig, option: string): boolean => {
  const advanced = plugins['users-permissions']?.config['advanced'];
  return isRecord(advanced) && advanced[option] !== undefined;
};

/** Strapi stores empty text and null alike. */
const plain = (value: unknown): unknown => (value === '' ? null : value);

/** True if the setting `grant` switches off signing in with a name and a password. */
const forbidsLocalSignIn = (grant: unknown): boolean =>
  isRecord(grant) && isRecord(grant['email']) && grant['email']['enabled'] === false;

/**
 * Returns the account settings that apply: those that the configuration states, then those that are stored,
 * then the defaults. Stored values that are not allowed here count as absent.
 */
export function currentAccountSettings(
  config: AccountConfig,
  { advanced, grant }: StoredAccountSettings,
): AccountSettings {
  const stored = isRecord(advanced) ? advanced : {};
  const applied = STORED_OPTIONS.flatMap(([name, option, setting]) => {
    const value = plain(stored[name]);
    if (value === undefined || isStated(config, option)) return [];
    const { check, fallback } = ACCOUNT_OPTIONS[`advanced.${option}`];
    const parsed = value === null ? fallback : check.read(value);
    return parsed === undefined ? [] : [[setting, parsed] as const];
  });
  return Object.freeze({
    ...accountSettings(config),
    ...Object.fromEntries(applied),
    localSignIn: !forbidsLocalSignIn(grant),
  });
}

/** Returns the account settings as Strapi's setting `advanced` has them. */
export function printAdvancedSettings(settings: AccountSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ['unique_email', true],
    ...STORED_OPTIONS.map(([name, , setting]) => [name, settings[setting]] as const),
  ]);
}

/** Returns the options that the configuration states otherwise than the setting `advanced` does. */
export function contradictedOptions(config: AccountConfig, advanced: unknown): readonly string[] {
  const stored = isRecord(advanced) ? advanced : {};
  const current = accountSettings(config);
  return STORED_OPTIONS.filter(
    ([name, option, setting]) =>
      isStated(config, option) && stored[name] !== undefined && plain(stored[name]) !== current[setting],
  ).map(([, option]) => option);
}
