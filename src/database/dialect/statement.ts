/** Rows returned by a statement that a user typed. */
export interface StatementRows {
  readonly columns: readonly string[];
  /** JSON values, in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
}

/** The program in which people work with a database. */
export interface DatabaseShell {
  readonly command: string;
  /** Without passwords, which everybody on the machine could read. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Instructions for installing it. */
  readonly installation: string;
}
