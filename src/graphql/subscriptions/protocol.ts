import { isRecord } from '../../lib/is-record.js';

/** https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md */
export const SUBPROTOCOL = 'graphql-transport-ws';

/** Why a connection ends; clients try again after those below 4000, and after `forbidden`. */
export const CLOSE = {
  restart: { code: 1012, reason: 'Service Restart' },
  tooSlow: { code: 1013, reason: 'Too slow: events come faster than they are taken' },
  badRequest: { code: 4400, reason: 'Invalid message' },
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  forbidden: { code: 4403, reason: 'Forbidden' },
  subprotocol: { code: 4406, reason: 'Subprotocol not acceptable' },
  initTimeout: { code: 4408, reason: 'Connection initialisation timeout' },
  tooManyInits: { code: 4429, reason: 'Too many initialisation requests' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export function subscriberExists(id: string): Closing {
  return { code: 4409, reason: `Subscriber for ${id} already exists` };
}

export type ClientMessage =
  | { readonly type: 'connection_init'; readonly payload: unknown }
  | { readonly type: 'ping'; readonly payload: unknown }
  | { readonly type: 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: unknown }
  | { readonly type: 'complete'; readonly id: string };

/** A close frame has room for no more. */
const ID_LENGTH = 64;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Null for whatever the protocol does not know. */
export function parseMessage(text: string): ClientMessage | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { type, id, payload } = value;
  switch (type) {
    case 'connection_init': case 'ping': return { type, payload };
    case 'pong': return { type };
    case 'subscribe': return typeof id === 'string' && id !== '' && id.length <= ID_LENGTH ? { type, id, payload } : null;
    case 'complete': return typeof id === 'string' ? { type, id } : null;
    default: return null;
  }
}

const headerIn = (source: unknown): string | undefined => {
  if (!isRecord(source)) return undefined;
  const [, value] = Object.entries(source).find(([key]) => key.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' ? value : undefined;
};

/** The Authorization header that a client sends along with its first message, by itself or among `headers`. */
export function authorizationIn(payload: unknown): string | undefined {
  return headerIn(payload) ?? (isRecord(payload) ? headerIn(payload['headers']) : undefined);
}

/** Messages of the server; `payload` is JSON text already. */
export const PRINT = {
  ack: '{"type":"connection_ack"}',
  pong: (payload: unknown): string => JSON.stringify(payload === undefined ? { type: 'pong' } : { type: 'pong', payload }),
  next: (id: string, payload: string): string => `{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`,
  error: (id: string, errors: unknown): string => JSON.stringify({ id, type: 'error', payload: errors }),
  complete: (id: string): string => JSON.stringify({ id, type: 'complete' }),
} as const;
