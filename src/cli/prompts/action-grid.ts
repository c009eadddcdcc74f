import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core';
import type { Status } from '@inquirer/core';
import stringWidth from 'string-width';
import type { ActionGroup } from '../../access/permissions/actions.js';
import { fitText } from '../terminal/text-layout.js';
import type { Style } from '../terminal/terminal.js';
import { defined } from '../../lib/assert.js';
import { clampIndex } from '../../lib/collections.js';
import { countNoun } from '../../lib/text.js';

export interface ActionGridConfig {
  readonly message: string;
  /** One row per group. */
  readonly groups: readonly ActionGroup[];
  /** Full names of the initially ticked actions. */
  readonly granted: readonly string[];
  /** Requires at least one tick. */
  readonly required?: boolean;
  readonly style: Style;
}

interface Cursor {
  readonly row: number;
  readonly column: number;
}

const KEYS = '↑↓←→ move • space tick • a whole row • ⏎ done';
const PAGE_SIZE = 16;

const groupAt = (groups: readonly ActionGroup[], row: number): ActionGroup =>
  defined(groups[row], `The group in row ${row}`);

const actionAt = (groups: readonly ActionGroup[], { row, column }: Cursor): string => {
  const { uid, actions } = groupAt(groups, row);
  return `${uid}.${defined(actions[column], `The action in column ${column} of ${uid}`)}`;
};

const moveCursor = (
  groups: readonly ActionGroup[],
  { row, column }: Cursor,
  rowDelta: number,
  columnDelta: number,
): Cursor => {
  const next = clampIndex(row + rowDelta, groups.length);
  return { row: next, column: clampIndex(column + columnDelta, groupAt(groups, next).actions.length) };
};

const toggle = (checked: ReadonlySet<string>, action: string): ReadonlySet<string> => {
  const next = new Set(checked);
  if (!next.delete(action)) next.add(action);
  return next;
};

/** Ticks the whole row, or unticks it if all of it is ticked. */
const toggleRow = (checked: ReadonlySet<string>, { uid, actions }: ActionGroup): ReadonlySet<string> => {
  const names = actions.map((action) => `${uid}.${action}`);
  const isAllChecked = names.every((name) => checked.has(name));
  return new Set(
    isAllChecked ? [...checked].filter((name) => !names.includes(name)) : [...checked, ...names],
  );
};

/** Below this width, the terminal breaks rows. */
const MIN_COLUMNS = 20;

/** Joins cells, and starts an indented line when a line of the terminal is full. */
const breakCells = (
  cells: readonly { readonly cell: string; readonly length: number }[],
  { width = Number.POSITIVE_INFINITY }: Style,
  indent: number,
): string => {
  const room = width - indent < MIN_COLUMNS ? Number.POSITIVE_INFINITY : width - indent;
  const lines: string[] = [];
  let used = 0;
  for (const { cell, length } of cells) {
    if (lines.length === 0 || used + 1 + length > room) {
      lines.push(cell);
      used = length;
    } else {
      lines.push(`${lines.pop() ?? ''} ${cell}`);
      used += 1 + length;
    }
  }
  return lines.join(`\n${' '.repeat(indent)}`);
};

const printRow = (
  group: ActionGroup,
  checked: ReadonlySet<string>,
  column: number | null,
  { width, style }: { readonly width: number; readonly style: Style },
): string => {
  const cells = group.actions.map((action, index) => {
    const text = `[${checked.has(`${group.uid}.${action}`) ? 'x' : ' '}] ${action}`;
    const cell = index === column ? style.cyan(`›${text}`) : ` ${text}`;
    return { cell, length: text.length + 1 };
  });
  return `${fitText(group.displayName, width)} ${breakCells(cells, style, width + 1)}`;
};

/**
 * A grid of checkboxes with a row per type or plugin's controller and a column per action. The line below
 * shows the full name of the current action. Returns the full names of all ticked actions, including granted
 * ones without a row.
 */
export const actionGrid = createPrompt<readonly string[], ActionGridConfig>(
  ({ message, groups, granted, required = false, style }, done) => {
    const [status, setStatus] = useState<Status>('idle');
    const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 });
    const [checked, setChecked] = useState<ReadonlySet<string>>(new Set(granted));
    const [error, setError] = useState<string | undefined>(undefined);
    const prefix = usePrefix({ status, theme: makeTheme() });
    const width = Math.max(...groups.map(({ displayName }) => stringWidth(displayName)));

    useKeypress((key) => {
      setError(undefined);
      const group = groups[cursor.row];
      if (isEnterKey(key) && required && checked.size === 0) setError('Tick at least one.');
      else if (isEnterKey(key)) {
        setStatus('done');
        done([...checked].toSorted());
      } else if (isUpKey(key)) setCursor(moveCursor(groups, cursor, -1, 0));
      else if (isDownKey(key)) setCursor(moveCursor(groups, cursor, 1, 0));
      else if (key.name === 'left') setCursor(moveCursor(groups, cursor, 0, -1));
      else if (key.name === 'right') setCursor(moveCursor(groups, cursor, 0, 1));
      else if (isSpaceKey(key)) setChecked(toggle(checked, actionAt(groups, cursor)));
      else if (key.name === 'a' && group !== undefined) setChecked(toggleRow(checked, group));
    });

    const page = usePagination({
      items: groups,
      active: cursor.row,
      pageSize: PAGE_SIZE,
      loop: false,
      renderItem: ({ item, isActive }) =>
        printRow(item, checked, isActive ? cursor.column : null, { width, style }),
    });
    const title = `${prefix} ${style.bold(message)}`;
    if (status === 'done') return `${title} ${style.dim(countNoun(checked.size, 'action'))}`;
    return [
      [title, page].join('\n'),
      [actionAt(groups, cursor), error === undefined ? style.dim(KEYS) : style.red(error)].join('\n'),
    ];
  },
);
