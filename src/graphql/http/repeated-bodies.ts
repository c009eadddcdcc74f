import { LRUCache } from 'lru-cache';
import { isRecord } from '../../lib/is-record.js';
import type { OperationRequest } from './parse-request.js';

const MAX_BODIES = 300;

/** Longer bodies are rarely repeated. */
const MAX_LENGTH = 4000;

/**
 * Bodies of requests that were answered by statements alone. Clients repeat the same few, which need not be
 * parsed again. No project code gets to see them, so that requests can share them.
 */
export interface RepeatedBodies {
  readonly parse: (text: string) => unknown;
  /** Returns the operation of a body, the same for the same body. */
  readonly operationOf: (body: unknown, parse: () => OperationRequest) => OperationRequest;
  /** Keeps the body of a request that was answered by statements alone. */
  readonly keep: (body: unknown, operation: OperationRequest) => void;
}

/** @param parseBody parses a body that is not known */
export function createRepeatedBodies(parseBody: (text: string) => unknown): RepeatedBodies {
  const bodies = new LRUCache<string, object>({ max: MAX_BODIES });
  const texts = new WeakMap<object, string>();
  const operations = new WeakMap<object, OperationRequest>();
  return {
    parse: (text) => {
      const known = bodies.get(text);
      if (known !== undefined) return known;
      const body = parseBody(text);
      if (isRecord(body) && text.length <= MAX_LENGTH) texts.set(body, text);
      return body;
    },
    operationOf: (body, parse) => (isRecord(body) ? operations.get(body) : undefined) ?? parse(),
    keep: (body, operation) => {
      const text = isRecord(body) ? texts.get(body) : undefined;
      if (!isRecord(body) || text === undefined || operations.has(body)) return;
      operations.set(body, operation);
      bodies.set(text, body);
    },
  };
}
