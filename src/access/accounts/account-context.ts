import type { AccountSettings } from '../../config/account-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import type { Database } from '../../database/database.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { AttemptLimiter } from './attempts.js';
import type { UserReader } from './user-reader.js';

/**
 * Options for a write of a user: the returned selection, and the writer's access. Without `access`, the
 * server writes.
 */
export interface UserWriteOptions {
  readonly selection: Selection;
  readonly access?: ReadAccess | undefined;
}

interface UserWrite extends UserWriteOptions {
  readonly type: Uid;
  readonly data: unknown;
}

/**
 * The part of the document service that stores users. They are documents like any other, with the project's
 * hooks around their writes.
 */
interface UserDocuments {
  readonly findOne: (query: ReadQuery, documentId: string | null) => Promise<string | null>;
  readonly create: (params: UserWrite) => Promise<{ readonly documentId: string; readonly record: string }>;
  readonly update: (
    params: UserWrite & { readonly documentId: string },
  ) => Promise<{ readonly record: string } | null>;
  readonly delete: (params: {
    readonly type: Uid;
    readonly documentId: string;
    readonly access?: ReadAccess | undefined;
  }) => Promise<boolean>;
}

/** A message about a user's account. */
export interface AccountMail {
  readonly purpose: 'reset-password' | 'email-confirmation';
  readonly to: string;
  readonly username: string;
  /** Can be used once, for a limited time. */
  readonly code: string;
  /** The link to follow; it contains the code. */
  readonly url: string;
}

/** A message as it is sent. */
interface FilledMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Dependencies of the operations on accounts. */
export interface AccountContext {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: UserDocuments;
  readonly users: UserReader;
  /** The configured settings. */
  readonly settings: AccountSettings;
  /** Returns the settings in effect, including stored ones, which may change while the server runs. */
  readonly currentSettings: () => Promise<AccountSettings>;
  /** Returns the current settings of the services that sign people in. */
  readonly providers: () => Promise<ReadonlyMap<string, ProviderSettings>>;
  /** The project's own rule for pages that a sign-in may end at. Throws for those that it refuses. */
  readonly validateCallback: ((callback: string, provider: ProviderSettings) => unknown) | null;
  /** The project's own rule for passwords. Throws, or returns false, for those that it refuses. */
  readonly validatePassword: ((password: string) => unknown) | null;
  readonly attempts: AttemptLimiter;
  readonly jwtSecret: string | null;
  readonly sendMail: (mail: AccountMail) => Promise<void>;
  /** Does what sending a message costs this process, and sends nothing. */
  readonly rehearseMail: (mail: AccountMail) => Promise<void>;
  /** Has messages sent by something else than the project's own settings. */
  readonly replaceMailer: (send: (message: FilledMail) => Promise<void>) => void;
  /** The URL of the API, for links in messages: `http://127.0.0.1:1337/api`. */
  readonly apiUrl: string;
  /**
   * Runs work after the response, so that the time of the response reveals nothing about it. Errors are
   * reported.
   */
  readonly runInBackground: (work: () => Promise<void>) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The result of signing in. */
export interface SignInResult {
  readonly jwt: string;
  /** Null unless sessions use refresh tokens. */
  readonly refreshToken: string | null;
  /** JSON text of the user's record. */
  readonly user: string;
}

/** The result of an operation that signs the user in only if the address is confirmed. */
export type AccountResult = SignInResult | Pick<SignInResult, 'user'>;
