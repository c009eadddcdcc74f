import type { ColumnKind } from '../../lib/stored-value.js';
import type { PrismaProvider } from '../prisma/generated-client.js';
import type { ChangeFeedSupport, RevisionSupport } from './changes.js';
import type { DatabaseDriver } from './database-driver.js';
import type { ErrorClassifier } from './driver-error.js';
import type { MigrationSupport } from './migration-support.js';
import type { SqlExpressions } from './sql-expressions.js';

/**
 * Everything that differs between databases, in parts. There are two implementations, `sqlite.ts` and
 * `postgres.ts`. Code outside of this folder never compares names: it asks a part for what it needs.
 */
export interface Dialect {
  readonly name: DialectName;
  readonly expressions: SqlExpressions;
  readonly driver: DatabaseDriver;
  readonly schema: PrismaSchemaSupport;
  readonly migrations: MigrationSupport;
  readonly changeFeed: ChangeFeedSupport;
  readonly revisions: RevisionSupport;
  /** Null where no copies follow a database. */
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

/** Copies of a database that is a file, while others use it. */
export interface DatabaseCopies {
  /** Copies what is committed to a new file. */
  readonly copy: (url: string, path: string) => Promise<void>;
  /** Returns what is wrong with a copy. Null: nothing. */
  readonly check: (path: string) => Promise<string | null>;
  /** Makes the database what a copy is, as a whole or not at all. */
  readonly restore: (path: string, url: string) => Promise<void>;
}

/** Database-specific support for backups. */
export interface BackupSupport {
  /** Null: the database is no file, and its content is kept. */
  readonly copies: DatabaseCopies | null;
  /** Selects the number of connections of servers to the database. Null: the database does not know it. */
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
  /** False also where it has become a database of its own. */
  readonly isReplica: boolean;
  /** True if it has everything that was written before the position. */
  readonly hasReached: boolean;
  /** Bytes written before the position that the replica lacks. */
  readonly missingBytes: number;
  /** The age of the last transaction that it has. Null: it has none yet. */
  readonly seconds: number | null;
}
