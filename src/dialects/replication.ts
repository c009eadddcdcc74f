/**
 * How copies of the database that follow it are asked how far they are. The texts of statements are those of
 * `ReadConnection.queryTexts`: one row with one text, the JSON of a {@link PrimaryState} or
 * {@link ReplicaState}.
 */
export interface ReplicationSupport {
  readonly primarySql: string;
  /** Its parameter is the position of the primary. */
  readonly replicaSql: string;
}

/** Which database it is, and how far it has written. */
export interface PrimaryState {
  readonly system: string;
  readonly position: string;
}

export interface ReplicaState {
  readonly system: string;
  /** False also where it has become a database of its own. */
  readonly isReplica: boolean;
  /** Whether it has everything that was written before the position. */
  readonly hasReached: boolean;
  /** How much of what was written before the position it lacks. */
  readonly missingBytes: number;
  /** The age of the last transaction that it has. Null: it has none yet. */
  readonly seconds: number | null;
}
