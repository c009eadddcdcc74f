import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Probe, ProbeRow } from '../probe.js';
import type { LinkEntry } from './link-entry.js';
import { hasInverseOrder, soleEnd } from './link-view.js';
import type { LinkView } from './link-view.js';

const ref = (table: string, column: string): RawBuilder<unknown> => sql`${sql.id(table)}.${sql.id(column)}`;

const NOTHING = sql`null`;

/** Which of the link's ends a row points at, and the document there. */
const targetParts = (view: LinkView, table: string): { readonly end: RawBuilder<unknown>; readonly documentId: RawBuilder<unknown> } => {
  const columns = view.ends.map(({ column }) => ref(table, column));
  const [only = NOTHING] = columns;
  if (columns.length <= 1) return { end: sql.lit(0), documentId: only };
  const cases = columns.map((column, index) => sql`when ${column} is not null then ${sql.lit(index)}`);
  return { end: sql`case ${sql.join(cases, sql` `)} end`, documentId: sql`coalesce(${sql.join(columns)})` };
};

const inversePosition = ({ link }: LinkView): RawBuilder<unknown> => {
  if (link.kind === 'column') return link.position === null ? NOTHING : ref('s', link.position.column);
  return hasInverseOrder(link) ? ref('l', 'inverse_position') : NOTHING;
};

const readEntry = (view: LinkView, row: ProbeRow): LinkEntry => ({
  rowId: row.number1 ?? 0,
  sourceId: row.number2 ?? 0,
  sourceDocumentId: row.text1 ?? '',
  sourceLocale: row.text2 ?? '',
  sourceStatus: row.text3 ?? '',
  targetType: view.ends[row.number3 ?? 0]?.type.uid ?? '',
  targetDocumentId: row.text4 ?? '',
  targetStatus: row.text5,
  targetLocale: row.text6,
  position: row.number4,
  inversePosition: row.number5,
});

/** How the entries of a link are written in SQL: the aliases are `s` for the owner's versions and `l` for the link table. */
export interface EntrySource {
  /** The table, or tables, after FROM. */
  readonly tables: RawBuilder<unknown>;
  readonly sourceId: RawBuilder<unknown>;
  readonly sourceDocumentId: RawBuilder<unknown>;
  /** The column pointing at the sole end. */
  readonly target: RawBuilder<unknown>;
}

export function entrySource(view: LinkView): EntrySource {
  const versions = sql`${sql.id(view.owner.storage.version.table)} as s`;
  const shared = { sourceId: ref('s', 'id'), sourceDocumentId: ref('s', 'document_id') };
  const { column } = soleEnd(view);
  if (view.link.kind === 'column') return { ...shared, tables: versions, target: ref('s', column) };
  return { ...shared, tables: sql`${sql.id(view.link.table)} as l join ${versions} on s.id = l.source_id`, target: ref('l', column) };
}

/** Asks for the entries of a link that fulfil a condition on {@link entrySource}. */
export function askEntries(probe: Probe, view: LinkView, where: RawBuilder<unknown>, onEntry: (entry: LinkEntry) => void): void {
  const { link } = view;
  const alias = link.kind === 'column' ? 's' : 'l';
  const { end, documentId } = targetParts(view, alias);
  probe.add({
    select: {
      text1: ref('s', 'document_id'),
      text2: ref('s', 'locale'),
      text3: ref('s', 'status'),
      text4: documentId,
      text5: view.statuses === 'link' ? ref('l', 'target_status') : NOTHING,
      text6: view.locales === 'link' ? ref('l', 'target_locale') : NOTHING,
      number1: ref(alias, 'id'),
      number2: ref('s', 'id'),
      number3: end,
      number4: link.kind === 'column' ? NOTHING : ref('l', 'position'),
      number5: inversePosition(view),
    },
    from: sql`${entrySource(view).tables} where ${where}`,
    onRow: (row) => onEntry(readEntry(view, row)),
  });
}

/** Asks for what those version rows link by a link table. */
export function askEntriesOfRows(probe: Probe, view: LinkView, ids: readonly number[], onEntry: (entry: LinkEntry) => void): void {
  if (view.link.kind === 'column' || ids.length === 0) return;
  askEntries(probe, view, probe.dialect.among(sql`l.source_id`, 'integer', probe.dialect.encodeList('integer', ids)), onEntry);
}
