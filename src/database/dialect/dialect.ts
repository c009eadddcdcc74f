import type { ColumnKind } from '../../lib/stored-value.js';
import type { PrismaProvider } from '../prisma/generated-client.js';
import type { ChangeFeedSupport, RevisionSupport } from './changes.js';
import type { DatabaseDriver } from './database-driver.js';
import type { ErrorClassifier } from './driver-error.js';
import type { MigrationSupport } from './migration-support.js';
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
