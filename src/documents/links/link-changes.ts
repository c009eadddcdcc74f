import { sql } from 'kysely';
import type { ModelDelegate, Transaction } from '../../database/database.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { Link, Uid } from '../../model/model.js';
import type { LinkEntry } from './link-entry.js';
import { hasInverseOrder, soleEnd } from './link-view.js';
import type { LinkView } from './link-view.js';

/** Rows one statement writes, at most. */
const CHUNK = 500;

/** A link that is to be made in a link table. */
export interface NewEntry {
  readonly sourceId: number;
  readonly targetType: Uid;
  readonly targetDocumentId: string;
  readonly targetStatus: string | null;
  readonly targetLocale: string | null;
  readonly position: number;
  readonly inversePosition: number | null;
}

/** A version row whose column is to point at a document. */
export interface Pointing {
  readonly rowId: number;
  readonly documentId: string;
  readonly inversePosition: number | null;
}

export type ListSide = 'owner' | 'inverse';

/** What a write does to links, gathered first and then done in as few statements as there are kinds of change. */
export interface LinkChanges {
  readonly insert: (view: LinkView, entry: NewEntry) => void;
  /** Deletes the link table's row, or clears the column. */
  readonly remove: (view: LinkView, entry: Pick<LinkEntry, 'rowId'>) => void;
  readonly point: (view: LinkView, pointing: Pointing) => void;
  readonly move: (view: LinkView, rowId: number, side: ListSide, position: number) => void;
  readonly apply: (tx: Transaction, dialect: Dialect) => Promise<void>;
}

interface Pending {
  readonly view: LinkView;
  readonly removed: Set<number>;
  /** Data of the generated client. */
  readonly inserted: Readonly<Record<string, unknown>>[];
  /** By document pointed at. */
  readonly pointed: Map<string, Map<number, number | null>>;
  readonly moved: { readonly owner: Map<number, number>; readonly inverse: Map<number, number> };
}

const chunks = <T>(items: Iterable<T>): readonly (readonly T[])[] => {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) => all.slice(index * CHUNK, (index + 1) * CHUNK));
};

const positionColumn = (link: Link, side: ListSide): string => {
  if (link.kind === 'column') return link.position?.column ?? '';
  return side === 'owner' ? 'position' : 'inverse_position';
};

const linkTable = ({ link, owner }: LinkView): string => (link.kind === 'column' ? owner.storage.version.table : link.table);

const rowsOf = (tx: Transaction, { link, owner }: LinkView): ModelDelegate => tx.model(link.kind === 'column' ? owner.storage.version.model : link.model);

/** Data of the generated client for a link table's row. */
const toData = (view: LinkView, entry: NewEntry): Readonly<Record<string, unknown>> => {
  const end = view.ends.find(({ type }) => type.uid === entry.targetType) ?? soleEnd(view);
  return {
    sourceId: entry.sourceId,
    [end.field]: entry.targetDocumentId,
    position: entry.position,
    ...(hasInverseOrder(view.link) ? { inversePosition: entry.inversePosition } : {}),
    ...(view.statuses === 'link' ? { targetStatus: entry.targetStatus } : {}),
    ...(view.locales === 'link' ? { targetLocale: entry.targetLocale } : {}),
  };
};

const applyRemovals = async (tx: Transaction, { view, removed }: Pending): Promise<void> => {
  const { link } = view;
  for (const ids of chunks(removed)) {
    const where = { id: { in: ids } };
    if (link.kind === 'column') await rowsOf(tx, view).updateMany({ where, data: { [link.field]: null, ...(link.position === null ? {} : { [link.position.field]: null }) } });
    else await rowsOf(tx, view).deleteMany({ where });
  }
};

const applyInsertions = async (tx: Transaction, { view, inserted }: Pending): Promise<void> => {
  for (const entries of chunks(inserted)) await rowsOf(tx, view).createMany({ data: entries });
};

/** Numbers are written out: they are the database's own, and as parameters of a CASE they would have no type. */
const positionCase = (positions: readonly (readonly [id: number, position: number])[]) =>
  sql`case id ${sql.join(positions.map(([id, position]) => sql`when ${sql.lit(id)} then ${sql.lit(position)}`), sql` `)} end`;

const idsIn = (positions: readonly (readonly [id: number, unknown: unknown])[]) => sql`id in (${sql.join(positions.map(([id]) => sql.lit(id)))})`;

interface Update {
  readonly table: string;
  readonly column: string;
  readonly positions: readonly (readonly [id: number, position: number])[];
  /** Another column that is set to the same value in all rows. */
  readonly also?: { readonly column: string; readonly value: string };
}

const updatePositions = async (tx: Transaction, dialect: Dialect, { table, column, positions, also }: Update): Promise<void> => {
  const other = also === undefined ? sql`` : sql`${sql.id(also.column)} = ${also.value}, `;
  const compiled = sql`update ${sql.id(table)} set ${other}${sql.id(column)} = ${positionCase(positions)} where ${idsIn(positions)}`.compile(dialect.kysely);
  await tx.execute(compiled.sql, compiled.parameters);
};

const applyPointings = async (tx: Transaction, dialect: Dialect, { view, pointed }: Pending): Promise<void> => {
  const { link } = view;
  if (link.kind !== 'column') return;
  for (const [documentId, rows] of pointed) {
    for (const part of chunks(rows)) {
      if (link.position === null) await rowsOf(tx, view).updateMany({ where: { id: { in: part.map(([id]) => id) } }, data: { [link.field]: documentId } });
      else await updatePositions(tx, dialect, { table: linkTable(view), column: link.position.column, positions: part.map(([id, place]) => [id, place ?? 1]), also: { column: link.column, value: documentId } });
    }
  }
};

const applyMoves = async (tx: Transaction, dialect: Dialect, { view, moved }: Pending): Promise<void> => {
  for (const side of ['owner', 'inverse'] as const) {
    for (const positions of chunks(moved[side])) await updatePositions(tx, dialect, { table: linkTable(view), column: positionColumn(view.link, side), positions });
  }
};

export function createLinkChanges(): LinkChanges {
  const links = new Map<Link, Pending>();
  const of = (view: LinkView): Pending => {
    const known = links.get(view.link) ?? { view, removed: new Set(), inserted: [], pointed: new Map(), moved: { owner: new Map(), inverse: new Map() } };
    links.set(view.link, known);
    return known;
  };
  return {
    insert: (view, entry) => {
      of(view).inserted.push(toData(view, entry));
    },
    remove: (view, { rowId }) => {
      of(view).removed.add(rowId);
    },
    point: (view, { rowId, documentId, inversePosition }) => {
      const { pointed } = of(view);
      const rows = pointed.get(documentId) ?? new Map<number, number | null>();
      rows.set(rowId, inversePosition);
      pointed.set(documentId, rows);
    },
    move: (view, rowId, side, position) => {
      of(view).moved[side].set(rowId, position);
    },
    apply: async (tx, dialect) => {
      for (const pending of links.values()) await applyRemovals(tx, pending);
      for (const pending of links.values()) {
        await applyInsertions(tx, pending);
        await applyPointings(tx, dialect, pending);
        await applyMoves(tx, dialect, pending);
      }
    },
  };
}
