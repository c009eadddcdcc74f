import { getOrCreate } from '../../lib/memoize.js';
import type { Link } from '../../model/model.js';
import type { LinkChanges } from '../links/apply/link-changes.js';
import { hasInverseOrder } from '../links/relation-mapping.js';
import type { LoadedRelationWrite } from '../links/relation-write.js';
import { linkedRefs } from '../links/targets/resolve-links.js';
import type { TargetLookup } from '../links/targets/target-lookup.js';

/** The links of one relation attribute. */
interface LinkPositions {
  /** The last positions among the links of documents that are not written. */
  readonly others: ReadonlyMap<string, number>;
  /** The positions of the links of those that are, by target and row. */
  readonly written: Map<string, Map<number | string, number>>;
  /** The last of these by target, where it is known. */
  readonly lastWritten: Map<string, number>;
  readonly targetOfRow: Map<number | string, string>;
}

/**
 * The last positions in the lists of inverse sides, as writes that are planned one after the other leave
 * them.
 */
export interface InversePositions {
  readonly open: (link: Link, others: ReadonlyMap<string, number>) => void;
  /** Whether anything is to be known of the link. */
  readonly follows: (link: Link) => boolean;
  /** Says what a row links now; null: nothing. Rows of link tables have their ids, others names. */
  readonly put: (link: Link, row: number | string, target: string | null, position: number | null) => void;
  /** Returns the write with the positions that its targets' lists have now. */
  readonly complete: (write: LoadedRelationWrite, lookup: TargetLookup) => LoadedRelationWrite;
  /** Returns changes that are noticed here. */
  readonly noticing: (changes: LinkChanges) => LinkChanges;
}

const lastOf = ({ others, written, lastWritten }: LinkPositions, target: string): number =>
  Math.max(
    others.get(target) ?? 0,
    getOrCreate(lastWritten, target, () => Math.max(...(written.get(target)?.values() ?? []))),
  );

const removeRow = ({ written, lastWritten, targetOfRow }: LinkPositions, row: number | string): void => {
  const target = targetOfRow.get(row);
  if (target === undefined) return;
  targetOfRow.delete(row);
  const positions = written.get(target);
  if (positions?.get(row) === lastWritten.get(target)) lastWritten.delete(target);
  positions?.delete(row);
};

const putRow = (
  positions: LinkPositions,
  row: number | string,
  target: string | null,
  position: number | null,
): void => {
  removeRow(positions, row);
  if (target === null) return;
  const { written, lastWritten, targetOfRow } = positions;
  targetOfRow.set(row, target);
  getOrCreate(written, target, () => new Map<number | string, number>()).set(row, position ?? 0);
  const last = lastWritten.get(target);
  if (last !== undefined) lastWritten.set(target, Math.max(last, position ?? 0));
};

export function createInversePositions(): InversePositions {
  const links = new Map<Link, LinkPositions>();
  let insertions = 0;
  const put: InversePositions['put'] = (link, row, target, position) => {
    const positions = links.get(link);
    if (positions !== undefined) putRow(positions, row, target, position);
  };
  return {
    open: (link, others) => {
      links.set(link, { others, written: new Map(), lastWritten: new Map(), targetOfRow: new Map() });
    },
    follows: (link) => links.has(link),
    put,
    complete: (write, lookup) => {
      const { mapping, operation } = write;
      const positions = links.get(mapping.link);
      if (positions === undefined || operation === null || !hasInverseOrder(mapping.link)) return write;
      const targets = linkedRefs(operation).flatMap((ref) => lookup.find(ref.type, ref) ?? []);
      const lastPositionByTarget = new Map(targets.map((target) => [target, lastOf(positions, target)]));
      return { ...write, stored: { ...write.stored, lastPositionByTarget } };
    },
    noticing: (changes) => ({
      ...changes,
      insert: (mapping, entry) => {
        insertions += 1;
        put(mapping.link, `new ${insertions}`, entry.targetDocumentId, entry.inversePosition);
        changes.insert(mapping, entry);
      },
      remove: (mapping, entry) => {
        put(mapping.link, entry.rowId, null, null);
        changes.remove(mapping, entry);
      },
    }),
  };
}
