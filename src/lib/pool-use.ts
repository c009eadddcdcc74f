/** How a pool of connections, or of threads with one each, is used at a moment. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** How many wait for one. */
  readonly waiting: number;
}
