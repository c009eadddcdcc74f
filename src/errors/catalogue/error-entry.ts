import type { ErrorKind } from '../error-kind.js';

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** Says what is wrong and where. `{name}` is replaced by the parameter of that name. */
  readonly message: string;
  /** Says what to do about it. A template like `message`. */
  readonly hint?: string;
}

/** Entries by code. Codes have the form `area/what` and never change. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
