import type { BoundValue } from '../../sql-expressions.js';
import type { PackedTexts } from '../text-transfer.js';

/** What a thread is started with. */
export interface ReadThreadData {
  readonly url: string;
  /** Set to {@link ENDED} while the running statement has to end. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

export const RUNNING = 0;
export const ENDED = 1;

export interface ReadStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
  /** Whether it returns one number, instead of texts. */
  readonly isNumber: boolean;
}

/** An error of the driver, or of the catalogue. What makes it one of these would be lost on the way. */
export type SentError =
  | { readonly kind: 'ended' }
  | { readonly kind: 'driver'; readonly message: string; readonly code: string }
  | { readonly kind: 'over-budget'; readonly limit: number; readonly branch: string };

export interface ReadReply {
  /** How long the statement ran. */
  readonly ms: number;
  readonly result:
    | { readonly kind: 'texts'; readonly texts: PackedTexts }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'error'; readonly error: SentError };
}
