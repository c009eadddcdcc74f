import type { ReplicationSupport } from '../dialect/replication.js';

const SYSTEM = '(select system_identifier::text from pg_control_system())';

/** Streaming replication. Positions are those of the write-ahead log. */
export const POSTGRES_REPLICATION = Object.freeze<ReplicationSupport>({
  // Also counts what was announced and is not on disk yet, as without `synchronous_commit`.
  primarySql: `select json_build_object('system', ${SYSTEM}, 'position', pg_current_wal_insert_lsn())::text`,
  replicaSql: `select json_build_object('system', ${SYSTEM}, 'isReplica', pg_is_in_recovery(),
  'hasReached', coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false),
  'missingBytes', greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0),
  'seconds', extract(epoch from now() - pg_last_xact_replay_timestamp()))::text`,
});
