/**
 * Statements that read the replication positions of the primary and its replicas. The statements are run with
 * `ReadConnection.queryTexts`: one row with one text, the JSON of a {@link PrimaryState} or
 * {@link ReplicaState}.
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
