import type { AccountSettings } from '../../config/account-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import type { Database } from '../../database/database.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { invalidKey, invalidValues } from '../../documents/validation/issues.js';
import { createError } from '../../errors/catalogue.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { parseRecordId } from '../../lib/ids.js';
import { ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { defaultSelection, publishedQuery } from '../../query/parse/server-queries.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import type { AccessScope, ReadAccess } from '../../query/read-access.js';
import type { Caller } from '../access.js';
import type { AttemptLimiter } from './attempts.js';
import type { UserReader, UserState } from './user-reader.js';

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
  /** A code that can be used once, for a limited time. */
  readonly code: string;
  /** The link to follow; it contains the code. */
  readonly url: string;
}

/** A message ready to be sent. */
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
  /** The project's rule for pages that a sign-in may redirect to. Throws for rejected pages. */
  readonly validateCallback: ((callback: string, provider: ProviderSettings) => unknown) | null;
  /** The project's rule for passwords. Throws, or returns false, for rejected ones. */
  readonly validatePassword: ((password: string) => unknown) | null;
  readonly attempts: AttemptLimiter;
  /** The log of sign-ins. Absent: they are not logged. */
  readonly log?: Pick<WriteLog, 'record' | 'reject' | 'actors'>;
  readonly jwtSecret: string | null;
  readonly sendMail: (mail: AccountMail) => Promise<void>;
  /** Takes as long as sending a message does in this process, but sends nothing. */
  readonly rehearseMail: (mail: AccountMail) => Promise<void>;
  /** Replaces the mail transport of the project's settings. */
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

const NO_FIELDS: ReadonlySet<string> = new Set();

/**
 * Returns the access for counting users. The permission to count limits the counted users. They can be
 * filtered only by attributes that `find` shows, since counting would reveal the others.
 */
export function countAccess(access: ReadAccess): ReadAccess {
  const scopeOf = (uid: Uid, action: string): AccessScope | null => access.scopeOf?.(uid, action) ?? null;
  const fields = access.canFind(USER_UID) ? (scopeOf(USER_UID, 'find')?.fields ?? null) : NO_FIELDS;
  return {
    ...access,
    scopeOf: (uid, action) =>
      uid === USER_UID && action === 'count'
        ? { filter: scopeOf(uid, action)?.filter ?? null, fields }
        : scopeOf(uid, action),
  };
}

/** Returns the access for users who read their role. They need no grant on roles. */
export function withOwnRole(access: ReadAccess): ReadAccess {
  return { ...access, canFind: (uid) => uid === ROLE_UID || access.canFind(uid) };
}

/** Returns the user with the numeric id of a request. Throws `request/not-found`. */
export async function requireUserById(users: UserReader, id: unknown): Promise<UserState> {
  const recordId = parseRecordId(id);
  const user = recordId === null ? null : await users.byId(recordId);
  if (user === null) throw createError('request/not-found');
  return user;
}

/** Returns the caller if it is a user. Throws `request/unauthorized` for others, such as API tokens. */
export function requireUserCaller(caller: Caller): Caller & { readonly kind: 'user' } {
  if (caller.kind !== 'user') throw createError('request/unauthorized');
  return caller;
}

type BodyFields<Name extends string> = Readonly<Record<Name, string>>;

/** Far longer than any name, address, password or code. */
const MAX_FIELD_LENGTH = 2000;

const fieldIssue = (name: string, value: unknown): ValidationIssue | null => {
  const isMissing = value === undefined || value === null || value === '';
  if (isMissing) return { path: [name], message: 'must be set', name: 'ValidationError' };
  if (typeof value !== 'string') return { path: [name], message: 'must be text', name: 'ValidationError' };
  return value.length > MAX_FIELD_LENGTH
    ? { path: [name], message: `must be at most ${MAX_FIELD_LENGTH} characters`, name: 'ValidationError' }
    : null;
};

/**
 * Returns the text fields a body must have. Other fields are ignored.
 *
 * @throws `request/invalid-values` with every field that is missing or not text
 */
export function parseBodyFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): BodyFields<Name> {
  const fields: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  const issues = names.flatMap(
    (name) => fieldIssue(name, Object.hasOwn(fields, name) ? fields[name] : undefined) ?? [],
  );
  if (issues.length > 0) throw invalidValues(issues);
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as BodyFields<Name>;
}

/** Returns a body as it is. Throws `request/invalid-key` if it has a field that is not allowed. */
export function parseAllowedFields(
  body: unknown,
  allowedNames: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {};
  const unknownName = Object.keys(body).find((key) => !allowedNames.includes(key));
  if (unknownName !== undefined) throw invalidKey(unknownName);
  return body;
}

/** The default selection of a user's record: everything that is not private. */
export function userSelection(model: ContentModel): Selection {
  return defaultSelection(model, USER_UID);
}

/** Returns the JSON text of a user's record. Throws `request/unauthorized` if the user no longer exists. */
export async function readUserRecord(
  { documents, model }: Pick<AccountContext, 'documents' | 'model'>,
  documentId: string,
): Promise<string> {
  const record = await documents.findOne(publishedQuery(USER_UID, userSelection(model)), documentId);
  if (record === null) throw createError('request/unauthorized');
  return record;
}

/** Updates a user on behalf of the server. Throws `request/unauthorized` if the user no longer exists. */
export async function writeUser(
  { documents, model }: Pick<AccountContext, 'documents' | 'model'>,
  documentId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const updated = await documents.update({
    type: USER_UID,
    documentId,
    data,
    selection: userSelection(model),
  });
  if (updated === null) throw createError('request/unauthorized');
}
