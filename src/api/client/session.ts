/** The tokens that keep a user signed in. */
export interface Session {
  readonly jwt: string;
  /** Only where the server gives short-lived JWTs. */
  readonly refreshToken?: string;
}

/** The storage that keeps a session beyond the page, such as `localStorage`. */
export interface SessionStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The name of a stored session, and of the lock under which it is renewed. */
export const SESSION_KEY = 'galley-session';

export interface SessionStore {
  readonly get: () => Session | null;
  readonly set: (session: Session | null) => void;
}

/** Keeps a session in memory, or in a storage that other pages share. */
export function createSessionStore(storage?: SessionStorage): SessionStore {
  let session: Session | null = null;
  if (storage === undefined) return { get: () => session, set: (value) => void (session = value) };
  return {
    get: () => JSON.parse(storage.getItem(SESSION_KEY) ?? 'null') as Session | null,
    set: (value) =>
      value === null ? storage.removeItem(SESSION_KEY) : storage.setItem(SESSION_KEY, JSON.stringify(value)),
  };
}
