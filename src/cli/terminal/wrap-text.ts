import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from './terminal.js';

/** East Asian wide and fullwidth characters and emoji take two cells. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const INVISIBLE = /\p{Mn}|\p{Me}|\p{Cf}/u;

const widthOf = (char: string): number => {
  if (INVISIBLE.test(char)) return 0;
  return WIDE.test(char) || EMOJI.test(char) ? 2 : 1;
};

/** Returns the number of cells that a text takes on a terminal. Escape sequences take none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) width += widthOf(char);
  return width;
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** Returns the width of the longest word, below which a text cannot be wrapped without breaking one. */
export function longestWord(text: string): number {
  return Math.max(0, ...wordsOf(text).map(displayWidth));
}

/** Splits a word that is wider than a line. */
const breakWord = (word: string, width: number): readonly string[] => {
  if (displayWidth(word) <= width) return [word];
  const pieces = [''];
  for (const char of stripVTControlCharacters(word)) {
    const piece = pieces.at(-1) ?? '';
    if (displayWidth(piece) + widthOf(char) > width) pieces.push(char);
    else pieces[pieces.length - 1] = piece + char;
  }
  return pieces;
};

const ESCAPE = '\u001B';
const SEQUENCE = new RegExp(`${ESCAPE}\\[(\\d+)m`, 'g');
const CLOSING_CODES: ReadonlySet<string> = new Set(['0', '22', '39']);
const RESET = `${ESCAPE}[0m`;

/** Ends a style with its line, and begins it again on the next. */
const carryStyles = (lines: readonly string[]): readonly string[] => {
  let open = '';
  return lines.map((line) => {
    const text = open + line;
    for (const [sequence, code = ''] of line.matchAll(SEQUENCE))
      open = CLOSING_CODES.has(code) ? '' : open + sequence;
    return open === '' ? text : text + RESET;
  });
};

/** Wraps a text at its spaces. A word is only broken where it is wider than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  if (displayWidth(text) <= width) return [text];
  const lines = [''];
  for (const piece of wordsOf(text).flatMap((word) => breakWord(word, width))) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = piece;
    else if (displayWidth(line) + 1 + displayWidth(piece) > width) lines.push(piece);
    else lines[lines.length - 1] = `${line} ${piece}`;
  }
  return carryStyles(lines);
}

/** Wraps each line of a text. What follows its first line is indented more than it. */
export function wrapParagraphs(text: string, width = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      if (displayWidth(line) <= width) return [line];
      const lines = wrapText(line.trimStart(), width - indent.length - 2);
      return lines.map((each, index) => `${indent}${index === 0 ? '' : '  '}${each}`);
    })
    .join('\n');
}

/** Below this width, wrapped lines hold hardly a word. */
const MIN_COLUMNS = 20;

/** Wraps each line of a message between words where the stream is a terminal. */
export function wrapMessage({ isTTY, columns = 0 }: OutputStream, text: string): string {
  return isTTY === true && columns >= MIN_COLUMNS ? wrapParagraphs(text, columns) : text;
}
