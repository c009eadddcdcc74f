/**
 * A statement that returns what another does, without counting all that it reads. Counting takes longer than
 * printing a short record, and the length of most answers shows that they are within the limit.
 */
export interface UncountedStatement {
  readonly sql: string;
  /** What the read may spend. */
  readonly limit: number;
  /** What each character of the answer may stand for that was not counted. */
  readonly costPerCharacter: number;
}
