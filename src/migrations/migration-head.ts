import { isRecord } from '../lib/is-record.js';
import { losesData } from './at-stake.js';
import type { AtStake } from './at-stake.js';
import type { Rename } from './rename-in-schema.js';

/**
 * What the first lines of a migration's SQL say about it, as comments for people and for {@link parseHead}. It travels with the file, so
 * that the same question is asked of every database the migration reaches.
 */
export interface MigrationHead {
  readonly stakes: readonly AtStake[];
  /** What goes on under another name, and is not lost. */
  readonly renames: readonly Rename[];
  /** Tables and columns that go, and whose links the migration puts elsewhere. */
  readonly moved?: readonly MovedPlace[];
  /** The explicit word: what is lost may be lost. */
  readonly isAccepted: boolean;
}

/** A link table, or a column of a version table, by the names before the migration. */
export interface MovedPlace {
  readonly table: string;
  readonly column: string | null;
}

const STAKE = '-- at-stake ';
const RENAME = '-- renamed ';
const MOVED = '-- moved ';
const ACCEPTED = '-- accept-data-loss';

export function printHead({ stakes, renames, moved = [], isAccepted }: MigrationHead): string {
  const lines = [...renames.map((rename) => `${RENAME}${JSON.stringify(rename)}`), ...moved.map((place) => `${MOVED}${JSON.stringify(place)}`), ...stakes.map((stake) => `${STAKE}${JSON.stringify(stake)}`)];
  if (isAccepted && stakes.some(losesData)) lines.push(ACCEPTED);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

type Check = (value: unknown) => boolean;
type Shapes = Readonly<Record<string, Readonly<Record<string, Check>>>>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isTexts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

const STAKE_SHAPES = {
  table: { table: isText },
  column: { table: isText, column: isText },
  type: { table: isText, column: isText, from: isText, to: isText },
  required: { table: isText, column: isText, isNew: isFlag },
  unique: { table: isText, columns: isTexts },
  draft: { table: isText },
  unpublished: { table: isText },
  locale: { table: isText },
  shared: { table: isText, column: isText },
  reference: { table: isText, columns: isTexts, target: isText, targetColumns: isTexts },
} satisfies Readonly<Record<AtStake['kind'], Readonly<Record<string, Check>>>>;

const RENAME_SHAPES = {
  table: { from: isText, to: isText },
  column: { table: isText, from: isText, to: isText },
} satisfies Readonly<Record<Rename['kind'], Readonly<Record<string, Check>>>>;

const hasShape = (value: unknown, shapes: Shapes): boolean => {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(shapes, value['kind'])) return false;
  return Object.entries(shapes[value['kind']] ?? {}).every(([key, check]) => check(value[key]));
};

const isStake = (value: unknown): value is AtStake => hasShape(value, STAKE_SHAPES);
const isMoved = (value: unknown): value is MovedPlace => isRecord(value) && isText(value['table']) && (value['column'] === null || isText(value['column']));
const isRename = (value: unknown): value is Rename => hasShape(value, RENAME_SHAPES);

const readMarked = <T>(lines: readonly string[], mark: string, guard: (value: unknown) => value is T): readonly T[] =>
  lines.filter((line) => line.startsWith(mark)).map((line) => {
    const value: unknown = JSON.parse(line.slice(mark.length));
    if (!guard(value)) throw new SyntaxError(`this line was damaged: ${line}`);
    return value;
  });

/**
 * Reads the head of a migration's SQL; SQL written by hand has none.
 *
 * @throws SyntaxError where a line was damaged, since reading on would mean not asking.
 */
export function parseHead(sql: string): MigrationHead {
  const lines = sql.split(/\r?\n/);
  const moved = readMarked(lines, MOVED, isMoved);
  return {
    stakes: readMarked(lines, STAKE, isStake),
    renames: readMarked(lines, RENAME, isRename),
    ...(moved.length === 0 ? {} : { moved }),
    isAccepted: lines.some((line) => line.trim() === ACCEPTED),
  };
}
