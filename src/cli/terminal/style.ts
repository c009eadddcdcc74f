/** The style of text on a stream. The functions return it unchanged if color is off. */
export interface Style {
  /** The width of the terminal in cells. Undefined where text is not wrapped: in a pipe or a file. */
  readonly width?: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly inverse: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const wrap =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001B[${open}m${text}\u001B[${close}m`;
const plain = (text: string): string => text;

const COLORED: Style = Object.freeze({
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  inverse: wrap(7, 27),
  red: wrap(31, 39),
  green: wrap(32, 39),
  yellow: wrap(33, 39),
  cyan: wrap(36, 39),
});

const PLAIN: Style = Object.freeze({
  bold: plain,
  dim: plain,
  inverse: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
});

export function styleFor(color: boolean, width?: number): Style {
  const style = color ? COLORED : PLAIN;
  return width === undefined ? style : { ...style, width };
}
