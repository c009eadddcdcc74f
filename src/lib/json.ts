import { getLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { defined } from './assert.js';

/** A number in a JSON text that a double cannot represent. */
export interface InexactNumber {
  readonly path: readonly string[];
  /** As it is written. */
  readonly literal: string;
  /** The nearest double, which a parser returns instead. */
  readonly value: number;
}

/** A double represents every number with at most this many characters and no exponent. */
const SAFE_LENGTH = 15;

const NUMBER = /^[+-]?(?=\.?\d)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** Returns the normal form of a number: digits without zeros at either end, and their exponent. */
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
 * True if a double represents a decimal number: it prints as the same value. True for 0.1, 1.10 and 1e3,
 * false for 9007199254740993.
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

/** Returns the end of the number at a position. `isSuspect`: parsing it may lose digits. */
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

export type JsonPath = readonly (string | number)[];

/** A position in a text file. Both numbers start at 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A parsed JSON text with the lines of its parts. */
export interface LocatedJson {
  /** Undefined if the text is not valid JSON. */
  readonly value: unknown;
  /** The first syntax error. Later ones are usually consequences of it. */
  readonly error: (TextPosition & { readonly message: string }) | null;
  /** Duplicate keys: the path of the object, the key, and the line of the later one. */
  readonly duplicates: readonly { readonly path: JsonPath; readonly key: string; readonly line: number }[];
  /** Returns the line of the key or item at a path, or of its nearest existing ancestor. */
  readonly lineOf: (path: JsonPath) => number;
}

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value that is not JSON',
  InvalidNumberFormat: 'a number that is not JSON',
  PropertyNameExpected: 'a property name in double quotes expected',
  ValueExpected: 'a value expected',
  ColonExpected: 'a colon expected',
  CommaExpected: 'a comma expected',
  CloseBraceExpected: 'a closing brace expected',
  CloseBracketExpected: 'a closing bracket expected',
  EndOfFileExpected: 'the end of the file expected',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'a comment without end',
  UnexpectedEndOfString: 'a string without end',
  UnexpectedEndOfNumber: 'a number without end',
  InvalidUnicode: 'a broken \\u escape',
  InvalidEscapeCharacter: 'an unknown escape',
  InvalidCharacter: 'a character that must be escaped',
};

const createPositions = (text: string): ((offset: number) => TextPosition) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    const line = after === -1 ? starts.length : after;
    return { line, column: offset - defined(starts[line - 1], 'The start of a line') + 1 };
  };
};

const keyOfProperty = (property: Node): string => String(property.children?.[0]?.value);

/** The last of duplicate keys counts, as in `JSON.parse`. */
const memberOf = (node: Node | undefined, key: string | number): Node | undefined => {
  if (typeof key === 'number') return node?.type === 'array' ? node.children?.[key] : undefined;
  return node?.type === 'object'
    ? node.children?.findLast((property) => keyOfProperty(property) === key)
    : undefined;
};

const valueNodeOf = (node: Node | undefined): Node | undefined =>
  node?.type === 'property' ? node.children?.[1] : node;

const offsetOf = (root: Node | undefined, path: JsonPath): number => {
  let found = root;
  for (const key of path) {
    const member = memberOf(valueNodeOf(found), key);
    if (member === undefined) break;
    found = member;
  }
  return found?.offset ?? 0;
};

type Duplicate = { readonly path: JsonPath; readonly key: string; readonly offset: number };

const duplicatesIn = (node: Node, path: JsonPath): readonly Duplicate[] => {
  if (node.type === 'array')
    return (node.children ?? []).flatMap((item, index) => duplicatesIn(item, [...path, index]));
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap((property) => {
    const key = keyOfProperty(property);
    const duplicate = seen.has(key) ? [{ path, key, offset: property.offset }] : [];
    seen.add(key);
    const value = valueNodeOf(property);
    return [...duplicate, ...(value === undefined ? [] : duplicatesIn(value, [...path, key]))];
  });
};

const firstError = (
  errors: readonly ParseError[],
  positionOf: (offset: number) => TextPosition,
): LocatedJson['error'] => {
  const first = errors[0];
  if (first === undefined) return null;
  const code = printParseErrorCode(first.error);
  return { ...positionOf(first.offset), message: MESSAGES[code] ?? code };
};

/** Parses strict JSON, with an optional byte order mark, and keeps the line of every part. */
export function parseLocatedJson(source: string): LocatedJson {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  const positionOf = createPositions(text);
  const error = firstError(errors, positionOf);
  return {
    value: error === null && root !== undefined ? (getNodeValue(root) as unknown) : undefined,
    error,
    duplicates:
      root === undefined
        ? []
        : duplicatesIn(root, []).map(({ offset, ...rest }) => ({ ...rest, line: positionOf(offset).line })),
    lineOf: (path) => positionOf(offsetOf(root, path)).line,
  };
}

/** A JSON Schema (2020-12), as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;
