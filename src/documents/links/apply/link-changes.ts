import { chunksOf } from '../../../lib/chunks.js';
import { defined } from '../../../lib/defined.js';
import { getOrCreate } from '../../../lib/memoize.js';
import type { Link, Uid } from '../../../model/model.js';
import type { WriteContext } from '../../write-context.js';
import type { FieldValues, RowUpdate, Statement, TableStatements } from '../../rows/table-statements.js';
import type { LinkEntry } from '../link-entry.js';
import { singleTarget } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';

/** The most rows that one statement writes. Fewer if their values exceed the number of bound parameters. */
const CHUNK_SIZE = 500;

/** A new row of a link table. */
interface NewEntry {
  readonly sourceId: number;
  readonly targetType: Uid;
  readonly targetDocumentId: string;
  readonly targetStatus: string | null;
  readonly targetLocale: string | null;
  readonly position: number;
  readonly inversePosition: number | null;
}

/** A document that a version row's column is to point at. */
interface ColumnAssignment {
  readonly rowId: number;
  readonly documentId: string;
  readonly inversePosition: number | null;
}

type ListSide = 'owner' | 'inverse';

/** Collects the changes of a write to links, and applies them with one statement per kind of change. */
export interface LinkChanges {
  readonly insert: (mapping: RelationMapping, entry: NewEntry) => void;
  /** Deletes the row of the link table, or clears the column. */
  readonly remove: (mapping: RelationMapping, entry: Pick<LinkEntry, 'rowId'>) => void;
  readonly assign: (mapping: RelationMapping, assignment: ColumnAssignment) => void;
  readonly move: (mapping: RelationMapping, rowId: number, side: ListSide, position: number) => void;
  /** Keeps a version from getting a link to a document. */
  readonly withhold: (mapping: RelationMapping, sourceId: number, documentId: string) => void;
  readonly apply: (context: WriteContext) => Promise<void>;
}

interface PendingLinkChanges {
  readonly mapping: RelationMapping;
  readonly removed: Set<number>;
  /** New rows by what they link. */
  readonly inserted: Map<string, FieldValues>;
  /** The documents that versions must not get a link to. */
  readonly withheld: Map<number, string>;
  /** Positions by version row, by the document that the rows are to point at. */
  readonly assigned: Map<string, Map<number, number | null>>;
  readonly moved: { readonly owner: Map<number, number>; readonly inverse: Map<number, number> };
}

const positionField = (link: Link, side: ListSide): string => {
  if (link.kind === 'column') return defined(link.position, 'The position column of a link').field;
  return side === 'owner' ? 'position' : 'inversePosition';
};

/** What is needed to apply the changes of one link. */
interface ChangeExecutor extends Pick<WriteContext, 'versionTableOf' | 'linkTableOf'> {
  readonly execute: (statement: Statement) => Promise<unknown>;
}

const tableOf = (
  { versionTableOf, linkTableOf }: ChangeExecutor,
  { link, owner }: RelationMapping,
): TableStatements => (link.kind === 'column' ? versionTableOf(owner) : linkTableOf(link));

/** Returns the values of a link table's row. */
const toRow = (mapping: RelationMapping, entry: NewEntry): FieldValues => {
  const relationTarget =
    mapping.targets.find(({ type }) => type.uid === entry.targetType) ?? singleTarget(mapping);
  return {
    sourceId: entry.sourceId,
    [relationTarget.field]: entry.targetDocumentId,
    position: entry.position,
    inversePosition: entry.inversePosition,
    targetStatus: entry.targetStatus,
    targetLocale: entry.targetLocale,
  };
};

/** Returns a text that identifies what an entry links. */
const linkKey = (entry: NewEntry): string =>
  [entry.sourceId, entry.targetType, entry.targetDocumentId, entry.targetStatus, entry.targetLocale].join(
    '\n',
  );

const applyRemovals = async (
  executor: ChangeExecutor,
  { mapping, removed }: PendingLinkChanges,
): Promise<void> => {
  if (removed.size === 0) return;
  const { link } = mapping;
  const table = tableOf(executor, mapping);
  const cleared =
    link.kind === 'column'
      ? { [link.field]: null, ...(link.position === null ? {} : { [link.position.field]: null }) }
      : null;
  await executor.execute(cleared === null ? table.delete([...removed]) : table.update([...removed], cleared));
};

