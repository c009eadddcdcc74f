import { createHmac } from 'node:crypto';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';

/** Profile that a service returns for a user who signs in with it. */
export interface Profile {
  readonly username?: string | undefined;
  readonly email?: string | null | undefined;
  readonly [key: string]: unknown;
}

/** The token of a service for one of its users. */
export interface ProviderToken {
  readonly accessToken: string;
}

interface ProfileRequest extends ProviderToken {
  readonly settings: ProviderSettings;
}

type Body = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 10_000;

/** Returns the error of a service that rejected a request. The reason must not contain a token. */
export const refused = (provider: string, reason: string, cause?: unknown): Error =>
  createError('auth/provider-refused', { provider, reason }, { cause });

const textAt = (body: Body, key: string): string | undefined =>
  typeof body[key] === 'string' && body[key] !== '' ? body[key] : undefined;

interface JsonRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

/** Reads JSON from a service, with the access token as the credential. */
async function readJson(
  { accessToken, settings: { name } }: ProfileRequest,
  url: string,
  { headers = {}, body }: JsonRequest = {},
): Promise<unknown> {
  const credential = body === undefined ? { authorization: `Bearer ${accessToken}` } : {};
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { accept: 'application/json', 'user-agent': 'galley', ...credential, ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw refused(name, `${new URL(url).host} cannot be reached`, error);
  });
  if (!response.ok) throw refused(name, `${new URL(url).host} responded with ${response.status}`);
  return response.json().catch((error: unknown) => {
    throw refused(name, `${new URL(url).host} responded with something other than JSON`, error);
  });
}

/** Reads a JSON object from a service; empty if the response is not an object. */
async function readBody(request: ProfileRequest, url: string, options?: JsonRequest): Promise<Body> {
  const body = await readJson(request, url, options);
  return isRecord(body) ? body : {};
}

/** Returns the address of a profile; null if it is not verified, since it does not identify the user. */
const verifiedEmail = (body: Body, flag = 'email_verified'): string | null =>
  body[flag] === false || body[flag] === 'false' ? null : (textAt(body, 'email') ?? null);

const claimsOf = (token: string): Body => {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
};

/**
 * Rejects an access token whose claims name another application. The owner of that could otherwise sign in
 * here as its users. The claims are trusted, since the service has accepted the token.
 */
function assertTokenClient({ accessToken, settings: { name, key } }: ProfileRequest): void {
  const claims = claimsOf(accessToken);
  const client = textAt(claims, 'azp') ?? textAt(claims, 'appid') ?? textAt(claims, 'client_id');
  if (client !== undefined && client !== key) throw refused(name, 'the token is another application’s');
}

type ReadProfile = (request: ProfileRequest) => Promise<Profile>;

/** Returns Strapi's placeholder address for a user of a service that returns none. */
const placeholderEmail = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${name.replace(/\s+/g, '.')}@strapi.io`;

/** Rejects an access token that was issued to another application. */
const assertClient = ({ settings: { name, key } }: ProfileRequest, client: unknown): void => {
  if (client !== key) throw refused(name, 'the token is another application’s');
};

const github: ReadProfile = async (request) => {
  const url = 'https://api.github.com';
  const { key, secret } = request.settings;
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const response = await fetch(`${url}/applications/${encodeURIComponent(key)}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json', 'user-agent': 'galley' },
    body: JSON.stringify({ access_token: request.accessToken }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw refused('github', 'api.github.com cannot be reached', error);
  });
  if (!response.ok) throw refused('github', 'the token is another application’s, or has expired');
  const username = textAt(await readBody(request, `${url}/user`), 'login');
  const addresses = await readJson(request, `${url}/user/emails`);
  const primary = Array.isArray(addresses)
    ? addresses.filter(isRecord).find((each) => each['primary'] === true)
    : undefined;
  return { username, email: primary === undefined ? null : verifiedEmail(primary, 'verified') };
};

const google: ReadProfile = async (request) => {
  const body = await readBody(request, 'https://oauth2.googleapis.com/tokeninfo', {
    body: new URLSearchParams({ access_token: request.accessToken }),
  });
  assertClient(request, body['aud']);
  const email = verifiedEmail(body);
  return { username: email?.split('@')[0], email };
};

const discord: ReadProfile = async (request) => {
  const { application } = await readBody(request, 'https://discord.com/api/oauth2/@me');
  assertClient(request, isRecord(application) ? application['id'] : undefined);
  const body = await readBody(request, 'https://discord.com/api/users/@me');
  const [name, number] = [textAt(body, 'username'), textAt(body, 'discriminator')];
  const username = number === undefined || number === '0' ? name : `${name ?? ''}#${number}`;
  return { username, email: verifiedEmail(body, 'verified') };
};

