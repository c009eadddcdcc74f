import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';

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

export interface ProfileRequest extends ProviderToken {
  readonly settings: ProviderSettings;
}

export type Body = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 10_000;

/** Why a service did not do what it was asked for. The reason never holds a token. */
export const refused = (provider: string, reason: string, cause?: unknown): Error =>
  createError('auth/provider-refused', { provider, reason }, { cause });

export const textAt = (body: Body, key: string): string | undefined =>
  typeof body[key] === 'string' && body[key] !== '' ? body[key] : undefined;

interface JsonRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

/** Reads JSON from a service, with the access token as the credential. */
export async function readJson(
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
  if (!response.ok) throw refused(name, `${new URL(url).host} has answered with ${response.status}`);
  return response.json().catch((error: unknown) => {
    throw refused(name, `${new URL(url).host} has not answered with JSON`, error);
  });
}

/** As {@link readJson}, of an answer that has to be an object. */
export async function readBody(request: ProfileRequest, url: string, options?: JsonRequest): Promise<Body> {
  const body = await readJson(request, url, options);
  return isRecord(body) ? body : {};
}

/** Addresses that nobody has proven to be theirs identify nobody. */
export const verifiedEmail = (body: Body, flag = 'email_verified'): string | null =>
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
 * Rejects an access token issued to another application, whose owner could otherwise sign in here as its
 * users. The claims are trusted, since the service has accepted the token.
 */
export function assertOwnToken({ accessToken, settings: { name, key } }: ProfileRequest): void {
  const claims = claimsOf(accessToken);
  const client = textAt(claims, 'azp') ?? textAt(claims, 'appid') ?? textAt(claims, 'client_id');
  if (client !== undefined && client !== key) throw refused(name, 'the token is another application’s');
}
