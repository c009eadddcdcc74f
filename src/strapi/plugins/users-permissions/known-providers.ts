import { isRecord } from '../../../lib/is-record.js';

/** What a provider tells about a user who signs in with it. */
export interface Profile {
  readonly username?: string | undefined;
  readonly email?: string | null | undefined;
  readonly [key: string]: unknown;
}

/** What a provider is called with. */
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

type Body = Readonly<Record<string, unknown>>;

const textAt = (body: Body, key: string): string | undefined =>
  typeof body[key] === 'string' ? body[key] : undefined;

const readJson = async (url: string, accessToken: string): Promise<unknown> => {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'galley' },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${new URL(url).host} has answered with ${response.status}.`);
  return response.json();
};

/** A provider that returns the profile at one address. */
const providerAt = (url: string, toProfile: (body: Body) => Profile): Provider => ({
  enabled: false,
  authCallback: async ({ accessToken }) => {
    const body = await readJson(url, accessToken);
    return isRecord(body) ? toProfile(body) : {};
  },
});

const GITHUB_USER = 'https://api.github.com/user';

const github: Provider = {
  enabled: false,
  authCallback: async ({ accessToken }) => {
    const user = await readJson(GITHUB_USER, accessToken);
    const username = isRecord(user) ? textAt(user, 'login') : undefined;
    const email = isRecord(user) ? textAt(user, 'email') : undefined;
    if (email !== undefined) return { username, email };
    const addresses = await readJson(`${GITHUB_USER}/emails`, accessToken);
    const primary = Array.isArray(addresses)
      ? addresses.find((each: unknown) => isRecord(each) && each['primary'] === true)
      : undefined;
    return { username, email: isRecord(primary) ? textAt(primary, 'email') : null };
  },
};

/** The providers that Galley knows. Project code adds others. */
export const KNOWN_PROVIDERS: Readonly<Record<string, Provider>> = {
  email: { enabled: true, icon: 'envelope', grantConfig: {} },
  github,
  google: providerAt('https://openidconnect.googleapis.com/v1/userinfo', (body) => ({
    username: textAt(body, 'email')?.split('@')[0],
    email: textAt(body, 'email'),
  })),
  discord: providerAt('https://discord.com/api/users/@me', (body) => ({
    username: textAt(body, 'username'),
    email: textAt(body, 'email'),
  })),
  facebook: providerAt('https://graph.facebook.com/me?fields=name,email', (body) => ({
    username: textAt(body, 'name'),
    email: textAt(body, 'email'),
  })),
  microsoft: providerAt('https://graph.microsoft.com/v1.0/me', (body) => ({
    username: textAt(body, 'userPrincipalName'),
    email: textAt(body, 'userPrincipalName'),
  })),
};
