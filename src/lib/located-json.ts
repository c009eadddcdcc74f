import { getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { defined } from './defined.js';

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

const keyOf = (property: Node): string => String(property.children?.[0]?.value);

/** Of duplicate keys the later one counts, as in `JSON.parse`. */
const memberOf = (node: Node | undefined, key: string | number): Node | undefined => {
  if (typeof key === 'number') return node?.type === 'array' ? node.children?.[key] : undefined;
  return node?.type === 'object' ? node.children?.findLast((property) => keyOf(property) === key) : undefined;
};

const valueOf = (node: Node | undefined): Node | undefined =>
  node?.type === 'property' ? node.children?.[1] : node;

const offsetOf = (root: Node | undefined, path: JsonPath): number => {
  let found = root;
  for (const key of path) {
    const member = memberOf(valueOf(found), key);
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
    const key = keyOf(property);
    const duplicate = seen.has(key) ? [{ path, key, offset: property.offset }] : [];
    seen.add(key);
    const value = valueOf(property);
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
