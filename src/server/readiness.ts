/** True if a server may get requests. */
export interface Readiness {
  readonly isReady: boolean;
  /**
   * `ahead`: a newer release has migrated the database, in a way that this server can do with. `unknown`: the
   * database does not answer.
   */
  readonly schema: 'current' | 'ahead' | 'incompatible' | 'unknown';
  /** The migrations that the server was not started with. */
  readonly migrations: readonly string[];
}
