/** A key that was pressed: a character, or the name of a key that types none. */
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

/** Returns the keys that one piece of input stands for: several where they arrive at once, or are pasted. */
export function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  const named = NAMED.find(([name]) => key[name]);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return [`ctrl-${input}`];
  // Alt with a key is none of ours.
  if (key.meta) return [];
  return [...input].map((char) => CONTROL[char] ?? char).filter((char) => !/^\p{Cc}$/u.test(char));
}

/** The effects of the keys, for the help. */
export const KEY_HELP: readonly (readonly [keys: string, meaning: string])[] = [
  ['Up, Down, k, j', 'move'],
  ['Tab, Left, Right', 'go to types, documents, preview'],
  ['PgDn, PgUp, n, b', 'next and previous page'],
  ['Home, End, g, G', 'first and last'],
  ['Enter', 'go on; unfold or fold a value'],
  ['/', 'search; Enter keeps it, Esc ends it'],
  ['s', 'show drafts, or what is published'],
  ['l, L', 'next and previous locale'],
  ['o', 'order by time of change, or title'],
  ['e, c', 'edit, create in $EDITOR'],
  ['d', 'duplicate'],
  ['p, u', 'publish, unpublish'],
  ['v', 'discard changes since publishing'],
  ['x', 'delete, once that is confirmed'],
  ['r', 'read again'],
  ['q, Ctrl-C', 'quit; Ctrl-Z suspends'],
];

/** The keys that the last line names, the most important ones first. */
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
