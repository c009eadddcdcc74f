import type { Database } from '../database/database.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { ReadAccess } from '../query/query.js';

export const TOKEN_TYPES = ['read-only', 'full-access', 'custom'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** How far one granted action goes, as a permission's rule but ready to be asked. */
export interface GrantRule {
  readonly fields: ReadonlySet<string> | null;
  readonly where: Readonly<Record<string, unknown>> | null;
}

/** What a caller may do: everything, every `find` and `findOne`, or the actions listed (`api::tag.tag.find`). */
export type Grants =
  | { readonly kind: 'all' }
  | { readonly kind: 'read' }
  /** `rules` holds those of the actions that are limited. */
  | { readonly kind: 'actions'; readonly actions: ReadonlySet<string>; readonly rules: ReadonlyMap<string, GrantRule> };

/** What may be done by who was granted nothing. */
export const NO_GRANTS: Grants = Object.freeze({ kind: 'actions', actions: new Set<string>(), rules: new Map<string, GrantRule>() });

/** Who makes a request, as its credential tells. Tokens and users do not inherit what the public role may do. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly grants: Grants }
  | { readonly kind: 'token'; readonly tokenId: number; readonly grants: Grants }
  | {
      readonly kind: 'user';
      readonly userId: number;
      readonly documentId: string;
      /** The session that the JWT belongs to; null without refresh tokens. */
      readonly session: string | null;
      /** Public scalar attributes, which conditions may refer to. */
      readonly attributes: Readonly<Record<string, unknown>>;
      readonly grants: Grants;
    };

/** A configured language. Times are ISO text. */
export interface LocaleRecord {
  readonly id: number;
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An API token without its key, which is shown once and never again. Times are ISO text. */
export interface TokenRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenType;
  /** Sorted; empty unless the type is `custom`. */
  readonly permissions: readonly string[];
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
  /** The name commands use: `public`, `authenticated`. */
  readonly type: string;
}

/** What the operations of this room work with. */
export interface AccessContext {
  readonly database: Database;
  readonly model: ContentModel;
  /** API_TOKEN_SALT; null where the project has none. */
  readonly salt: string | null;
}

/** Told to every operation that writes. */
export interface ChangeOptions {
  /** Does everything but keep it. */
  readonly dryRun?: boolean;
}

/** The configured locales as they are now. */
export interface LocaleList {
  /** In the order in which they were created. */
  readonly all: () => readonly LocaleRecord[];
  readonly defaultCode: () => string;
  readonly has: (code: string) => boolean;
}

/**
 * Decides who a caller is and what it may do, from a snapshot in memory that follows the database within half a second.
 * One decision for every transport.
 */
export interface Access {
  /** Who presents this Authorization header. Throws `request/unauthorized` for a Bearer credential that is not valid; anything else is anonymous. */
  readonly authenticate: (header: string | undefined) => Promise<Caller>;
  /** Throws `request/forbidden` unless the caller was granted `action` (`find`) of `uid` (`api::tag.tag`). */
  readonly authorise: (caller: Caller, uid: Uid, action: string) => void;
  /** What the query parser and the document service ask: which types the caller may look at. */
  readonly accessOf: (caller: Caller) => ReadAccess;
  readonly locales: LocaleList;
  /** Takes over what other processes have changed; runs by itself while the access is open. */
  readonly refresh: () => Promise<void>;
  /** Stops following, and writes down when tokens were last used. */
  readonly close: () => Promise<void>;
}
