import type { ClientAuth, Configuration } from 'openid-client';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import { refused } from './profiles.js';
import type { ProviderToken } from './profiles.js';

/** The OAuth endpoints of a service. `[subdomain]` stands for the setting of that name. */
interface Service {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Issuer of its identity tokens. Default: the origin of `authorizeUrl`. */
  readonly issuer?: string;
  readonly scope: readonly string[];
  /** Delimiter between scopes. Default: a space. */
  readonly delimiter?: ',';
  /** True if the secret goes into a header instead of the body of the request for tokens. */
  readonly usesBasic?: true;
  /** True if it supports proof (PKCE) that the client requesting tokens began the sign-in. */
  readonly takesProof?: true;
}

/** Values that identify one sign-in when the browser returns. */
export interface SignInProofs {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** A service that users sign in with. */
export interface Authorisation {
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly proofs: SignInProofs }>;
  /** Exchanges the code in the address to which the service has redirected the browser. */
  readonly exchange: (address: URL, proofs: SignInProofs) => Promise<ProviderToken>;
  /** URL of the userinfo endpoint of an OpenID Connect service. Null if it has none. */
  readonly userinfoUrl: string | null;
}

const OPENID_SCOPE = ['openid', 'email', 'profile'];

/** The known services, by Strapi's names. */
export const SERVICES: Readonly<Record<string, Service>> = {
  auth0: {
    authorizeUrl: 'https://[subdomain].auth0.com/authorize',
    tokenUrl: 'https://[subdomain].auth0.com/oauth/token',
    issuer: 'https://[subdomain].auth0.com/',
    scope: OPENID_SCOPE,
    takesProof: true,
  },
  cas: {
    authorizeUrl: 'https://[subdomain]/oidc/authorize',
    tokenUrl: 'https://[subdomain]/oidc/token',
    issuer: 'https://[subdomain]/oidc',
    scope: ['openid', 'email'],
  },
  cognito: {
    authorizeUrl: 'https://[subdomain]/oauth2/authorize',
    tokenUrl: 'https://[subdomain]/oauth2/token',
    scope: OPENID_SCOPE,
    takesProof: true,
  },
  discord: {
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    scope: ['identify', 'email'],
  },
  facebook: {
    authorizeUrl: 'https://www.facebook.com/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/oauth/access_token',
    scope: ['email'],
    delimiter: ',',
  },
  github: {
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scope: ['user', 'user:email'],
    delimiter: ',',
    takesProof: true,
  },
  google: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scope: ['email'],
    takesProof: true,
  },
  keycloak: {
    authorizeUrl: 'https://[subdomain]/protocol/openid-connect/auth',
    tokenUrl: 'https://[subdomain]/protocol/openid-connect/token',
    issuer: 'https://[subdomain]',
    scope: OPENID_SCOPE,
    takesProof: true,
  },
  linkedin: {
    authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    issuer: 'https://www.linkedin.com/oauth',
    scope: OPENID_SCOPE,
  },
  microsoft: {
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: ['user.read'],
    takesProof: true,
  },
  patreon: {
    authorizeUrl: 'https://www.patreon.com/oauth2/authorize',
    tokenUrl: 'https://www.patreon.com/api/oauth2/token',
    scope: ['identity', 'identity[email]'],
  },
  reddit: {
    authorizeUrl: 'https://www.reddit.com/api/v1/authorize',
    tokenUrl: 'https://www.reddit.com/api/v1/access_token',
    scope: ['identity'],
    delimiter: ',',
    usesBasic: true,
  },
  twitch: {
    authorizeUrl: 'https://id.twitch.tv/oauth2/authorize',
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
    issuer: 'https://id.twitch.tv/oauth2',
    scope: ['user:read:email'],
  },
};

/** Services that Strapi supports and Galley does not, with the reason. */
export const UNSUPPORTED_SERVICES: Readonly<Record<string, string>> = {
  twitter: 'it requires OAuth 1, which is not supported',
  instagram: 'it has closed its sign-in for personal accounts',
  vk: 'it has closed the sign-in that Strapi uses',
};

const TIMEOUT_SECONDS = 10;

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Returns the reason of a rejection in a few words, without the data of the request. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { error: name, code } = error as Error & { readonly error?: unknown; readonly code?: unknown };
  if (typeof name === 'string') return name;
  return typeof code === 'string' ? code : error.message;
};

const callService = async <T>(provider: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    throw refused(provider, `it responded: ${reasonOf(error)}`, error);
  }
};

