import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { OutputStream } from './terminal.js';

/** Wraps a text at its spaces. A word is only broken where it is wider than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapAnsi(text, width, { hard: true }).split('\n');
}

/** Wraps each line of a text. Continuation lines are indented two columns more than the first one. */
export function wrapParagraphs(text: string, width = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      if (stringWidth(line) <= width) return [line];
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
