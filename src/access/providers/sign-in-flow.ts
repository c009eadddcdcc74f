import { createHash, timingSafeEqual } from 'node:crypto';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import type { AccountContext, SignInResult } from '../accounts/account-context.js';
import { requireJwtSecret } from '../accounts/jwt.js';
import { openAuthorisation } from './authorisation.js';
import { connectUser } from './connect-user.js';
import { refused } from './profile.js';
import type { Profile } from './profile.js';
import { PROFILES, readOpenidProfile } from './profiles.js';
import { openProfile, openTicket, sealProfile, sealTicket } from './ticket.js';

type Query = Readonly<Record<string, unknown>>;

const knownProfile = ({ name, issuer }: ProviderSettings): (typeof PROFILES)[string] | null =>
  issuer === null && Object.hasOwn(PROFILES, name) ? (PROFILES[name] ?? null) : null;

const enabledProvider = async ({ providers }: AccountContext, name: string): Promise<ProviderSettings> => {
  const settings = (await providers()).get(name);
  if (settings === undefined || !settings.isEnabled) throw createError('auth/provider-disabled');
  return settings;
};

/** Returns the URL to which the service redirects the browser. It must be registered with the service. */
export function redirectUri({ apiUrl }: Pick<AccountContext, 'apiUrl'>, name: string): string {
  return `${apiUrl}/connect/${name}/callback`;
}

/** Without a page of a front end, the address that answers with the user. */
const pageOf = ({ apiUrl }: AccountContext, { name, callback }: ProviderSettings): string =>
  new URL(callback ?? `${apiUrl}/auth/${name}/callback`, apiUrl).href;

const isSamePage = (url: string, page: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [asked, known] = [new URL(url), new URL(page)];
  return asked.origin === known.origin && asked.pathname === known.pathname;
};

/** The page that the request asks for, which may differ from the known one in its query only. */
const askedPage = async (
  context: AccountContext,
  settings: ProviderSettings,
  asked: unknown,
): Promise<string> => {
  const page = pageOf(context, settings);
  if (asked === undefined) return page;
  const invalid = (cause?: unknown): Error =>
    createError('auth/invalid-callback', {}, { details: { callback: asked }, cause });
  if (typeof asked !== 'string') throw invalid();
  const { validateCallback } = context;
  if (validateCallback === null) {
    if (!isSamePage(asked, page)) throw invalid();
    return asked;
  }
  try {
    await validateCallback(asked, { ...settings, callback: page });
  } catch (error) {
    throw invalid(error);
  }
  if (!/^https?:\/\//.test(asked) || !URL.canParse(asked)) throw invalid();
  return asked;
};

/**
 * Begins a sign-in. Returns the address of the service, and a ticket that only the browser may keep.
 *
 * @throws `auth/provider-disabled`, `auth/provider-unsupported`, `auth/provider-refused`,
 *   `auth/invalid-callback`
 */
export async function beginSignIn(
  context: AccountContext,
  name: string,
  query: Query,
): Promise<{ readonly url: string; readonly ticket: string }> {
  const settings = await enabledProvider(context, name);
  const callback = await askedPage(context, settings, query['callback']);
  const secret = requireJwtSecret(context.jwtSecret);
  const { begin } = await openAuthorisation(settings);
  const { url, proofs } = await begin(redirectUri(context, name));
  return { url, ticket: sealTicket({ provider: name, callback, ...proofs }, secret) };
}

const isSame = (left: unknown, right: string): boolean => {
  if (typeof left !== 'string') return false;
  const [first, second] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
};

const withParameter = (page: string, name: string, value: string): string => {
  const url = new URL(page);
  url.searchParams.set(name, value);
  return url.href;
};

/**
 * Ends a sign-in at the service. Returns the page to go to, with `access_token`, or with `error` where the
 * service says that there will be none.
 *
 * @throws `auth/provider-lost` where the browser has not begun it, and what {@link beginSignIn} throws
 */
export async function completeSignIn(
  context: AccountContext,
  name: string,
  { ticket: sealed, query, queryText }: { ticket: string | null; query: Query; queryText: string },
): Promise<string> {
  const settings = await enabledProvider(context, name);
  const secret = requireJwtSecret(context.jwtSecret);
  const ticket = openTicket(sealed, secret);
  if (ticket?.provider !== name || !isSame(query['state'], ticket.state))
    throw createError('auth/provider-lost', { provider: name });
  const { error } = query;
  if (typeof error === 'string') return withParameter(ticket.callback, 'error', error);
  const authorisation = await openAuthorisation(settings);
  const { accessToken } = await authorisation.exchange(
    new URL(`${redirectUri(context, name)}?${queryText}`),
    ticket,
  );
  const { userinfoUrl } = authorisation;
  if (knownProfile(settings) !== null) return withParameter(ticket.callback, 'access_token', accessToken);
  if (userinfoUrl === null) throw refused(name, 'it does not tell who somebody is');
  const profile = await readOpenidProfile({ settings, accessToken }, userinfoUrl);
  return withParameter(ticket.callback, 'access_token', sealProfile({ ...profile, provider: name }, secret));
}

/**
 * Asks a known service who somebody is. Tokens of other issuers do not say which application they were given
 * to, so that {@link completeSignIn} gives out what it has learnt itself.
 */
const readProfile = async (
  { jwtSecret }: AccountContext,
  settings: ProviderSettings,
  accessToken: string,
): Promise<Profile> => {
  const known = knownProfile(settings);
  if (known !== null) return known({ settings, accessToken });
  const profile = openProfile(accessToken, requireJwtSecret(jwtSecret));
  if (profile?.provider !== settings.name) throw refused(settings.name, 'the token is unknown or too old');
  return profile;
};

/**
 * Signs in whom an access token of a service belongs to.
 *
 * @throws `auth/provider-disabled`, `auth/provider-without-token`, `auth/provider-refused`, and what
 *   {@link connectUser} throws
 */
export async function signInWithProvider(
  context: AccountContext,
  name: string,
  query: Query,
): Promise<SignInResult> {
  const settings = await enabledProvider(context, name);
  const accessToken = query['access_token'] ?? query['code'] ?? query['oauth_token'];
  if (typeof accessToken !== 'string' || accessToken === '') throw createError('auth/provider-without-token');
  return connectUser(context, name, await readProfile(context, settings, accessToken));
}
