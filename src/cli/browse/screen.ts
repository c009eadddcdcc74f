import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { InputStream, OutputStream } from '../terminal/terminal.js';
import type { Size } from './state.js';

/** The changed part of a line, and its first column. */
interface ChangedPart {
  readonly column: number;
  readonly text: string;
}

const ESCAPE = '\u001B';
const TOKEN = new RegExp(`${ESCAPE}\\[[\\d;]*m|[^]`, 'gu');
/** Escape codes that end a style. */
const CLOSING = new RegExp(`^${ESCAPE}\\[(?:0|22|27|39)m$`);
/** Characters that take one cell on every terminal. */
const NARROW = /^[ -~─│–·]$/u;

const tokensOf = (line: string): readonly string[] => line.match(TOKEN) ?? [];

/** Returns the number of equal tokens up to a position where no style is open and the column is certain. */
const commonTokens = (before: readonly string[], after: readonly string[]): number => {
  let [common, open] = [0, 0];
  for (const [index, token] of after.entries()) {
    if (token !== before[index]) break;
    if (CLOSING.test(token)) open--;
    else if (token.startsWith(ESCAPE)) open++;
    else if (!NARROW.test(token)) break;
    if (open === 0) common = index + 1;
  }
  return common;
};

/** Returns the output that turns one line into another. */
export function changedPart(before: string, after: string): ChangedPart {
  const tokens = tokensOf(after);
  const common = commonTokens(tokensOf(before), tokens);
  const column = stripVTControlCharacters(tokens.slice(0, common).join('')).length;
  return { column, text: tokens.slice(common).join('') };
}

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[0m\u001B[?25h\u001B[?1049l';
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

const rewriteLine = (row: number, before: string, after: string): string => {
  const { column, text } = changedPart(before, after);
  return `\u001B[${row + 1};${column + 1}H${text}\u001B[K`;
};

/** The alternate screen of a terminal. */
export interface FullScreen {
  readonly enter: () => void;
  /** Restores the previous content of the terminal. Does nothing if it was restored already. */
  readonly leave: () => void;
  readonly size: () => Size;
  /** Calls back when the size of the terminal changes. Returns a function that stops this. */
  readonly onResize: (callback: () => void) => () => void;
  /** Accepts whole frames, and sends only the changes since the last one. */
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
      stream.write(changed.map((row) => rewriteLine(row, shown[row] ?? '', lines[row] ?? '')).join(''));
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
      // The terminal is restored however the process ends.
      process.on('exit', leave);
      if (lastFrame !== null) draw(lastFrame);
    },
    leave,
    size,
    onResize: (callback) => {
      const clear = (): void => {
        if (!isEntered) return;
        // Terminals differ in how they rewrap existing lines.
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

/** The keyboard of a terminal, which other programs can use in between. */
interface Keyboard {
  /** The typed keys, as a terminal stream. */
  readonly input: NodeJS.ReadStream;
  readonly listen: () => void;
  /** Stops reading keys and lets the terminal handle them again. */
  readonly release: () => void;
}

/** `setRawMode` of the stream. A stream of a test may lack it. */
const setRawMode = (stream: InputStream, isRaw: boolean): void => {
  const method: unknown = Reflect.get(stream, 'setRawMode');
  if (typeof method === 'function') method.call(stream, isRaw);
};

export function createKeyboard(stdin: InputStream): Keyboard {
  const typed = new PassThrough();
  // The methods that Ink calls. Raw mode is switched here, so that it is always switched back.
  const input = Object.assign(typed, {
    isTTY: true,
    isRaw: true,
    fd: 0,
    setRawMode: () => input,
    ref: () => input,
    unref: () => input,
  }) as unknown as NodeJS.ReadStream;
  const pass = (chunk: Buffer | string): void => void typed.write(chunk);
  const restore = (): void => setRawMode(stdin, false);
  return {
    input,
    listen: () => {
      setRawMode(stdin, true);
      process.on('exit', restore);
      stdin.on('data', pass).resume();
    },
    release: () => {
      stdin.off('data', pass).pause();
      process.off('exit', restore);
      restore();
    },
  };
}

/** A pressed key: a character, or the name of a key that types none. */
export type Key = string;

/** The description of a key that Ink's `useInput` passes to its handler. */
interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
}

const NAMED: readonly (readonly [keyof InkKey, Key])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // Many terminals send it for Backspace.
  ['delete', 'backspace'],
];

const CONTROL: Readonly<Record<string, Key>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u0003': 'ctrl-c',
  '\u0015': 'ctrl-u',
  '\u001A': 'ctrl-z',
};

/** Returns the keys in one chunk of input: several if the user types fast or pastes text. */
export function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  const named = NAMED.find(([name]) => key[name]);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return [`ctrl-${input}`];
  // Combinations with Alt are ignored.
  if (key.meta) return [];
  return [...input].map((char) => CONTROL[char] ?? char).filter((char) => !/^\p{Cc}$/u.test(char));
}

/** The effects of the keys, for the help. */
export const KEY_HELP: readonly (readonly [keys: string, meaning: string])[] = [
  ['Up, Down, k, j', 'move'],
  ['Tab, Left, Right', 'go to types, documents, preview'],
  ['PgDn, PgUp, n, b', 'next and previous page'],
  ['Home, End, g, G', 'first and last'],
  ['Enter', 'open; unfold or fold a value'],
  ['/', 'search; Enter keeps it, Esc ends it'],
  ['s', 'show drafts or published versions'],
  ['l, L', 'next and previous locale'],
  ['o', 'sort by time of change or by title'],
  ['e, c', 'edit, create in $EDITOR'],
  ['d, t', 'duplicate; copy to a new locale'],
  ['p, u', 'publish, unpublish'],
  ['v', 'discard changes since publishing'],
  ['x', 'delete, after confirmation'],
  ['r', 'reload'],
  ['q, Ctrl-C', 'quit; Ctrl-Z suspends'],
];

/** The keys that the last line lists, the most important ones first. */
export const KEY_HINTS: readonly (readonly [key: string, meaning: string])[] = [
  ['?', 'help'],
  ['q', 'quit'],
  ['/', 'search'],
  ['e', 'edit'],
  ['p', 'publish'],
  ['u', 'unpublish'],
  ['d', 'duplicate'],
  ['x', 'delete'],
  ['c', 'create'],
  ['s', 'status'],
  ['l', 'locale'],
  ['o', 'order'],
  ['Tab', 'pane'],
];
