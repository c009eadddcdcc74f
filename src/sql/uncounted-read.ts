import type { UncountedStatement } from '../dialects/uncounted-statement.js';
import type { PopulateNode, Selection } from '../query/query.js';

/** Characters of the shortest record that REST prints. */
const SHORTEST = '{"id":1,"documentId":""}'.length;

/** Around the value of the shortest member, with the braces. */
const SHORTEST_OUTPUT = '{"k":}'.length;

const UTF8_BYTES_PER_CHARACTER = 3;
const BYTES_PER_RECORD = 1024;

/** The selections of what a node populates. Null where it may build records that it does not print. */
const selectionsOf = (node: PopulateNode): readonly Selection[] | null => {
  if (node.kind === 'morph' || node.kind === 'referrers') return null;
  if ((node.list?.maxItems ?? null) !== null) return null;
  return node.kind === 'zone' ? Object.values(node.on) : [node.selection];
};

/** Characters of the shortest record within a selection. 0 where records may be built and not printed. */
const shortestRecord = ({ output, populate }: Selection): number => {
  const own = output === undefined ? SHORTEST : output.length === 0 ? 0 : SHORTEST_OUTPUT;
  return populate.reduce(
    (shortest, node) => Math.min(shortest, ...(selectionsOf(node)?.map(shortestRecord) ?? [0])),
    own,
  );
};

/**
 * Returns what says of an answer by its length that it is within the limit of records. What a statement does
 * not count, the answer shows: each record has its shortest form at least, and may have almost a kilobyte
 * that is not counted, and texts are printed in full. Null: the length says nothing.
 */
export function limitByLength(
  selection: Selection,
): Pick<UncountedStatement, 'limit' | 'costPerCharacter'> | null {
  const { maxRecords, populate } = selection;
  const shortest = shortestRecord(selection);
  if (maxRecords === undefined || populate.length === 0 || shortest === 0) return null;
  const costPerCharacter = 2 / shortest + UTF8_BYTES_PER_CHARACTER / BYTES_PER_RECORD;
  return { limit: maxRecords, costPerCharacter };
}
