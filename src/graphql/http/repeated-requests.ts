import { LRUCache } from 'lru-cache';
import { isRecord } from '../../lib/is-record.js';
import type { OperationRequest } from './parse-request.js';

const MAX_TEXTS = 300;

/** Longer texts are rarely repeated. */
const MAX_LENGTH = 4000;

/**
 * Bodies or addresses of requests that were answered by statements alone. Clients repeat the same few, which
 * need not be parsed again. No project code gets to see them, so that requests can share them.
 */
export interface RepeatedRequests {
  /** Returns what a text says, the same object for a text that is kept. */
  readonly parse: (text: string) => unknown;
  /** Returns the operation of a payload that is kept. */
  readonly operationOf: (payload: unknown) => OperationRequest | undefined;
  /** Returns the text of a payload that is kept. */
  readonly textOf: (payload: unknown) => string | undefined;
  /** Keeps the payload of a request that was answered by statements alone. */
  readonly keep: (payload: unknown, operation: OperationRequest) => void;
}

/** @param parseText parses a text that is not kept */
export function createRepeatedRequests(parseText: (text: string) => unknown): RepeatedRequests {
  const payloads = new LRUCache<string, object>({ max: MAX_TEXTS });
  const texts = new WeakMap<object, string>();
  const operations = new WeakMap<object, OperationRequest>();
  const textOf = (payload: unknown): string | undefined =>
    isRecord(payload) ? texts.get(payload) : undefined;
  return {
    parse: (text) => {
      const known = payloads.get(text);
      if (known !== undefined) return known;
      const payload = parseText(text);
      if (isRecord(payload) && text.length <= MAX_LENGTH) texts.set(payload, text);
      return payload;
    },
    operationOf: (payload) => (isRecord(payload) ? operations.get(payload) : undefined),
    textOf,
    keep: (payload, operation) => {
      const text = textOf(payload);
      if (!isRecord(payload) || text === undefined || operations.has(payload)) return;
      operations.set(payload, operation);
      payloads.set(text, payload);
    },
  };
}
