import { createPrompt, isDownKey, isEnterKey, isSpaceKey, isUpKey, makeTheme, useKeypress, usePagination, usePrefix, useState } from '@inquirer/core';
import type { Status } from '@inquirer/core';
import type { ActionGroup } from '../../../access/actions.js';
import type { Style } from '../style.js';

export interface ActionGridConfig {
  readonly message: string;
  /** A row each. */
  readonly groups: readonly ActionGroup[];
  /** Full action names that are ticked to begin with. */
  readonly granted: readonly string[];
  /** Nothing ticked is no answer. */
  readonly required?: boolean;
  readonly style: Style;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

const KEYS = '↑↓←→ move • space tick • a whole row • ⏎ done';
const PAGE_SIZE = 16;

const actionAt = (groups: readonly ActionGroup[], { row, column }: Place): string => `${groups[row]?.uid}.${groups[row]?.actions[column]}`;

const clamp = (value: number, length: number): number => Math.max(0, Math.min(value, length - 1));

const move = (groups: readonly ActionGroup[], { row, column }: Place, rows: number, columns: number): Place => {
  const next = clamp(row + rows, groups.length);
  return { row: next, column: clamp(column + columns, groups[next]?.actions.length ?? 0) };
};

const toggle = (ticked: ReadonlySet<string>, action: string): ReadonlySet<string> => {
  const next = new Set(ticked);
  if (!next.delete(action)) next.add(action);
  return next;
};

/** Ticks all of a row, or, where all are ticked, none. */
const toggleRow = (ticked: ReadonlySet<string>, { uid, actions }: ActionGroup): ReadonlySet<string> => {
  const names = actions.map((action) => `${uid}.${action}`);
  const isWhole = names.every((name) => ticked.has(name));
  return new Set(isWhole ? [...ticked].filter((name) => !names.includes(name)) : [...ticked, ...names]);
};

const printRow = (group: ActionGroup, ticked: ReadonlySet<string>, column: number | null, { width, style }: { readonly width: number; readonly style: Style }): string => {
  const cells = group.actions.map((action, index) => {
    const cell = `[${ticked.has(`${group.uid}.${action}`) ? 'x' : ' '}] ${action}`;
    return index === column ? style.cyan(`›${cell}`) : ` ${cell}`;
  });
  return `${group.displayName.padEnd(width)} ${cells.join(' ')}`;
};

/**
 * A grid of checkboxes: types and plugins' controllers down, their actions across, the full name of the one at hand below. Answers the full names of all that is ticked,
 * what was granted and is in no row included.
 */
export const actionGrid = createPrompt<readonly string[], ActionGridConfig>(({ message, groups, granted, required = false, style }, done) => {
  const [status, setStatus] = useState<Status>('idle');
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(granted));
  const [error, setError] = useState<string | undefined>(undefined);
  const prefix = usePrefix({ status, theme: makeTheme() });
  const width = Math.max(...groups.map(({ displayName }) => displayName.length));

  useKeypress((key) => {
    setError(undefined);
    const group = groups[place.row];
    if (isEnterKey(key) && required && ticked.size === 0) setError('Tick at least one.');
    else if (isEnterKey(key)) {
      setStatus('done');
      done([...ticked].toSorted());
    } else if (isUpKey(key)) setPlace(move(groups, place, -1, 0));
    else if (isDownKey(key)) setPlace(move(groups, place, 1, 0));
    else if (key.name === 'left') setPlace(move(groups, place, 0, -1));
    else if (key.name === 'right') setPlace(move(groups, place, 0, 1));
    else if (isSpaceKey(key)) setTicked(toggle(ticked, actionAt(groups, place)));
    else if (key.name === 'a' && group !== undefined) setTicked(toggleRow(ticked, group));
  });

  const page = usePagination({
    items: groups,
    active: place.row,
    pageSize: PAGE_SIZE,
    loop: false,
    renderItem: ({ item, isActive }) => printRow(item, ticked, isActive ? place.column : null, { width, style }),
  });
  const title = `${prefix} ${style.bold(message)}`;
  if (status === 'done') return `${title} ${style.dim(`${ticked.size} ${ticked.size === 1 ? 'action' : 'actions'}`)}`;
  return [[title, page].join('\n'), [actionAt(groups, place), error === undefined ? style.dim(KEYS) : style.red(error)].join('\n')];
});
