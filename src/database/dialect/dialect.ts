import type { ColumnKind } from '../../lib/stored-value.js';
import type { PrismaProvider } from '../prisma/generated-client.js';
import type { DatabaseDriver } from './database-driver.js';
import type { ErrorClassifier } from './driver-error.js';
import type { MigrationSupport, DatabaseObject } from './migration-support.js';
import type { SqlExpressions } from './sql-expressions.js';

/**
 * All differences between databases, in parts. There are two implementations: `sqlite.ts` and `postgres.ts`.
 * Code outside of this folder never compares names of databases: it uses the parts.
 */
export interface Dialect {
  readonly name: DialectName;
  readonly expressions: SqlExpressions;
  readonly driver: DatabaseDriver;
  readonly schema: PrismaSchemaSupport;
  readonly migrations: MigrationSupport;
  readonly changeFeed: ChangeFeedSupport;
  readonly revisions: RevisionSupport;
  /** Null if the database has no replicas. */
  readonly replication: ReplicationSupport | null;
  readonly backups: BackupSupport;
  readonly errors: ErrorClassifier;
}

/** The parts of a dialect that migrations need. */
export type MigrationDialect = Pick<Dialect, 'name' | 'schema' | 'migrations' | 'revisions' | 'expressions'>;

export type DialectName = 'sqlite' | 'postgresql';

/** Form of this database's columns and constraints in a Prisma schema. */
export interface PrismaSchemaSupport {
  /** The `provider` of the datasource. */
  readonly provider: PrismaProvider;
  /** True if primary and foreign keys have names here. Prisma rejects `map:` on them if they have none. */
  readonly namesConstraints: boolean;
  /** The type of a column: `{ type: 'Json', attribute: '@db.Json' }`. */
  readonly columnType: (kind: ColumnKind) => { readonly type: string; readonly attribute: string | null };
}

/** Copies of a database file that other processes use. */
export interface DatabaseCopies {
  /** Copies the committed data to a new file. */
  readonly copy: (url: string, path: string) => Promise<void>;
  /** Returns the problem of a copy, or null if it is intact. */
  readonly check: (path: string) => Promise<string | null>;
  /** Replaces the content of the database by that of a copy, atomically. */
  readonly restore: (path: string, url: string) => Promise<void>;
}

/** Database-specific support for backups. */
export interface BackupSupport {
  /** Null: the database is not a file; backups contain its content instead. */
  readonly copies: DatabaseCopies | null;
  /** Selects the number of connections of servers to the database. Null: the database does not provide it. */
  readonly countServersSql: string | null;
}

/**
 * Statements that read the replication positions of the primary and its replicas. The statements are run with
 * `ReadConnection.queryTexts`: one row with one text, the JSON of a {@link PrimaryState} or {@link
 * ReplicaState}.
 */
export interface ReplicationSupport {
  readonly primarySql: string;
  /** Its parameter is the position of the primary. */
  readonly replicaSql: string;
}

/** Identity of the primary database, and its write position. */
export interface PrimaryState {
  readonly system: string;
  readonly position: string;
}

export interface ReplicaState {
  readonly system: string;
  /** False also if it was promoted to a primary. */
  readonly isReplica: boolean;
  /** True if it has everything that was written before the position. */
  readonly hasReached: boolean;
  /** Bytes written before the position that the replica lacks. */
  readonly missingBytes: number;
  /** The age of its last transaction, in seconds. Null: it has none yet. */
  readonly seconds: number | null;
}

/** Tables that share one revision: those of a content-type. */
export interface RevisedTables {
  /** The UID of the content-type. */
  readonly name: string;
  readonly tables: readonly string[];
}

/**
 * A number for each content-type, which differs after each change of its rows. The same object as long as
 * nothing changes. A missing type may have changed.
 */
export type Revisions = ReadonlyMap<string, number>;

/** Detects changes of rows by any process. */
export interface OpenRevisions {
  /**
   * Returns the revisions of the committed rows, or null if they are unknown; nothing may be cached then.
   * Returns a promise only if it has to query the database.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  /** Reports that this process has committed a write. */
  readonly noteWrite: () => void;
  readonly close: () => Promise<void>;
}

export interface RevisionOptions {
  readonly url: string;
  /** The UIDs of all content-types. */
  readonly types: readonly string[];
  /** The parts of the objects that notice changes. While one is missing, revisions are not known. */
  readonly parts: readonly string[];
  /** True if each call queries a database that would otherwise send notifications. */
  readonly isStrict: boolean;
  readonly onError: (error: unknown) => void;
}

/** Database-specific detection of changed rows. */
export interface RevisionSupport {
  /** Returns the objects in the database that detect changes. */
  readonly objectsFor: (types: readonly RevisedTables[]) => readonly DatabaseObject[];
  readonly open: (options: RevisionOptions) => Promise<OpenRevisions>;
}

/** A table that every migrated database has. */
export const SYSTEM_TABLE = 'cms_state';

export interface ChangeFeedHandlers {
  /** Changes may have been added. */
  readonly onWake: () => void;
  readonly onError: (error: unknown) => void;
}

/** Notices changes that any process adds. */
export interface OpenChangeFeed {
  readonly close: () => Promise<void>;
}

/** The id of the row of `cms_change_listeners` while cache tags are recorded. */
export const TAG_LISTENER = 'tags';

/** Announcements of writes between the processes of one database, as rows of a table. */
export interface ChangeFeedSupport {
  /** SQL for the time of the database, in milliseconds since 1970. */
  readonly nowSql: string;
  /**
   * The SQL that adds changes right before the commit of their transaction, and returns the number of added
   * rows. Its parameters are two JSON arrays of texts: changes, and cache tags, which are added only while
   * {@link TAG_LISTENER} is listening. Ids ascend in the order of the commits. Without a listener it costs
   * one lookup.
   */
  readonly announceSql: string;
  /**
   * Selects the ids of the writing transactions that have looked for listeners and are not committed yet.
   * Null: one that has looked is committed before a listener can register.
   */
  readonly pendingSql: string | null;
  readonly open: (url: string, handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
}
