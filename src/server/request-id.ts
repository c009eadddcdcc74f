import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What proxies and tracing tools send. Anything else could forge lines of a log or grow it. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns the id that a client or proxy has given the request, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers[REQUEST_ID_HEADER];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}
