import { Writable } from 'node:stream';
import type { OutputStream } from '../terminal/terminal.js';
import { changedPart } from './changed-part.js';
import type { Size } from './layout.js';

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[0m\u001B[?25h\u001B[?1049l';
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

const change = (row: number, before: string, after: string): string => {
  const { column, text } = changedPart(before, after);
  return `\u001B[${row + 1};${column + 1}H${text}\u001B[K`;
};

/** The alternate screen of a terminal. */
export interface FullScreen {
  readonly enter: () => void;
  /** Restores what the terminal showed before. Does nothing where it is shown already. */
  readonly leave: () => void;
  readonly size: () => Size;
  /** Calls back when the terminal has another size. Returns how to stop that. */
  readonly onResize: (callback: () => void) => () => void;
  /** Takes whole frames, and sends only what changed since the last one. */
  readonly frames: NodeJS.WriteStream;
}

export function createFullScreen(stream: OutputStream): FullScreen {
  let isEntered = false;
  let lastFrame: string | null = null;
  /** The lines that the terminal shows. */
  let shown: readonly string[] = [];
  const draw = (frame: string): void => {
    lastFrame = frame;
    if (!isEntered) return;
    const lines = frame.split('\n');
    const changed = Array.from({ length: Math.max(lines.length, shown.length) }, (_each, row) => row).filter(
      (row) => lines[row] !== shown[row],
    );
    if (changed.length > 0)
      stream.write(changed.map((row) => change(row, shown[row] ?? '', lines[row] ?? '')).join(''));
    shown = lines;
  };
  const leave = (): void => {
    process.off('exit', leave);
    if (!isEntered) return;
    isEntered = false;
    stream.write(LEAVE);
  };
  const size = (): Size => ({
    columns: stream.columns ?? DEFAULT_SIZE.columns,
    rows: stream.rows ?? DEFAULT_SIZE.rows,
  });
  const frames = new Writable({
    decodeStrings: false,
    write: (frame: unknown, _encoding, done) => {
      draw(String(frame));
      done();
    },
  });
  // Frames are laid out for the size of the terminal.
  Object.defineProperty(frames, 'columns', { get: () => size().columns });
  return {
    enter: () => {
      isEntered = true;
      shown = [];
      stream.write(ENTER);
      // However the process ends, the terminal is left as it was.
      process.on('exit', leave);
      if (lastFrame !== null) draw(lastFrame);
    },
    leave,
    size,
    onResize: (callback) => {
      const clear = (): void => {
        if (!isEntered) return;
        // Terminals differ in what they do with the lines of before.
        shown = [];
        stream.write('\u001B[2J');
        callback();
      };
      stream.on('resize', clear);
      return () => void stream.off('resize', clear);
    },
    frames: frames as unknown as NodeJS.WriteStream,
  };
}
