import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import { invalidKey } from '../validation/issues.js';

/** Far deeper than any component or block of text. */
const MAX_DEPTH = 100;

const isPrototypePollution = (value: Readonly<Record<string, unknown>>): boolean => {
  if (Object.hasOwn(value, '__proto__')) return true;
  const constructor = Object.hasOwn(value, 'constructor') ? value['constructor'] : undefined;
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype');
};

/** Works level by level, so that no depth can exhaust the stack. */
const assertSafeBody = (body: unknown): void => {
  let level: readonly unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw createError('request/body-too-deep', { limit: MAX_DEPTH });
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (isRecord(value) && isPrototypePollution(value)) throw invalidKey('__proto__');
      for (const child of Object.values(value))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
};

/**
 * Parses a JSON body. Empty text is no body, which clients send with DELETE.
 *
 * @throws `request/invalid-json`, `request/body-too-deep`, and `request/invalid-key` for keys that could
 *   change a prototype
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw createError('request/invalid-json', {}, { cause });
  }
  assertSafeBody(body);
  return body;
}
