import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/**
 * Matches request ids that proxies and tracing tools send. Other text could forge log lines or inflate the
 * log.
 */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns the id that a client or proxy has given the request by its header, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers[REQUEST_ID_HEADER];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}
