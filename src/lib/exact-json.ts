import { getLocation } from 'jsonc-parser';

/** A number of a JSON text that a double does not keep. */
export interface InexactNumber {
  readonly path: readonly string[];
  /** As it is written. */
  readonly literal: string;
  /** The nearest double, which a parser returns instead. */
  readonly value: number;
}

/** Every number with as many characters and without an exponent is kept. */
const SAFE_LENGTH = 15;

const NUMBER = /^[+-]?(?=\.?\d)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** Returns a number in one form: digits without zeros at either end, and their exponent. */
const normalise = (text: string): string => {
  const { whole = '', fraction = '', exponent = '0' } = NUMBER.exec(text)?.groups ?? {};
  const digits = `${whole}${fraction}`;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return start === end
    ? '0'
    : `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};

/**
 * True if a double keeps a decimal number: it prints as the same value. So 0.1, 1.10 and 1e3 are kept, and
 * 9007199254740993 is not.
 */
export function isExactNumber(text: string): boolean {
  if (!NUMBER.test(text)) return false;
  if (text.length <= SAFE_LENGTH && !/e/i.test(text)) return true;
  const value = Number(text);
  const printed = String(value);
  return printed === text || (Number.isFinite(value) && normalise(text) === normalise(printed));
}

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
};

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isMinus = (code: number): boolean => code === 0x2d;
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;
/** Plus and point. */
const isSign = (code: number): boolean => code === 0x2b || code === 0x2e;

/** True for numbers that are neither too large nor too small for all digits of a double. */
const isInRange = (literal: string): boolean => {
  const size = Math.abs(Number(literal));
  return size > 1e-300 && size < 1e300;
};

/** Returns where the number at a place ends, and whether it may have lost digits. */
const readNumber = (text: string, start: number): { readonly end: number; readonly isSuspect: boolean } => {
  let [end, hasExponent] = [start + 1, false];
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isDigit(code) || isSign(code) || isMinus(code)) continue;
    if (!isExponent(code)) break;
    hasExponent = true;
  }
  const isSafe = end - start <= SAFE_LENGTH && (!hasExponent || isInRange(text.slice(start, end)));
  return { end, isSuspect: !isSafe };
};

/** Returns the first number of a valid JSON text that would be rounded, or null. */
export function findInexactNumber(text: string): InexactNumber | null {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (isDigit(code) || isMinus(code)) {
      const { end, isSuspect } = readNumber(text, at);
      const literal = isSuspect ? text.slice(at, end) : '';
      if (isSuspect && !isExactNumber(literal)) {
        const path = getLocation(text, at).path.map(String);
        return { path, literal: literal.slice(0, 60), value: Number(literal) };
      }
      at = end - 1;
    }
  }
  return null;
}

/** Thrown for a JSON text with a number that would be rounded. */
export class InexactNumberError extends SyntaxError {
  override readonly name = 'InexactNumberError';

  constructor({ path, literal, value }: InexactNumber) {
    const at = path.length === 0 ? '' : ` at ${path.join('.')}`;
    super(`the number ${literal}${at} would be rounded to ${value}; write it as text or with fewer digits`);
  }
}

/**
 * Parses JSON as `JSON.parse` does, without rounding numbers.
 *
 * @throws SyntaxError, {@link InexactNumberError}
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const inexact = findInexactNumber(text);
  if (inexact !== null) throw new InexactNumberError(inexact);
  return value;
}
