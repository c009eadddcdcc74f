import { createHash, createHmac, createSecretKey, randomInt, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { AccountContext, SignInResult } from '../accounts/account-context.js';
import { createUser } from '../accounts/users.js';
import { signIn } from '../accounts/sessions.js';
import type { UserState } from '../accounts/user-reader.js';
import { userSelection } from '../accounts/account-context.js';
import { requireJwtSecret } from '../credentials.js';
import { findRole, roleTables } from '../roles/role-tables.js';
import { openAuthorisation } from './authorisation.js';
import type { SignInProofs } from './authorisation.js';
import { PROFILES, readOpenidProfile, refused } from './profiles.js';
import type { Profile } from './profiles.js';

/*
 * Signs users in with accounts of other services. authorisation sends the browser to a service and
 * exchanges codes for tokens; profiles reads the user's profile from it.
 */

/** State that the browser keeps while the user signs in at the service. */
interface Ticket extends SignInProofs {
  readonly provider: string;
  /** The page to redirect to at the end. */
  readonly callback: string;
}

/** Profile of a user, verified by a service. */
interface ProvenProfile extends Profile {
  readonly provider: string;
}

/** Maximum time to sign in at the service. */
const TICKET_SECONDS = 600;
const PROFILE_SECONDS = 120;

const ALGORITHM = 'HS256';

type Purpose = 'sign-in ticket' | 'proven profile';

/** Returns a key for one purpose, so that no sealed value is accepted as a JWT of a user. */
const sealingKeyOf = (secret: string, purpose: Purpose): KeyObject =>
  createSecretKey(createHmac('sha256', secret).update(purpose).digest());

const open = (sealed: string, key: KeyObject): Readonly<Record<string, unknown>> | null => {
  try {
    const claims: unknown = jwt.verify(sealed, key, { algorithms: [ALGORITHM] });
    return isRecord(claims) ? claims : null;
  } catch {
    return null;
  }
};

function sealTicket(ticket: Ticket, secret: string): string {
  const key = sealingKeyOf(secret, 'sign-in ticket');
  return jwt.sign({ ...ticket }, key, { algorithm: ALGORITHM, expiresIn: TICKET_SECONDS });
}

/** Returns the ticket sealed by {@link sealTicket}. Null if it is forged, changed or too old. */
export function openTicket(sealed: string | null, secret: string): Ticket | null {
  const claims = sealed === null ? null : open(sealed, sealingKeyOf(secret, 'sign-in ticket'));
  return claims as Ticket | null;
}

/** Returns a sealed profile. It replaces a token of the service that does not name its application. */
function sealProfile({ provider, username, email }: ProvenProfile, secret: string): string {
  const key = sealingKeyOf(secret, 'proven profile');
  return jwt.sign({ provider, username, email }, key, { algorithm: ALGORITHM, expiresIn: PROFILE_SECONDS });
}

/** Returns the profile sealed by {@link sealProfile}. Null if it is forged, changed or too old. */
function openProfile(sealed: string, secret: string): ProvenProfile | null {
  return open(sealed, sealingKeyOf(secret, 'proven profile')) as ProvenProfile | null;
}

const MIN_NAME_LENGTH = 3;

/** Returns a free name: that of the profile, or one that begins with it. */
const freeName = async ({ users }: AccountContext, wanted: string): Promise<string> => {
  const isFree = async (name: string): Promise<boolean> =>
    name.length >= MIN_NAME_LENGTH &&
    (await users.byIdentifier(name)) === null &&
    (await users.bySimilarName(name)).length === 0;
  if (await isFree(wanted)) return wanted;
  for (let number = 2; number < 10; number += 1)
    if (await isFree(`${wanted}-${number}`)) return `${wanted}-${number}`;
  return `${wanted}-${randomInt(1e9)}`;
};

const signUp = async (
  context: AccountContext,
  {
    profile,
    email,
    provider,
  }: { readonly profile: Profile; readonly email: string; readonly provider: string },
): Promise<UserState | null> => {
  const { defaultRole } = await context.currentSettings();
  const role = await context.database.transact(
    async (tx) => (await findRole(tx, roleTables(context.model), defaultRole)).documentId,
  );
  const username = await freeName(context, profile.username?.trim() || (email.split('@')[0] ?? email));
  const { documentId } = await createUser(
    context,
    { username, email, provider, role, confirmed: true, blocked: false },
    { selection: userSelection(context.model) },
  );
  return context.users.byDocumentId(documentId);
};

const findOrSignUp = async (
  context: AccountContext,
  provider: string,
  profile: Profile,
): Promise<UserState> => {
  const email = (profile.email ?? '').toLowerCase();
  if (email === '') throw createError('auth/provider-without-email');
  const found = await context.users.byIdentifier(email);
  const owner = found?.email === email ? found : null;
  if (owner?.provider === provider) return owner;
  if (!(await context.currentSettings()).allowRegister)
    throw createError('auth/provider-registration-disabled');
  if (owner !== null) throw createError('auth/provider-email-taken');
  const user = await signUp(context, { profile, email, provider });
  if (user === null) throw createError('request/unauthorized');
  return user;
};

/**
 * Signs in the user of a service's profile. Signs the user up first if there is none.
 *
 * @throws `auth/provider-without-email`, `auth/provider-registration-disabled`, `auth/provider-email-taken`,
 *   `auth/account-blocked`
 */
async function connectUser(
  context: AccountContext,
  provider: string,
  profile: Profile,
): Promise<SignInResult> {
  const user = await findOrSignUp(context, provider, profile);
  if (user.blocked) throw createError('auth/account-blocked');
  return signIn(context, user);
}

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

/** Returns the page of the front end, or else the URL that responds with the user. */
const configuredPage = ({ apiUrl }: AccountContext, { name, callback }: ProviderSettings): string =>
  new URL(callback ?? `${apiUrl}/auth/${name}/callback`, apiUrl).href;

const isSamePage = (url: string, page: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [requested, known] = [new URL(url), new URL(page)];
  return requested.origin === known.origin && requested.pathname === known.pathname;
};

/** Returns the requested page. Its query may differ from that of the configured page. */
const requestedPage = async (
  context: AccountContext,
  settings: ProviderSettings,
  requested: unknown,
): Promise<string> => {
  const page = configuredPage(context, settings);
  if (requested === undefined) return page;
  const invalid = (cause?: unknown): Error =>
    createError('auth/invalid-callback', {}, { details: { callback: requested }, cause });
  if (typeof requested !== 'string') throw invalid();
  const { validateCallback } = context;
  if (validateCallback === null) {
    if (!isSamePage(requested, page)) throw invalid();
    return requested;
  }
  try {
    await validateCallback(requested, { ...settings, callback: page });
  } catch (error) {
    throw invalid(error);
  }
  if (!/^https?:\/\//.test(requested) || !URL.canParse(requested)) throw invalid();
  return requested;
};

/**
 * Begins a sign-in. Returns the URL of the service, and a ticket to store in the browser only.
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
  const callback = await requestedPage(context, settings, query['callback']);
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
 * Completes a sign-in at the service. Returns the page to redirect to, with `access_token`, or with `error`
 * if the service has rejected the sign-in.
 *
 * @throws `auth/provider-lost` if the browser has not begun the sign-in, and the errors of
 *   {@link
 *   beginSignIn}
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
  if (userinfoUrl === null) throw refused(name, 'it has no userinfo endpoint');
  const profile = await readOpenidProfile({ settings, accessToken }, userinfoUrl);
  return withParameter(ticket.callback, 'access_token', sealProfile({ ...profile, provider: name }, secret));
}

/**
 * Reads the profile of a user from a known service. Tokens of other issuers do not name their application, so
 * {@link completeSignIn} seals their profiles.
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
 * Signs in the owner of a service's access token.
 *
 * @throws `auth/provider-disabled`, `auth/provider-without-token`, `auth/provider-refused`, and the errors of
 *   {@link connectUser}
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
