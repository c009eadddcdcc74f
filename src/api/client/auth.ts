import { NotFoundError } from './errors.js';
import type { Session } from './session.js';
import type { RequestOptions, Transport } from './transport.js';

/** Somebody who has signed in. There is no JWT where an address has to be confirmed first. */
export interface SignedIn<User> extends Partial<Session> {
  readonly user: User;
}

export interface Auth<User> {
  /** The session, or null where nobody is signed in. */
  readonly session: Session | null;
  /** Takes a session from elsewhere, or forgets it. */
  use(session: Session | null): void;
  signIn(
    credentials: { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  register(
    account: {
      readonly username: string;
      readonly email: string;
      readonly password: string;
      readonly [attribute: string]: unknown;
    },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<void>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  changePassword(
    body: {
      readonly currentPassword: string;
      readonly password: string;
      readonly passwordConfirmation: string;
    },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  sendConfirmation(body: { readonly email: string }, options?: RequestOptions): Promise<void>;
  /** Renews the session. Returns whether it goes on. Requests do so by themselves. */
  refresh(): Promise<boolean>;
  /** Returns the signed-in user. */
  me(query?: { readonly populate?: unknown }, options?: RequestOptions): Promise<User>;
  /** Ends the session, also where the server cannot be reached. */
  signOut(options?: RequestOptions): Promise<void>;
}

/** Signing up, in and out, and passwords. */
export function createAuth({ options: { prefix, cookies }, send, sessions, renew }: Transport): Auth<never> {
  const post =
    (path: string, isAnonymous = true) =>
    (body: object, options?: RequestOptions): Promise<unknown> =>
      send('POST', `${prefix}/auth/${path}`, { body, isAnonymous, ...options });
  const start =
    (path: string, isAnonymous?: boolean) =>
    async (body: object, options?: RequestOptions): Promise<unknown> => {
      const answer = (await post(path, isAnonymous)(body, options)) as SignedIn<unknown>;
      const { jwt, refreshToken } = answer;
      if (jwt !== undefined) sessions.set({ jwt, ...(refreshToken && { refreshToken }) });
      return answer;
    };
  const auth = {
    get session() {
      return sessions.get();
    },
    use: sessions.set,
    signIn: start('local'),
    register: start('local/register'),
    forgotPassword: post('forgot-password'),
    resetPassword: start('reset-password'),
    changePassword: start('change-password', false),
    sendConfirmation: post('send-email-confirmation'),
    refresh: () => renew(sessions.get()?.jwt),
    me: (query?: object, options?: RequestOptions) =>
      send('GET', `${prefix}/users/me`, { query, ...options }),
    signOut: async (options?: RequestOptions) => {
      const session = sessions.get();
      try {
        if (session !== null || cookies) await post('logout', false)({}, options);
      } catch (error) {
        // Strapi ends no sessions without refresh tokens.
        if (!(error instanceof NotFoundError)) throw error;
      } finally {
        sessions.set(null);
      }
    },
  };
  return auth as never;
}
