import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import { writeServerState } from '../database/server-state.js';
import type { Identity } from '../documents/log/actors.js';
import type { LogEntry, WriteLog } from '../documents/log/write-log.js';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { didYouMean } from '../lib/nearest.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { ReadAccess } from '../query/read-access.js';

/** The configured locales. */
export interface LocaleList {
  /** In the order in which they were created. */
  readonly all: () => readonly LocaleRecord[];
  readonly defaultCode: () => string;
  readonly has: (code: string) => boolean;
}

/**
 * Authenticates callers and authorises their actions, for every transport. It works on a snapshot in memory
 * that follows the database within half a second. A credential that the snapshot does not know is looked up
 * in the database.
 */
export interface Access {
  /**
   * Returns the caller that an Authorization header identifies; without a Bearer credential it is anonymous.
   * Throws `request/unauthorized` for a Bearer credential that is not valid.
   */
  readonly authenticate: (header: string | undefined) => Promise<Caller>;
  /** Authenticates and authorises. Before it rejects, it loads the latest changes of other processes. */
  readonly authenticateFor: (header: string | undefined, uid: Uid, action: string) => Promise<Caller>;
  /** Throws `request/forbidden` unless the caller was granted `action` (`find`) of `uid` (`api::tag.tag`). */
  readonly authorise: (caller: Caller, uid: Uid, action: string) => void;
  /** Returns the token of a caller, without its key; null if it has none. */
  readonly tokenOf: (caller: Caller) => TokenRecord | null;
  /** Returns the caller's access to all types, for the query parser and the document service. */
  readonly readAccessOf: (caller: Caller) => ReadAccess;
  readonly locales: LocaleList;
  /** Loads the changes of other processes. This also happens regularly while the access is open. */
  readonly refresh: () => Promise<void>;
  /** Stops following the database and stores when tokens were last used. */
  readonly close: () => Promise<void>;
}

/** The limits of one granted action: the rule of a permission, with its fields as a set. */
export interface GrantRule {
  readonly fields: ReadonlySet<string> | null;
  readonly where: Readonly<Record<string, unknown>> | null;
  /** Absent: all locales. */
  readonly locales?: readonly string[] | undefined;
  /** `draft`: only drafts. Absent: published versions as well. */
  readonly status?: 'draft' | undefined;
}

/** Grants of a caller: everything, `find` and `findOne` of all types, or the listed actions. */
export type Grants =
  | { readonly kind: 'all' }
  | { readonly kind: 'read' }
  /** `rules` holds the limits of those actions that have any. */
  | {
      readonly kind: 'actions';
      readonly actions: ReadonlySet<string>;
      readonly rules: ReadonlyMap<string, GrantRule>;
    };

/** The grants of a caller who was granted nothing. */
export const NO_GRANTS: Grants = Object.freeze({
  kind: 'actions',
  actions: new Set<string>(),
  rules: new Map<string, GrantRule>(),
});

/**
 * The caller of a request, identified by its credential. Tokens and users do not inherit the grants of the
 * public role.
 */
export type Caller =
  | { readonly kind: 'anonymous'; readonly grants: Grants }
  | { readonly kind: 'token'; readonly tokenId: number; readonly grants: Grants }
  | {
      readonly kind: 'user';
      readonly userId: number;
      readonly documentId: string;
      /** The session that the JWT belongs to; null without refresh tokens. */
      readonly session: string | null;
      /** The scalar attributes that are not private; conditions may refer to them. */
      readonly attributes: Readonly<Record<string, unknown>>;
      readonly grants: Grants;
    };

/** Returns the identity of a caller for the log. */
export function identityOf(access: Pick<Access, 'tokenOf'>, caller: Caller | null): Identity {
  if (caller === null || caller.kind === 'anonymous') return { kind: 'anonymous', who: null, whoId: null };
  if (caller.kind === 'token') {
    const { id = null, name = null } = access.tokenOf(caller) ?? {};
    return { kind: 'token', who: name, whoId: id === null ? null : String(id) };
  }
  const { username } = caller.attributes;
  return { kind: 'user', who: typeof username === 'string' ? username : null, whoId: caller.documentId };
}

