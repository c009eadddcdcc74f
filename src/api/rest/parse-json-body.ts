import { isUtf8 } from 'node:buffer';
import { createError } from '../../errors/catalogue.js';
import { findInexactNumber } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import { invalidKey } from '../../documents/validation/issues.js';

/** Maximum nesting, far deeper than any component or block of text. */
const MAX_DEPTH = 100;

const isPrototypePollution = (value: Readonly<Record<string, unknown>>): boolean => {
  if (Object.hasOwn(value, '__proto__')) return true;
  const constructor = Object.hasOwn(value, 'constructor') ? value['constructor'] : undefined;
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype');
};

/** Character codes. */
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks the text, not the value, since parsing a megabyte of brackets takes hundreds of times as long. */
const assertDepth = (text: string): void => {
  let [depth, isInString] = [0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (isInString) {
      if (character === BACKSLASH) index++;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === LIST_END || character === OBJECT_END) depth -= 1;
    else if ((character === LIST_START || character === OBJECT_START) && ++depth > MAX_DEPTH)
      throw createError('request/body-too-deep', { limit: MAX_DEPTH });
  }
};

const assertSafeBody = (body: unknown): void => {
  const values: unknown[] = [body];
  while (values.length > 0) {
    const value = values.pop();
    if (isRecord(value) && isPrototypePollution(value)) throw invalidKey('__proto__');
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value))
      if (typeof child === 'object' && child !== null) values.push(child);
  }
};

/** Throws for numbers that would be rounded. Paths are relative to `data`, as in other errors. */
const assertExactNumbers = (text: string): void => {
  const inexact = findInexactNumber(text);
  if (inexact === null) return;
  const { literal, value } = inexact;
  const path = inexact.path[0] === 'data' ? inexact.path.slice(1) : inexact.path;
  const error = createError('request/inexact-number', { path: path.join('.') || 'data', literal, value });
  throw createError(
    'request/inexact-number',
    { path: path.join('.') || 'data', literal, value },
    { details: { errors: [{ path, message: error.message, name: 'ValidationError', value: literal }] } },
  );
};

/**
 * Returns the text of a request body.
 *
 * @throws `request/invalid-encoding` for bytes that are not UTF-8, which would be stored as replacement
 *   characters
 */
export function decodeBody(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw createError('request/invalid-encoding');
  return bytes.toString();
}

/**
 * Parses a JSON body. Returns undefined for an empty body, which clients send with DELETE.
 *
 * @throws `request/invalid-encoding`, `request/invalid-json`, `request/body-too-deep`,
 *   `request/inexact-number` for numbers that would be rounded, and `request/invalid-key` for keys that could
 *   change a prototype
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decodeBody(bytes);
  if (text.trim() === '') return undefined;
  assertDepth(text);
  const json = text.replace(/^\uFEFF/, '');
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch (cause) {
    throw createError('request/invalid-json', {}, { cause });
  }
  assertExactNumbers(json);
  assertSafeBody(body);
  return body;
}
