import type { Style } from '../../terminal/style.js';

export type Tone = Exclude<keyof Style, 'width'>;

/** A part of a line that looks the same. */
interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

/** One row of a pane, as wide as the pane at most. */
export type Line = readonly Span[];

export function plainLine(text: string): Line {
  return [{ text }];
}

export function tonedLine(text: string, tone: Tone): Line {
  return [{ text, tone }];
}

export function printLine(line: Line, style: Style): string {
  return line.map(({ text, tone }) => (tone === undefined ? text : style[tone](text))).join('');
}