/** A configured locale. Times are ISO text. */
export interface LocaleRecord {
  readonly id: number;
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string;
}

export const TOKEN_TYPES = ['read-only', 'full-access', 'custom', 'preview'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** An API token without its key, which is shown only once. Times are ISO text. */
export interface TokenRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenType;
  /** Sorted; empty unless the type is `custom` or `preview`. */
  readonly permissions: readonly string[];
  /** The locales that a preview token may read, and a custom one read and write; all if missing. */
  readonly locales?: readonly string[];
  /** `draft` if a custom token writes no published versions. */
  readonly status?: 'draft';
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RoleRecord {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  /** The name that commands use: `public`, `authenticated`. */
  readonly type: string;
}

/** Dependencies for reading and writing roles and their permissions. */
export interface RoleContext {
  readonly database: Database;
  readonly model: ContentModel;
  /** The log of all changes. Absent: changes are not logged. */
  readonly log?: Pick<WriteLog, 'record'>;
}

/** Dependencies of the operations on tokens, roles, permissions and locales. */
export interface AccessContext extends RoleContext {
  /** API_TOKEN_SALT; null if the project has none. */
  readonly salt: string | null;
}

/** Options of every operation that writes. */
export interface ChangeOptions {
  /** True if the change is rolled back in the end. */
  readonly dryRun?: boolean;
}

const VERSION_KEY = 'access-stamp';
/** The version of all but the tokens, which change no public response. */
const PUBLIC_VERSION_KEY = 'access-stamp/public';

const selectState = (key: string): string => `SELECT value FROM cms_state WHERE key = '${key}'`;

/** Carries the result of a dry run out of a transaction that is rolled back. */
class DryRun<T> extends Error {
  constructor(readonly result: T) {
    super('dry run');
  }
}

/**
 * Returns the version of tokens, permissions, roles and locales, which every change replaces; null before the
 * first change.
 */
export async function readAccessVersion(database: Database): Promise<string | null> {
  const [version = null] = await database.readTexts(selectState(VERSION_KEY), []);
  return version;
}

/**
 * Returns the version of permissions, roles, locales and imported content. A change of it may make any public
 * response stale.
 */
export async function readPublicVersion(database: Database): Promise<string | null> {
  const [version = null] = await database.readTexts(selectState(PUBLIC_VERSION_KEY), []);
  return version;
}

/** Sets a new version, because any public response may be stale. */
export async function bumpPublicVersion(tx: Transaction): Promise<void> {
  await writeServerState(tx, PUBLIC_VERSION_KEY, randomUUID());
}

/** Sets a new version, so that every running server loads the change. */
export async function bumpAccessVersion(
  tx: Transaction,
  { isOfTokens = false }: { readonly isOfTokens?: boolean } = {},
): Promise<void> {
  await writeServerState(tx, VERSION_KEY, randomUUID());
  if (!isOfTokens) await bumpPublicVersion(tx);
}

/**
 * Runs a change of tokens, roles, permissions or locales in a transaction, which also logs it, and notifies
 * every running server. A dry run does the same and rolls it back, so that it reports the same errors.
 */
export async function changeAccess<T>(
  { database, log }: Pick<RoleContext, 'database' | 'log'>,
  entry: LogEntry,
  work: (tx: Transaction) => Promise<T>,
  options: ChangeOptions = {},
): Promise<T> {
  try {
    return await database.transact(async (tx) => {
      const result = await work(tx);
      if (options.dryRun === true) throw new DryRun(result);
      await bumpAccessVersion(tx, { isOfTokens: entry.action.startsWith('tokens.') });
      await log?.record(tx, [entry]);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return (error as DryRun<T>).result;
    throw error;
  }
}

/** Returns the error for a locale that is not configured. */
export function unknownLocale(code: string, known: readonly string[]): GalleyError {
  return createError('access/unknown-locale', {
    code,
    remedy: didYouMean(code, known, `Locales are ${known.join(', ')}. Add others with: cms locale add`),
  });
}

/**
 * Asserts that locales are configured.
 *
 * @param known the codes of the configured locales
 * @throws `access/unknown-locale`
 */
export function requireLocales(codes: readonly string[], known: readonly string[]): void {
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown !== undefined) throw unknownLocale(unknown, known);
}
