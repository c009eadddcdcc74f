import { isRecord } from '../lib/is-record.js';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const INTEGER = /^[+-]?\d{1,16}$/;
const SHOWN_LENGTH = 60;

/** The own keys of a client's object; `__proto__` is no name anything could have. */
export function keysOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).filter((key) => key !== '__proto__');
}

/** A list as a transport may hand it over: an array, or an object whose keys are all indexes (`{"0": …, "1": …}`). Null: no list. */
export function asList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const keys = keysOf(value);
  // Objects hand out index keys in ascending order.
  return keys.length > 0 && keys.every((key) => INDEX.test(key)) ? keys.map((key) => value[key]) : null;
}

/** Booleans as query strings write them; null: neither true nor false. */
export function parseBoolean(value: unknown): boolean | null {
  switch (value) {
    case true: case 'true': case 't': case '1': case 1: return true;
    case false: case 'false': case 'f': case '0': case 0: return false;
    default: return null;
  }
}

/** A whole number that JavaScript keeps exactly; null: anything else. */
export function parseInteger(value: unknown): number | null {
  const number = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** The parts of `a, b`, trimmed, empty ones dropped. */
export function splitList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

/** A client's text as an error message may repeat it. */
export function shorten(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
