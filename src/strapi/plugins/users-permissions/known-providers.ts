import type { Profile } from '../../../access/providers/profile.js';
import { PROFILES } from '../../../access/providers/profiles.js';
import { storedProvider } from '../../../config/provider-settings.js';

/** The argument of a provider's `authCallback`. */
export interface ProviderRequest {
  readonly provider: string;
  readonly accessToken: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly providers: unknown;
}

/** A way to sign in with an account of another service. */
export interface Provider {
  readonly enabled?: boolean;
  readonly icon?: string;
  readonly grantConfig?: unknown;
  readonly authCallback?: (request: ProviderRequest) => Promise<Profile>;
}

/** The providers that Galley knows. Project code adds others. */
export const KNOWN_PROVIDERS: Readonly<Record<string, Provider>> = {
  email: { enabled: true, icon: 'envelope', grantConfig: {} },
  ...Object.fromEntries(
    Object.entries(PROFILES).map(([name, readProfile]): [string, Provider] => [
      name,
      {
        enabled: false,
        authCallback: ({ accessToken, providers }) =>
          readProfile({ accessToken, settings: storedProvider(name, providers) }),
      },
    ]),
  ),
};