const applyInsertions = async (
  executor: ChangeExecutor,
  { mapping, inserted, withheld }: PendingLinkChanges,
): Promise<void> => {
  const table = tableOf(executor, mapping);
  const wanted = [...inserted.values()].filter(
    ({ sourceId, targetDocumentId }) => withheld.get(Number(sourceId)) !== (targetDocumentId ?? null),
  );
  for (const rows of chunksOf(wanted, Math.min(CHUNK_SIZE, table.maxRows)))
    await executor.execute(table.insert(rows));
};

const updateEach = async (
  executor: ChangeExecutor,
  mapping: RelationMapping,
  updates: readonly RowUpdate[],
): Promise<void> => {
  const table = tableOf(executor, mapping);
  for (const rows of chunksOf(updates, Math.min(CHUNK_SIZE, table.maxRows)))
    await executor.execute(table.updateEach(rows));
};

const applyAssignments = async (
  executor: ChangeExecutor,
  { mapping, assigned }: PendingLinkChanges,
): Promise<void> => {
  const { link } = mapping;
  if (link.kind !== 'column') return;
  const { field, position } = link;
  const updates = new Map<number, RowUpdate>();
  for (const [documentId, rows] of assigned)
    for (const [id, inversePosition] of rows) {
      const place = position === null ? {} : { [position.field]: inversePosition ?? 1 };
      updates.set(id, { id, values: { [field]: documentId, ...place } });
    }
  await updateEach(executor, mapping, [...updates.values()]);
};

const applyMoves = async (
  executor: ChangeExecutor,
  { mapping, moved }: PendingLinkChanges,
): Promise<void> => {
  for (const side of ['owner', 'inverse'] as const) {
    const updates = [...moved[side]].map(([id, position]) => ({
      id,
      values: { [positionField(mapping.link, side)]: position },
    }));
    await updateEach(executor, mapping, updates);
  }
};

/** Creates an empty collection of changes. `apply` writes them in the order: removals, insertions, moves. */
export function createLinkChanges(): LinkChanges {
  const links = new Map<Link, PendingLinkChanges>();
  const pendingOf = (mapping: RelationMapping): PendingLinkChanges => {
    return getOrCreate(links, mapping.link, () => ({
      mapping,
      removed: new Set(),
      inserted: new Map(),
      withheld: new Map(),
      assigned: new Map(),
      moved: { owner: new Map(), inverse: new Map() },
    }));
  };
  return {
    insert: (mapping, entry) => {
      const { inserted } = pendingOf(mapping);
      const key = linkKey(entry);
      // A document that links itself may be written from both sides at once, each of which has its list.
      const other = inserted.get(key);
      const { position, inversePosition } = entry;
      if (other === undefined) inserted.set(key, toRow(mapping, entry));
      else
        inserted.set(
          key,
          mapping.attribute.side === 'owner' ? { ...other, position } : { ...other, inversePosition },
        );
    },
    remove: (mapping, { rowId }) => {
      pendingOf(mapping).removed.add(rowId);
    },
    assign: (mapping, { rowId, documentId, inversePosition }) => {
      const { assigned } = pendingOf(mapping);
      getOrCreate(assigned, documentId, () => new Map()).set(rowId, inversePosition);
    },
    move: (mapping, rowId, side, position) => {
      pendingOf(mapping).moved[side].set(rowId, position);
    },
    withhold: (mapping, sourceId, documentId) => {
      const { removed, withheld } = pendingOf(mapping);
      if (mapping.link.kind === 'column') removed.add(sourceId);
      else withheld.set(sourceId, documentId);
    },
    apply: async ({ tx, versionTableOf, linkTableOf }) => {
      const executor: ChangeExecutor = {
        versionTableOf,
        linkTableOf,
        execute: ({ sql: text, parameters }) => tx.execute(text, parameters),
      };
      for (const pending of links.values()) await applyRemovals(executor, pending);
      for (const pending of links.values()) {
        await applyInsertions(executor, pending);
        await applyAssignments(executor, pending);
        await applyMoves(executor, pending);
      }
    },
  };
}
