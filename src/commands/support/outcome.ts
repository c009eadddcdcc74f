/** What a command hands back; printed once, at the end, as one of its two forms. */
export interface Outcome {
  /** The document `--json` prints: a plain JSON value, its shape part of the command's contract. */
  readonly json: unknown;
  /** What is printed on stdout otherwise. Empty or absent: nothing. */
  readonly text?: string;
  /** 0 unless the result itself is bad news (`migrate status` with something pending: 4). */
  readonly exitCode?: number;
  /** Set by servers: what was started goes on, after this outcome has been printed, until the promise settles. */
  readonly running?: Promise<void>;
}
