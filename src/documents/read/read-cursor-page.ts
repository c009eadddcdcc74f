import { isRecord } from '../../lib/is-record.js';
import { printCursor } from '../../query/cursor.js';
import type { Page, ReadQuery } from '../../query/query.js';
import { POSITION_END } from '../../query/compile/cursor.js';
import type { FindManyResult } from '../documents.js';
import type { RecordReader } from './record-reader.js';

interface PlacedRecord {
  /** The values of the order's keys, as JSON. */
  readonly position: string;
  readonly record: string;
}

const placedRecord = (text: string): PlacedRecord => {
  const end = text.indexOf(POSITION_END);
  return { position: text.slice(0, end), record: text.slice(end + POSITION_END.length) };
};

const cursorOf = (query: ReadQuery, placed: PlacedRecord | undefined): string | null => {
  if (placed === undefined) return null;
  const values: unknown = JSON.parse(placed.position);
  return printCursor(query, isRecord(values) ? Object.values(values) : []);
};

/** Reads a page by cursor, and one record more than it holds, to learn whether the list goes on. */
export async function readCursorPage(
  records: RecordReader,
  query: ReadQuery,
  page: Page,
): Promise<Required<Pick<FindManyResult, 'records' | 'ends'>>> {
  const { limit, offset, isReversed = false, cursor } = page;
  const found = await records.many({ ...query, page: { ...page, limit: limit + 1 } });
  const goesOn = found.length > limit;
  const placed = found.slice(0, limit).map(placedRecord);
  if (isReversed) placed.reverse();
  const isBeyondOthers = placed.length > 0 && (offset > 0 || (cursor?.position ?? null) !== null);
  return {
    records: placed.map(({ record }) => record),
    ends: {
      first: cursorOf(query, placed[0]),
      last: cursorOf(query, placed.at(-1)),
      hasPrevious: isReversed ? goesOn : isBeyondOthers,
      hasNext: isReversed ? isBeyondOthers : goesOn,
    },
  };
}
