import type { ClientAuth, Configuration } from 'openid-client';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import { refused } from './profile.js';
import type { ProviderToken } from './profile.js';
import { SERVICES, UNSUPPORTED_SERVICES } from './services.js';
import type { Service } from './services.js';

/** Values that identify one sign-in when the browser returns. */
export interface SignInProofs {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** A service as somebody is sent to it. */
export interface Authorisation {
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly proofs: SignInProofs }>;
  /** Exchanges the code in the address that the browser was sent back to. */
  readonly exchange: (address: URL, proofs: SignInProofs) => Promise<ProviderToken>;
  /** URL of the userinfo endpoint of an OpenID Connect service. Null if it has none. */
  readonly userinfoUrl: string | null;
}

const TIMEOUT_SECONDS = 10;
const OPENID = ['openid', 'email', 'profile'];

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Says in a few words why a service refused, without what it was sent. */
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
    throw refused(provider, `it has answered: ${reasonOf(error)}`, error);
  }
};

const serviceOf = ({ name, subdomain }: ProviderSettings): Service => {
  const service = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  const reason = UNSUPPORTED_SERVICES[name] ?? 'it is none of the known ones and has no "issuer"';
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

/** Cognito names its issuer only by the address of its keys. */
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

/** Sends the secret as the issuer takes it: in a header where it does not say. */
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
  if (!URL.canParse(issuer)) throw refused(name, 'its setting "issuer" is no address');
  const server = new URL(issuer);
  const configuration = await callService(name, () =>
    openid.discovery(server, key, undefined, secretOf(openid, secret), {
      timeout: TIMEOUT_SECONDS,
      // Only for services on the same machine, while developing.
      ...(isLoopback(server) ? { execute: [openid.allowInsecureRequests] } : {}),
    }),
  );
  return { configuration, scope: (scope ?? OPENID).join(' '), takesProof: true };
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

/** Opens the service that the settings of a provider name. */
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
