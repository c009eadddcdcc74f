import type { SubscribePayload } from 'graphql-ws';
import { isRecord } from '../../../lib/is-record.js';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * Puts the payload of a `subscribe` message into the extensions of a payload without content. graphql-ws
 * closes the connection where a payload has no `query`; requests for a persisted document have none, and
 * other wrong payloads should end only their operation. Other messages are returned as they are.
 */
export function wrapRequest(message: string): string {
  const value = parseJson(message);
  if (!isRecord(value) || value['type'] !== 'subscribe') return message;
  const payload: SubscribePayload = { query: '', extensions: { request: value['payload'] } };
  return JSON.stringify({ ...value, payload });
}

/** Returns the original payload of a message that {@link wrapRequest} has changed. */
export function unwrapRequest({ extensions }: SubscribePayload): unknown {
  return extensions?.['request'];
}