const serviceOf = ({ name, subdomain }: ProviderSettings): Service => {
  const service = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  const reason = UNSUPPORTED_SERVICES[name] ?? 'it is not a known service and has no "issuer"';
  if (service === undefined) throw createError('auth/provider-unsupported', { provider: name, reason });
  const fill = (url: string): string => {
    if (!url.includes('[subdomain]')) return url;
    if (subdomain === null) throw refused(name, 'its setting "subdomain" is missing');
    return url.replace('[subdomain]', subdomain);
  };
  return {
    ...service,
    authorizeUrl: fill(service.authorizeUrl),
    tokenUrl: fill(service.tokenUrl),
    ...(service.issuer === undefined ? {} : { issuer: fill(service.issuer) }),
  };
};

/** Returns the issuer. For Cognito, it follows from the address of its keys. */
const issuerOf = ({ authorizeUrl, issuer }: Service, { jwksUrl }: ProviderSettings): string =>
  issuer ?? jwksUrl?.replace(/\/\.well-known\/jwks\.json$/, '') ?? new URL(authorizeUrl).origin;

interface Client {
  readonly configuration: Configuration;
  readonly scope: string;
  readonly takesProof: boolean;
}

const openKnownClient = async (settings: ProviderSettings): Promise<Client> => {
  const { Configuration, ClientSecretBasic, ClientSecretPost } = await import('openid-client');
  const service = serviceOf(settings);
  const { key, secret, scope } = settings;
  const configuration = new Configuration(
    {
      issuer: issuerOf(service, settings),
      authorization_endpoint: service.authorizeUrl,
      token_endpoint: service.tokenUrl,
    },
    key,
    undefined,
    service.usesBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret),
  );
  configuration.timeout = TIMEOUT_SECONDS;
  return {
    configuration,
    scope: (scope ?? service.scope).join(service.delimiter ?? ' '),
    takesProof: service.takesProof === true,
  };
};

/** Sends the secret in the body if the issuer supports it, or else in a header. */
const secretOf =
  (
    { ClientSecretBasic, ClientSecretPost, None }: typeof import('openid-client'),
    secret: string,
  ): ClientAuth =>
  (server, client, body, headers) => {
    if (secret === '') return None()(server, client, body, headers);
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
    const send = takesBody ? ClientSecretPost(secret) : ClientSecretBasic(secret);
    return send(server, client, body, headers);
  };

const openIssuer = async (settings: ProviderSettings, issuer: string): Promise<Client> => {
  const openid = await import('openid-client');
  const { name, key, secret, scope } = settings;
  if (!URL.canParse(issuer)) throw refused(name, 'its setting "issuer" is not a URL');
  const server = new URL(issuer);
  const configuration = await callService(name, () =>
    openid.discovery(server, key, undefined, secretOf(openid, secret), {
      timeout: TIMEOUT_SECONDS,
      // Only for services on the same machine, during development.
      ...(isLoopback(server) ? { execute: [openid.allowInsecureRequests] } : {}),
    }),
  );
  return { configuration, scope: (scope ?? OPENID_SCOPE).join(' '), takesProof: true };
};

const beginWith = async (
  { configuration, scope, takesProof }: Client,
  redirectUri: string,
): ReturnType<Authorisation['begin']> => {
  const openid = await import('openid-client');
  const proofs = {
    state: openid.randomState(),
    verifier: takesProof ? openid.randomPKCECodeVerifier() : '',
    nonce: scope.split(' ').includes('openid') ? openid.randomNonce() : '',
  };
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state: proofs.state,
    ...(proofs.nonce === '' ? {} : { nonce: proofs.nonce }),
    ...(takesProof
      ? {
          code_challenge: await openid.calculatePKCECodeChallenge(proofs.verifier),
          code_challenge_method: 'S256',
        }
      : {}),
  });
  return { url: url.href, proofs };
};

/** Opens the service of a provider's settings. */
export async function openAuthorisation(settings: ProviderSettings): Promise<Authorisation> {
  const { name, key, issuer } = settings;
  if (key === '') throw refused(name, 'its setting "key" is missing');
  const client = await (issuer === null ? openKnownClient(settings) : openIssuer(settings, issuer));
  const { configuration } = client;
  return {
    userinfoUrl: configuration.serverMetadata().userinfo_endpoint ?? null,
    begin: (redirectUri) => beginWith(client, redirectUri),
    exchange: async (address, { state, verifier, nonce }) => {
      const { authorizationCodeGrant } = await import('openid-client');
      const tokens = await callService(name, () =>
        authorizationCodeGrant(configuration, address, {
          expectedState: state,
          ...(nonce === '' ? {} : { expectedNonce: nonce }),
          ...(verifier === '' ? {} : { pkceCodeVerifier: verifier }),
        }),
      );
      return { accessToken: tokens.access_token };
    },
  };
}
