import { isRecord } from '../../lib/records.js';
import { isContentDecisions, isUndecided, NO_DECISIONS } from '../content/content-decisions.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { Rename } from '../schema/renames.js';

/**
 * The comments at the top of a migration's SQL, for people and for {@link parseHeader}. They are part of the
 * file, since every database that it is applied to needs them.
 */
export interface MigrationHeader {
  /** Renamed tables and columns, whose data is kept. */
  readonly renames: readonly Rename[];
  /** True if the user has accepted the data losses. */
  readonly isDataLossAccepted: boolean;
  /** True if the user has accepted values that the new schema rejects. */
  readonly isInvalidAccepted: boolean;
  /** The user's decisions about stored values. */
  readonly decisions: ContentDecisions;
  /** The histories that this migration folds into one, each oldest first. One for each earlier squash. */
  readonly squashes?: readonly (readonly string[])[];
}

const RENAME_PREFIX = '-- renamed ';
const DECISIONS_PREFIX = '-- content ';
const SQUASHES_PREFIX = '-- squashes ';
const ACCEPTED_LINE = '-- accept-data-loss';
const INVALID_ACCEPTED_LINE = '-- accept-invalid';
/** The second is the former spelling. */
const INVALID_ACCEPTED_LINES: readonly string[] = [INVALID_ACCEPTED_LINE, '-- accept-misfits'];

/** Prints the header, with an empty line after it. Returns an empty text if the header has no lines. */
export function printHeader({
  renames,
  isDataLossAccepted,
  isInvalidAccepted,
  decisions,
  squashes = [],
}: MigrationHeader): string {
  const lines = [
    ...(squashes.length === 0 ? [] : [`${SQUASHES_PREFIX}${JSON.stringify(squashes)}`]),
    ...renames.map((rename) => `${RENAME_PREFIX}${JSON.stringify(rename)}`),
  ];
  if (!isUndecided(decisions)) lines.push(`${DECISIONS_PREFIX}${JSON.stringify(decisions)}`);
  if (isDataLossAccepted) lines.push(ACCEPTED_LINE);
  if (isInvalidAccepted) lines.push(INVALID_ACCEPTED_LINE);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText);

const isHistories = (value: unknown): value is readonly (readonly string[])[] =>
  Array.isArray(value) && value.every(isTextList);

const isRename = (value: unknown): value is Rename =>
  isRecord(value) &&
  isText(value['from']) &&
  isText(value['to']) &&
  (value['kind'] === 'table' || (value['kind'] === 'column' && isText(value['table'])));

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
 * @throws SyntaxError if a line is damaged, since ignoring it would lose values
 */
export function parseHeader(sql: string): MigrationHeader {
  const lines = sql.split(/\r?\n/);
  const [squashes] = parsePrefixedLines(lines, SQUASHES_PREFIX, isHistories);
  return {
    ...(squashes === undefined ? {} : { squashes }),
    renames: parsePrefixedLines(lines, RENAME_PREFIX, isRename),
    isDataLossAccepted: lines.some((line) => line.trim() === ACCEPTED_LINE),
    isInvalidAccepted: lines.some((line) => INVALID_ACCEPTED_LINES.includes(line.trim())),
    decisions: parsePrefixedLines(lines, DECISIONS_PREFIX, isContentDecisions).at(-1) ?? NO_DECISIONS,
  };
}
