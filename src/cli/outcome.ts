/** The result of a command, printed once at the end, as text or as JSON. */
export interface Outcome {
  /**
   * The document that `--json` prints: a plain JSON value. Its shape is part of the command's public
   * contract.
   */
  readonly json: unknown;
  /** The text for stdout without `--json`. Nothing is printed if it is empty or missing. */
  readonly text?: string;
  /** The exit code, 0 by default. `migrate status` uses 4 if migrations are pending. */
  readonly exitCode?: number;
  /** Set by servers. After printing, the process runs until the promise settles. */
  readonly running?: Promise<void>;
}
