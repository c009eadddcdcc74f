import { isRecord } from '../../../lib/is-record.js';

const authorizationIn = (headers: unknown): string | undefined => {
  if (!isRecord(headers)) return undefined;
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' ? value : undefined;
};

/**
 * Returns the Authorization header that a client sends in the payload of `connection_init`, because browsers
 * cannot set headers of a WebSocket. It stands in the payload itself or in `headers` in it.
 */
export function authorizationOf(payload: unknown): string | undefined {
  return authorizationIn(payload) ?? (isRecord(payload) ? authorizationIn(payload['headers']) : undefined);
}
