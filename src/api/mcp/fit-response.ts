import { isRecord } from '../../lib/records.js';

/** The path of a value within a response: names of objects, indexes of lists. */
export type ValuePath = readonly (string | number)[];

/** The texts that stand for cut values. */
export interface CutPointers {
  /** Returns the call that reads the rest of a value. */
  readonly valueAt: (path: ValuePath, offset: number) => string;
  /** Returns the call that reads the items of a list from this one on. */
  readonly itemsAt: (path: ValuePath, next: number) => string;
}

/** The usual estimate for text in European languages and for JSON. */
const CHARACTERS_PER_TOKEN = 4;

/** Parts smaller than this are not worth a separate call. */
const MIN_SHARE = 400;

/** Room for the text that stands for a cut value. */
const POINTER_LENGTH = 220;

const CUT_MARK = /\[cut: \d+ of \d+ (?:characters|items)(?: shown)?[.;]/;

/** True if a text contains the mark of a value that {@link fitResponse} has cut. */
export function isCutText(text: string): boolean {
  return CUT_MARK.test(text);
}

/** Returns the estimated number of tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

const lengthOf = (value: unknown): number => (JSON.stringify(value) ?? '').length;

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Cuts a text, but never a pair of surrogates. */
const cutText = (text: string, path: ValuePath, room: number, pointers: CutPointers): string => {
  const wanted = Math.max(room - POINTER_LENGTH, 0);
  // Line breaks and quotes need two characters in JSON.
  const escaped = lengthOf(text) / text.length;
  const length = Math.min(Math.floor(wanted / escaped), text.length);
  const shown = isLowSurrogate(text.charCodeAt(length)) ? Math.max(length - 1, 0) : length;
  const mark = `[cut: ${shown} of ${text.length} characters shown; rest: ${pointers.valueAt(path, shown)}]`;
  return text.slice(0, shown) + mark;
};

const cutList = (
  items: readonly unknown[],
  path: ValuePath,
  room: number,
  pointers: CutPointers,
): readonly unknown[] => {
  const share = Math.max(Math.floor(room / items.length), MIN_SHARE);
  const kept: unknown[] = [];
  let rest = room - POINTER_LENGTH;
  for (const [index, item] of items.entries()) {
    const cut = fit(item, [...path, index], Math.min(share, Math.max(rest, MIN_SHARE)), pointers);
    const length = lengthOf(cut) + 1;
    if (length > rest && kept.length > 0) break;
    kept.push(cut);
    rest -= length;
  }
  if (kept.length === items.length) return kept;
  const counts = `${kept.length} of ${items.length} items shown`;
  return [...kept, `[cut: ${counts}; rest: ${pointers.itemsAt(path, kept.length)}]`];
};

/** Gives small values what they need, and divides the rest among the large ones. */
const cutRecord = (
  record: Readonly<Record<string, unknown>>,
  path: ValuePath,
  room: number,
  pointers: CutPointers,
): Readonly<Record<string, unknown>> => {
  const sizes = Object.entries(record).map(([name, value]) => ({
    name,
    value,
    length: lengthOf(value),
    overhead: lengthOf(name) + 2,
  }));
  let rest = room - sizes.reduce((sum, { overhead }) => sum + overhead, 2);
  const bySize = sizes.toSorted((left, right) => left.length - right.length);
  const fitted = new Map<string, unknown>();
  for (const [index, { name, value, length }] of bySize.entries()) {
    const share = Math.floor(rest / (bySize.length - index));
    const cut = length <= share ? value : fit(value, [...path, name], Math.max(share, 0), pointers);
    fitted.set(name, cut);
    rest -= lengthOf(cut);
  }
  return Object.fromEntries(sizes.map(({ name }) => [name, fitted.get(name)]));
};

const fit = (value: unknown, path: ValuePath, room: number, pointers: CutPointers): unknown => {
  const length = lengthOf(value);
  if (length <= room) return value;
  if (typeof value === 'string')
    return value.length <= POINTER_LENGTH ? value : cutText(value, path, room, pointers);
  if (room < MIN_SHARE && typeof value === 'object')
    return `[cut: 0 of ${length} characters shown; rest: ${pointers.valueAt(path, 0)}]`;
  if (Array.isArray(value)) return cutList(value, path, room, pointers);
  return isRecord(value) ? cutRecord(value, path, room, pointers) : value;
};

/**
 * Prints a response as JSON of at most about `maxTokens` tokens. Long texts and lists are cut, and a text in
 * the place of the rest names the call that reads it.
 */
export function fitResponse(body: unknown, maxTokens: number, pointers: CutPointers): string {
  const room = maxTokens * CHARACTERS_PER_TOKEN;
  const text = JSON.stringify(body);
  return text.length <= room ? text : JSON.stringify(fit(body, [], room, pointers));
}
