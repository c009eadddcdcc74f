/** The use, at one moment, of a pool of connections, or of threads with one connection each. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** The number of callers that wait for one. */
  readonly waiting: number;
}
