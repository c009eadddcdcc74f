import type { PeopleSettings } from '../../config/people.js';
import type { Database } from '../../database/database.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ReadAccess, ReadQuery, Selection } from '../../query/query.js';
import type { UserReader } from '../user-reader.js';

/** What a write of a user answers, and whom it is for; without `access` it is the server itself. */
export interface UserAnswer {
  readonly selection: Selection;
  readonly access?: ReadAccess | undefined;
}

interface UserWrite extends UserAnswer {
  readonly type: Uid;
  readonly data: unknown;
}

/** What of the document service people are kept with: users are documents like any other, with the project's hooks around them. */
export interface UserDocuments {
  readonly findOne: (query: ReadQuery, documentId: string | null) => Promise<string | null>;
  readonly create: (params: UserWrite) => Promise<{ readonly documentId: string; readonly record: string }>;
  readonly update: (params: UserWrite & { readonly documentId: string }) => Promise<{ readonly record: string } | null>;
  readonly delete: (params: { readonly type: Uid; readonly documentId: string; readonly access?: ReadAccess | undefined }) => Promise<boolean>;
}

/** A message about somebody's account. */
export interface AccountMail {
  readonly purpose: 'reset-password' | 'email-confirmation';
  readonly to: string;
  readonly username: string;
  /** Works once, and not for long. */
  readonly code: string;
  /** Where to go with the code; it holds it already. */
  readonly url: string;
}

/** What the operations about people work with. */
export interface PeopleContext {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: UserDocuments;
  readonly users: UserReader;
  readonly settings: PeopleSettings;
  readonly jwtSecret: string | null;
  readonly sendMail: (mail: AccountMail) => Promise<void>;
  /** Address of the API, for links in messages: `http://127.0.0.1:1337/api`. */
  readonly apiUrl: string;
  /** Does work that nobody waits for, so that the time an answer takes tells nothing; faults are reported. */
  readonly inBackground: (work: () => Promise<void>) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Somebody has signed in. */
export interface SignedIn {
  readonly jwt: string;
  /** Null unless sessions use refresh tokens. */
  readonly refreshToken: string | null;
  /** JSON text of the user's record. */
  readonly user: string;
}
