import type { BackupSupport } from './backups.js';
import type { ChangeFeedSupport } from './change-feed.js';
import type { DatabaseDriver } from './database-driver.js';
import type { DialectName } from './dialect-name.js';
import type { ErrorClassifier } from './driver-error.js';
import type { MigrationSupport } from './migration-support.js';
import type { PrismaSchemaSupport } from './prisma-schema-support.js';
import type { ReplicationSupport } from './replication.js';
import type { RevisionSupport } from './revisions.js';
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
