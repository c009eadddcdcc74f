/** Why the server closes a connection: a close code of the protocol, or of WebSocket itself, and a text. */
export interface CloseReason {
  readonly code: number;
  readonly reason: string;
}

/**
 * Reasons that graphql-ws does not give by itself. Clients connect again after `restart`, `tooSlow` and
 * `unavailable`; what they do after codes from 4400 is up to them.
 */
export const CLOSE_REASONS = {
  restart: { code: 1012, reason: 'Service Restart' },
  tooSlow: { code: 1013, reason: 'Too slow: events arrive faster than the client reads them' },
  unavailable: { code: 1013, reason: 'Try again later: the server cannot read at present' },
  badRequest: { code: 4400, reason: 'Invalid message received' },
  forbidden: { code: 4403, reason: 'Forbidden' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const satisfies Readonly<Record<string, CloseReason>>;

/** The maximum bytes of text in a close frame, after its code. */
const MAX_REASON_BYTES = 123;

/** Shortens a reason that quotes the client, such as the id of a subscription. */
export function fitCloseFrame(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  // With `stream`, a last character that was cut off is left out.
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}
