import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';

/** Well above what the deepest component and the deepest block of text take. */
const MAX_DEPTH = 100;

const isPoisonous = (value: Readonly<Record<string, unknown>>): boolean => {
  if (Object.hasOwn(value, '__proto__')) return true;
  const constructor = Object.hasOwn(value, 'constructor') ? value['constructor'] : undefined;
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype');
};

/** Level by level, so that no depth can exhaust the stack. */
const assertHarmless = (body: unknown): void => {
  let level: readonly unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw fail('request/body-too-deep', { limit: MAX_DEPTH });
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (isRecord(value) && isPoisonous(value)) throw fail('request/invalid-key', { key: '__proto__' });
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
};

/**
 * Reads a JSON body. No text at all is no body, as clients send that with DELETE.
 *
 * @throws `request/invalid-json`, `request/body-too-deep`, and `request/invalid-key` where a key would reach for a prototype
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw fail('request/invalid-json', {}, { cause });
  }
  assertHarmless(body);
  return body;
}
