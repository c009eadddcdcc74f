import { chunksOf, getOrCreate } from '../../lib/collections.js';
import { defined } from '../../lib/assert.js';
import type { Link, Uid } from '../../model/model.js';
import type { WriteContext } from '../write/write-context.js';
import type { FieldValues, RowUpdate, Statement, TableStatements } from '../write/table-statements.js';
import { spaceLinks } from '../../query/compile/space-links.js';
import type { ListSide } from '../../query/compile/space-links.js';
import { singleTarget } from './relation-mapping.js';
import type { RelationMapping } from './relation-mapping.js';

/** Maximum number of rows of one statement. It writes fewer if their values exceed the parameter limit. */
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

/** One change of a link. */
export type LinkChange =
  | { readonly kind: 'insert'; readonly mapping: RelationMapping; readonly entry: NewEntry }
  /** Deletes the row of the link table, or clears the column. */
  | { readonly kind: 'remove'; readonly mapping: RelationMapping; readonly rowId: number }
  /** Sets a version row's column to a document. */
  | {
      readonly kind: 'assign';
      readonly mapping: RelationMapping;
      readonly rowId: number;
      readonly documentId: string;
      readonly inversePosition: number | null;
    }
  | {
      readonly kind: 'move';
      readonly mapping: RelationMapping;
      readonly rowId: number;
      readonly side: ListSide;
      readonly position: number;
    }
  /** Spaces a list of a document in all its versions, once all changes are written. */
  | {
      readonly kind: 'space';
      readonly mapping: RelationMapping;
      readonly side: ListSide;
      readonly documentId: string;
    }
  /** Excludes a link from a version to a document from the insertions. */
  | {
      readonly kind: 'exclude';
      readonly mapping: RelationMapping;
      readonly sourceId: number;
      readonly documentId: string;
    };

/** The changes of one link, by the statement that applies them. */
interface PendingLinkChanges {
  readonly mapping: RelationMapping;
  readonly removed: Set<number>;
  /** New rows by their {@link linkKey}. */
  readonly inserted: Map<string, FieldValues>;
  /** The documents that versions must not link, by version. */
  readonly excluded: Map<number, string>;
  /** Positions by version row, by the document that the rows will link. */
  readonly assigned: Map<string, Map<number, number | null>>;
  readonly moved: { readonly owner: Map<number, number>; readonly inverse: Map<number, number> };
  readonly spaced: { readonly owner: Set<string>; readonly inverse: Set<string> };
}

const positionField = (link: Link, side: ListSide): string => {
  if (link.kind === 'column') return defined(link.position, 'The position column of a link').field;
  return side === 'owner' ? 'position' : 'inversePosition';
};

const SIDES = ['owner', 'inverse'] as const;

/** Dependencies for applying the changes of one link. */
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

/** Returns a text that identifies the two ends of an entry. */
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
  { mapping, inserted, excluded }: PendingLinkChanges,
): Promise<void> => {
  const table = tableOf(executor, mapping);
  const wanted = [...inserted.values()].filter(
    ({ sourceId, targetDocumentId }) => excluded.get(Number(sourceId)) !== (targetDocumentId ?? null),
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
      const positionValue = position === null ? {} : { [position.field]: inversePosition ?? 1 };
      updates.set(id, { id, values: { [field]: documentId, ...positionValue } });
    }
  await updateEach(executor, mapping, [...updates.values()]);
};

const applyMoves = async (
  executor: ChangeExecutor,
  { mapping, moved }: PendingLinkChanges,
): Promise<void> => {
  for (const side of SIDES) {
    const updates = [...moved[side]].map(([id, position]) => ({
      id,
      values: { [positionField(mapping.link, side)]: position },
    }));
    await updateEach(executor, mapping, updates);
  }
};

const createPending = (mapping: RelationMapping): PendingLinkChanges => ({
  mapping,
  removed: new Set(),
  inserted: new Map(),
  excluded: new Map(),
  assigned: new Map(),
  moved: { owner: new Map(), inverse: new Map() },
  spaced: { owner: new Set(), inverse: new Set() },
});

/** Adds a row. If a document links itself, both sides may insert the row, each with its position. */
const addInsertion = (
  inserted: PendingLinkChanges['inserted'],
  { mapping, entry }: Extract<LinkChange, { readonly kind: 'insert' }>,
): void => {
  const key = linkKey(entry);
  const other = inserted.get(key);
  const { position, inversePosition } = entry;
  if (other === undefined) inserted.set(key, toRow(mapping, entry));
  else
    inserted.set(
      key,
      mapping.attribute.side === 'owner' ? { ...other, position } : { ...other, inversePosition },
    );
};

const addChange = (
  { removed, inserted, excluded, assigned, moved, spaced }: PendingLinkChanges,
  change: LinkChange,
): void => {
  switch (change.kind) {
    case 'insert':
      return addInsertion(inserted, change);
    case 'remove':
      return void removed.add(change.rowId);
    case 'assign':
      return void getOrCreate(assigned, change.documentId, () => new Map()).set(
        change.rowId,
        change.inversePosition,
      );
    case 'move':
      return void moved[change.side].set(change.rowId, change.position);
    case 'space':
      return void spaced[change.side].add(change.documentId);
    case 'exclude':
      return change.mapping.link.kind === 'column'
        ? void removed.add(change.sourceId)
        : void excluded.set(change.sourceId, change.documentId);
    default:
      return change satisfies never;
  }
};

const groupByLink = (changes: readonly LinkChange[]): readonly PendingLinkChanges[] => {
  const links = new Map<Link, PendingLinkChanges>();
  for (const change of changes)
    addChange(
      getOrCreate(links, change.mapping.link, () => createPending(change.mapping)),
      change,
    );
  return [...links.values()];
};

/** Writes changes with one statement per link and kind, in the order: removals, insertions, moves. */
export async function applyLinkChanges(
  {
    tx,
    model,
    database,
    versionTableOf,
    linkTableOf,
  }: Pick<WriteContext, 'tx' | 'model' | 'database' | 'versionTableOf' | 'linkTableOf'>,
  changes: readonly LinkChange[],
): Promise<void> {
  const executor: ChangeExecutor = {
    versionTableOf,
    linkTableOf,
    execute: ({ sql: text, parameters }) => tx.execute(text, parameters),
  };
  const links = groupByLink(changes);
  for (const pending of links) await applyRemovals(executor, pending);
  for (const pending of links) {
    await applyInsertions(executor, pending);
    await applyAssignments(executor, pending);
    await applyMoves(executor, pending);
    for (const side of SIDES)
      for (const documentId of pending.spaced[side])
        await executor.execute(
          spaceLinks(model, pending.mapping.link, side, documentId).compile(
            database.dialect.expressions.kysely,
          ),
        );
  }
}
