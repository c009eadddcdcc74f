import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What proxies and tracing tools send. Anything else could forge lines of a log or grow it. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns the id that a client or proxy has given the request by its header, or a new one. */
export function requestIdFrom(id: string | readonly string[] | undefined): string {
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}

/** As {@link requestIdFrom}, of the request's headers. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return requestIdFrom(headers[REQUEST_ID_HEADER]);
}
