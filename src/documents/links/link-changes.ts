import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { Link, Uid } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { FieldValues, Statement, TableStatements } from '../rows/table-statements.js';
import type { LinkEntry } from './link-entry.js';
import { soleEnd } from './link-view.js';
import type { LinkView } from './link-view.js';

/** Rows one statement writes, at most: fewer where they have so many columns that their values would be too many for it. */
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
  readonly apply: (tx: Transaction, context: DocumentContext) => Promise<void>;
}

interface Pending {
  readonly view: LinkView;
  readonly removed: Set<number>;
  readonly inserted: FieldValues[];
  /** By document pointed at. */
  readonly pointed: Map<string, Map<number, number | null>>;
  readonly moved: { readonly owner: Map<number, number>; readonly inverse: Map<number, number> };
}

const chunks = <T>(items: Iterable<T>, size = CHUNK): readonly (readonly T[])[] => {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
};

const positionColumn = (link: Link, side: ListSide): string => {
  if (link.kind === 'column') return link.position?.column ?? '';
  return side === 'owner' ? 'position' : 'inverse_position';
};

const linkTable = ({ link, owner }: LinkView): string => (link.kind === 'column' ? owner.storage.version.table : link.table);

/** Where one link's changes go. */
interface Target extends Pick<DocumentContext, 'versionsOf' | 'linkTableOf'> {
  readonly dialect: Dialect;
  readonly execute: (statement: Statement) => Promise<unknown>;
}

const tableOf = ({ versionsOf, linkTableOf }: Target, { link, owner }: LinkView): TableStatements => (link.kind === 'column' ? versionsOf(owner) : linkTableOf(link));

/** A link table's row. */
const toRow = (view: LinkView, entry: NewEntry): FieldValues => {
  const end = view.ends.find(({ type }) => type.uid === entry.targetType) ?? soleEnd(view);
  return {
    sourceId: entry.sourceId,
    [end.field]: entry.targetDocumentId,
    position: entry.position,
    inversePosition: entry.inversePosition,
    targetStatus: entry.targetStatus,
    targetLocale: entry.targetLocale,
  };
};

const applyRemovals = async (target: Target, { view, removed }: Pending): Promise<void> => {
  if (removed.size === 0) return;
  const { link } = view;
  const table = tableOf(target, view);
  const cleared = link.kind === 'column' ? { [link.field]: null, ...(link.position === null ? {} : { [link.position.field]: null }) } : null;
  await target.execute(cleared === null ? table.delete([...removed]) : table.update([...removed], cleared));
};

const applyInsertions = async (target: Target, { view, inserted }: Pending): Promise<void> => {
  const table = tableOf(target, view);
  for (const rows of chunks(inserted, Math.min(CHUNK, table.maxRows))) await target.execute(table.insert(rows));
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

const positionUpdate = ({ dialect }: Target, { table, column, positions, also }: Update): Statement => {
  const other = also === undefined ? sql`` : sql`${sql.id(also.column)} = ${also.value}, `;
  return sql`update ${sql.id(table)} set ${other}${sql.id(column)} = ${positionCase(positions)} where ${idsIn(positions)}`.compile(dialect.kysely);
};

const applyPointings = async (target: Target, { view, pointed }: Pending): Promise<void> => {
  const { link } = view;
  if (link.kind !== 'column') return;
  const { field, column, position } = link;
  for (const [documentId, rows] of pointed) {
    if (position === null) {
      await target.execute(tableOf(target, view).update([...rows.keys()], { [field]: documentId }));
      continue;
    }
    for (const part of chunks(rows)) {
      await target.execute(positionUpdate(target, { table: linkTable(view), column: position.column, positions: part.map(([id, place]) => [id, place ?? 1]), also: { column, value: documentId } }));
    }
  }
};

const applyMoves = async (target: Target, { view, moved }: Pending): Promise<void> => {
  for (const side of ['owner', 'inverse'] as const) {
    for (const positions of chunks(moved[side])) await target.execute(positionUpdate(target, { table: linkTable(view), column: positionColumn(view.link, side), positions }));
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
      of(view).inserted.push(toRow(view, entry));
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
    apply: async (tx, { versionsOf, linkTableOf, database: { dialect } }) => {
      const target: Target = { versionsOf, linkTableOf, dialect, execute: ({ sql: text, parameters }) => tx.execute(text, parameters) };
      for (const pending of links.values()) await applyRemovals(target, pending);
      for (const pending of links.values()) {
        await applyInsertions(target, pending);
        await applyPointings(target, pending);
        await applyMoves(target, pending);
      }
    },
  };
}
