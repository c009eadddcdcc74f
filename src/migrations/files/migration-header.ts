import { isRecord } from '../../lib/is-record.js';
import { isContentDecisions, isUndecided, NO_DECISIONS } from '../content/content-decisions.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { DestructiveChange } from '../losses/destructive-change.js';
import type { Rename } from '../schema/rename-in-schema.js';

/**
 * The comments at the top of a migration's SQL, for people and for {@link parseHeader}. They are part of the
 * file, so that losses are checked on every database the migration is applied to.
 */
export interface MigrationHeader {
  readonly destructiveChanges: readonly DestructiveChange[];
  /** Renamed tables and columns, whose data is kept. */
  readonly renames: readonly Rename[];
  /** Dropped tables and columns whose links the migration keeps elsewhere. */
  readonly movedLinks?: readonly MovedLinkLocation[];
  /** Whether the user has accepted the data losses. */
  readonly isDataLossAccepted: boolean;
  /** Whether the user has accepted that values do not fit the new schema. */
  readonly areMisfitsAccepted: boolean;
  /** What the user has decided about stored values. */
  readonly decisions: ContentDecisions;
  /** The histories that this migration folds into one, each oldest first. One for each earlier squash. */
  readonly squashes?: readonly (readonly string[])[];
}

/** A link table (`column` is null) or a column of a version table, by the names before the migration. */
export interface MovedLinkLocation {
  readonly table: string;
  readonly column: string | null;
}

const DESTRUCTIVE_CHANGE_PREFIX = '-- at-stake ';
const RENAME_PREFIX = '-- renamed ';
const MOVED_LINK_PREFIX = '-- moved ';
const DECISIONS_PREFIX = '-- content ';
const SQUASHES_PREFIX = '-- squashes ';
const ACCEPTED_LINE = '-- accept-data-loss';
const MISFITS_ACCEPTED_LINE = '-- accept-misfits';

/** Prints the header, with an empty line after it. Returns empty text where there is nothing to state. */
export function printHeader({
  destructiveChanges,
  renames,
  movedLinks = [],
  isDataLossAccepted,
  areMisfitsAccepted,
  decisions,
  squashes = [],
}: MigrationHeader): string {
  const lines = [
    ...(squashes.length === 0 ? [] : [`${SQUASHES_PREFIX}${JSON.stringify(squashes)}`]),
    ...renames.map((rename) => `${RENAME_PREFIX}${JSON.stringify(rename)}`),
    ...movedLinks.map((location) => `${MOVED_LINK_PREFIX}${JSON.stringify(location)}`),
    ...destructiveChanges.map((change) => `${DESTRUCTIVE_CHANGE_PREFIX}${JSON.stringify(change)}`),
  ];
  if (!isUndecided(decisions)) lines.push(`${DECISIONS_PREFIX}${JSON.stringify(decisions)}`);
  if (isDataLossAccepted) lines.push(ACCEPTED_LINE);
  if (areMisfitsAccepted) lines.push(MISFITS_ACCEPTED_LINE);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

type Check = (value: unknown) => boolean;
type Shapes = Readonly<Record<string, Readonly<Record<string, Check>>>>;

const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isTextList: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

const DESTRUCTIVE_CHANGE_SHAPES = {
  table: { table: isText },
  column: { table: isText, column: isText },
  type: { table: isText, column: isText, from: isText, to: isText },
  required: { table: isText, column: isText, isNew: isBoolean },
  unique: { table: isText, columns: isTextList },
  draft: { table: isText },
  unpublished: { table: isText },
  locale: { table: isText },
  shared: { table: isText, column: isText },
  reference: { table: isText, columns: isTextList, target: isText, targetColumns: isTextList },
} satisfies Readonly<Record<DestructiveChange['kind'], Readonly<Record<string, Check>>>>;

const RENAME_SHAPES = {
  table: { from: isText, to: isText },
  column: { table: isText, from: isText, to: isText },
} satisfies Readonly<Record<Rename['kind'], Readonly<Record<string, Check>>>>;

const hasShape = (value: unknown, shapes: Shapes): boolean => {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(shapes, value['kind']))
    return false;
  return Object.entries(shapes[value['kind']] ?? {}).every(([key, check]) => check(value[key]));
};

const isDestructiveChange = (value: unknown): value is DestructiveChange =>
  hasShape(value, DESTRUCTIVE_CHANGE_SHAPES);
const isMovedLinkLocation = (value: unknown): value is MovedLinkLocation =>
  isRecord(value) && isText(value['table']) && (value['column'] === null || isText(value['column']));
const isHistories = (value: unknown): value is readonly (readonly string[])[] =>
  Array.isArray(value) && value.every(isTextList);
const isRename = (value: unknown): value is Rename => hasShape(value, RENAME_SHAPES);

const parsePrefixedLines = <T>(
  lines: readonly string[],
  prefix: string,
  guard: (value: unknown) => value is T,
): readonly T[] =>
  lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => {
      const value: unknown = JSON.parse(line.slice(prefix.length));
      if (!guard(value)) throw new SyntaxError(`this line is damaged: ${line}`);
      return value;
    });

/**
 * Parses the header of a migration's SQL. SQL written by hand has an empty one.
 *
 * @throws SyntaxError where a line is damaged, since ignoring it would skip the check for losses
 */
export function parseHeader(sql: string): MigrationHeader {
  const lines = sql.split(/\r?\n/);
  const movedLinks = parsePrefixedLines(lines, MOVED_LINK_PREFIX, isMovedLinkLocation);
  const [squashes] = parsePrefixedLines(lines, SQUASHES_PREFIX, isHistories);
  return {
    ...(squashes === undefined ? {} : { squashes }),
    destructiveChanges: parsePrefixedLines(lines, DESTRUCTIVE_CHANGE_PREFIX, isDestructiveChange),
    renames: parsePrefixedLines(lines, RENAME_PREFIX, isRename),
    ...(movedLinks.length === 0 ? {} : { movedLinks }),
    isDataLossAccepted: lines.some((line) => line.trim() === ACCEPTED_LINE),
    areMisfitsAccepted: lines.some((line) => line.trim() === MISFITS_ACCEPTED_LINE),
    decisions: parsePrefixedLines(lines, DECISIONS_PREFIX, isContentDecisions).at(-1) ?? NO_DECISIONS,
  };
}
