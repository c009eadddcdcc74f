import { Box, Text, useInput } from 'ink';
import { createElement, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Style } from '../terminal/terminal.js';
import { keysOf } from './screen.js';
import type { Key } from './screen.js';
import { bodyRows, isTooSmall, listRows, MIN_SIZE, previewHeight, typesWidth } from './state.js';
import type { BrowseState } from './state.js';
import {
  documentLines,
  headerLine,
  helpLines,
  hintLine,
  messageLine,
  plainLine,
  previewLines,
  printLine,
  typeLines,
} from './lines.js';
import type { Line } from './lines.js';

interface LinesProps {
  readonly lines: readonly Line[];
  readonly height: number;
  readonly style: Style;
}

/** A list of rows, each already cut to the width of its pane. */
const Lines = ({ lines, height, style }: LinesProps): ReactElement => {
  const rows = Array.from({ length: height }, (_each, index) => lines[index] ?? plainLine(''));
  return createElement(
    Box,
    { flexDirection: 'column', flexShrink: 0, height },
    ...rows.map((line, index) =>
      createElement(Text, { key: index, wrap: 'truncate-end' }, printLine(line, style) || ' '),
    ),
  );
};

interface ScreenProps {
  readonly state: BrowseState;
  readonly style: Style;
}

const Panes = ({ state, style }: ScreenProps): ReactElement => {
  const { size } = state;
  const rule = Array.from({ length: bodyRows(size) }, () => [{ text: '│', tone: 'dim' as const }]);
  return createElement(
    Box,
    { height: bodyRows(size) },
    createElement(
      Box,
      { width: typesWidth(size), flexShrink: 0 },
      createElement(Lines, { lines: typeLines(state), height: bodyRows(size), style }),
    ),
    createElement(
      Box,
      { width: 2, flexShrink: 0 },
      createElement(Lines, { lines: rule, height: bodyRows(size), style }),
    ),
    createElement(
      Box,
      { flexDirection: 'column' },
      createElement(Lines, { lines: documentLines(state), height: listRows(size), style }),
      createElement(Lines, { lines: previewLines(state), height: previewHeight(size) + 1, style }),
    ),
  );
};

const Screen = ({ state, style }: ScreenProps): ReactElement => {
  const { size, mode } = state;
  if (isTooSmall(size)) {
    const needed = `${MIN_SIZE.columns}×${MIN_SIZE.rows}`;
    const text = `This needs ${needed} cells; there are ${size.columns}×${size.rows}. q quits.`;
    return createElement(Text, { wrap: 'wrap' }, text);
  }
  const body =
    mode === 'help'
      ? createElement(Lines, { lines: helpLines(bodyRows(size)), height: bodyRows(size), style })
      : createElement(Panes, { state, style });
  return createElement(
    Box,
    { flexDirection: 'column', width: size.columns, height: size.rows },
    createElement(Lines, { lines: [headerLine(state)], height: 1, style }),
    body,
    createElement(Lines, { lines: [messageLine(state), hintLine(state)], height: 2, style }),
  );
};

/** The state of the browser, and the subscription to its changes. */
interface BrowseStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => BrowseState;
}

export interface BrowserProps {
  readonly store: BrowseStore;
  readonly style: Style;
  readonly onKey: (key: Key) => void;
}

/** The whole screen. */
export const Browser = ({ store, style, onKey }: BrowserProps): ReactElement => {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((input, key) => {
    for (const each of keysOf(input, key)) onKey(each);
  });
  return createElement(Screen, { state, style });
};