const facebook: ReadProfile = async (request) => {
  const { accessToken, settings } = request;
  const url = 'https://graph.facebook.com';
  // A proof is valid only for tokens of the application whose secret signs it.
  const proof = createHmac('sha256', settings.secret).update(accessToken).digest('hex');
  const body = await readBody(request, `${url}/me?fields=name,email&appsecret_proof=${proof}`);
  return { username: textAt(body, 'name'), email: textAt(body, 'email') };
};

const microsoft: ReadProfile = async (request) => {
  const body = await readBody(request, 'https://graph.microsoft.com/v1.0/me');
  assertTokenClient(request);
  const name = textAt(body, 'userPrincipalName');
  return { username: name, email: name };
};

const twitch: ReadProfile = async (request) => {
  const { accessToken, settings } = request;
  const { client_id: client } = await readBody(request, 'https://id.twitch.tv/oauth2/validate', {
    headers: { authorization: `OAuth ${accessToken}` },
  });
  assertClient(request, client);
  const { data } = await readBody(request, 'https://api.twitch.tv/helix/users', {
    headers: { 'client-id': settings.key },
  });
  const [user] = Array.isArray(data) ? data.filter(isRecord) : [];
  return user === undefined ? {} : { username: textAt(user, 'login'), email: textAt(user, 'email') };
};

const reddit: ReadProfile = async (request) => {
  const name = textAt(await readBody(request, 'https://oauth.reddit.com/api/v1/me'), 'name');
  return { username: name, email: placeholderEmail(name) };
};

const patreon: ReadProfile = async (request) => {
  const query = new URLSearchParams({ 'fields[user]': 'full_name,email,is_email_verified' });
  const { data } = await readBody(
    request,
    `https://www.patreon.com/api/oauth2/v2/identity?${query.toString()}`,
  );
  const user = isRecord(data) && isRecord(data['attributes']) ? data['attributes'] : {};
  return { username: textAt(user, 'full_name'), email: verifiedEmail(user, 'is_email_verified') };
};

/** Returns the profile in a response of an OpenID Connect userinfo endpoint. */
const openidProfile = (body: Body): Profile => {
  const email = verifiedEmail(body);
  return {
    username:
      textAt(body, 'preferred_username') ??
      textAt(body, 'nickname') ??
      textAt(body, 'name') ??
      email?.split('@')[0],
    email,
  };
};

/** Reads the profile at the userinfo endpoint of a service with OpenID Connect. */
export async function readOpenidProfile(request: ProfileRequest, url: string): Promise<Profile> {
  const body = await readBody(request, url);
  assertTokenClient(request);
  return openidProfile(body);
}

const subdomainOf = ({ name, subdomain }: ProviderSettings): string => {
  if (subdomain === null) throw refused(name, 'its setting "subdomain" is missing');
  return subdomain;
};

const auth0: ReadProfile = async (request) => {
  const body = await readBody(request, `https://${subdomainOf(request.settings)}.auth0.com/userinfo`);
  assertTokenClient(request);
  const username =
    textAt(body, 'username') ??
    textAt(body, 'nickname') ??
    textAt(body, 'name') ??
    textAt(body, 'email')?.split('@')[0];
  return {
    username,
    email: textAt(body, 'email') === undefined ? placeholderEmail(username) : verifiedEmail(body),
  };
};

const cas: ReadProfile = async (request) => {
  const body = await readBody(request, `https://${subdomainOf(request.settings)}/oidc/profile`);
  const inner = isRecord(body['attributes']) ? body['attributes'] : body;
  return {
    username: textAt(inner, 'strapiusername') ?? textAt(body, 'id') ?? textAt(body, 'sub'),
    email: textAt(inner, 'strapiemail') ?? textAt(inner, 'email'),
  };
};

/** Functions that read the profile of a user at each known service. */
export const PROFILES: Readonly<Record<string, ReadProfile>> = {
  auth0,
  cas,
  cognito: (request) =>
    readOpenidProfile(request, `https://${subdomainOf(request.settings)}/oauth2/userInfo`),
  discord,
  facebook,
  github,
  google,
  keycloak: (request) =>
    readOpenidProfile(request, `https://${subdomainOf(request.settings)}/protocol/openid-connect/userinfo`),
  linkedin: (request) => readOpenidProfile(request, 'https://api.linkedin.com/v2/userinfo'),
  microsoft,
  patreon,
  reddit,
  twitch,
};
