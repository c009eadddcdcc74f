import stringWidth from 'string-width';

/**
 * Control characters, and those that turn the direction of what follows: stored text must not steer a
 * terminal.
 */
const STEERING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/** A text as one line that can be shown: control characters become spaces. */
export function toOneLine(text: string): string {
  return text.replaceAll(STEERING, ' ').trim();
}

const graphemes = new Intl.Segmenter();

/** Cuts a text to a number of cells, with an ellipsis where something is left out. */
export function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** Cuts or fills a text to exactly a number of cells. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}
