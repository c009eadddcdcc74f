import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ColumnLink, VersionStatus } from '../../model/model.js';
import { createProbe } from '../probe.js';
import type { Probe } from '../probe.js';
import type { WriteScope } from '../write-scope.js';
import { createLinkChanges } from './link-changes.js';
import type { LinkChanges } from './link-changes.js';
import { hasInverseOrder, soleEnd } from './link-view.js';
import type { LinkView } from './link-view.js';

/** From which of a document's two statuses to which its inverse sides are copied. */
export interface CopyDirection {
  readonly from: VersionStatus;
  readonly to: VersionStatus;
}

interface InverseCopy extends CopyDirection {
  readonly scope: Pick<WriteScope, 'documentId' | 'locale' | 'type'>;
  readonly view: LinkView;
  readonly changes: LinkChanges;
}

type Fragment = RawBuilder<unknown>;

/**
 * An owner whose draft has been edited since it was published may have changed the link itself; that edit waits until the owner is published.
 * `s` is the owner's row that is copied to, `o` the one that is copied from.
 */
const isInStep = ({ to }: CopyDirection): Fragment => (to === 'published' ? sql`s.updated_at >= o.updated_at` : sql`o.updated_at >= s.updated_at`);

const siblings = sql`o.document_id = s.document_id and o.locale = s.locale`;

const statusPair = ({ from, to }: CopyDirection): Fragment => sql`s.status = ${to} and o.status = ${from}`;

const ownerLocale = ({ scope, view }: InverseCopy): Fragment => (scope.type.localized && view.locales === 'owner' ? sql` and s.locale = ${scope.locale}` : sql``);

const askColumn = (probe: Probe, copy: InverseCopy, link: ColumnLink): void => {
  const { scope: { documentId }, view, changes } = copy;
  const versions = sql.id(view.owner.storage.version.table);
  const fk = (alias: string): Fragment => sql`${sql.id(alias)}.${sql.id(link.column)}`;
  const place = (alias: string): Fragment => (link.position === null ? sql`0` : sql`coalesce(${sql.id(alias)}.${sql.id(link.position.column)}, 0)`);
  const pair = sql`${versions} as s join ${versions} as o on ${siblings}`;
  const common = sql`${statusPair(copy)} and ${isInStep(copy)}${ownerLocale(copy)}`;
  probe.add({
    select: { number1: sql`s.id`, number2: sql`case when ${fk('o')} = ${documentId} then 1 else 0 end`, number3: place('o') },
    from: sql`${pair} where ${fk('s')} = ${documentId} and (${fk('o')} is null or ${fk('o')} <> ${documentId} or ${place('o')} <> ${place('s')}) and ${common}`,
    onRow: ({ number1, number2, number3 }) => {
      const rowId = number1 ?? 0;
      if (number2 === 1) changes.move(view, rowId, 'inverse', number3 ?? 0);
      else changes.remove(view, { rowId });
    },
  });
  probe.add({
    select: { number1: sql`s.id`, number3: place('o') },
    from: sql`${pair} where ${fk('o')} = ${documentId} and (${fk('s')} is null or ${fk('s')} <> ${documentId}) and ${common}`,
    onRow: ({ number1, number3 }) => changes.point(view, { rowId: number1 ?? 0, documentId, inversePosition: number3 }),
  });
};

/** The tables of a link's rows `l` (copied to) and `m` (copied from), and the conditions that pair them. */
interface TablePair {
  /** Starts at `l`, leaving `m` null where nothing corresponds. */
  readonly fromTo: Fragment;
  /** Starts at `m`, leaving `l` null. */
  readonly fromFrom: Fragment;
  readonly common: Fragment;
  /** The owner's row that a missing link is made for. */
  readonly source: Fragment;
}

/** Links that say their status themselves: the same owner's row has both. */
const linkStatusPair = (copy: InverseCopy, table: Fragment, same: Fragment): TablePair => {
  const versions = sql.id(copy.view.owner.storage.version.table);
  return {
    fromTo: sql`${table} as l join ${versions} as s on s.id = l.source_id left join ${table} as m on m.source_id = l.source_id and m.target_status = ${copy.from} and ${same}`,
    fromFrom: sql`${table} as m join ${versions} as s on s.id = m.source_id left join ${table} as l on l.source_id = m.source_id and l.target_status = ${copy.to} and ${same}`,
    common: sql`1 = 1${ownerLocale(copy)}`,
    source: sql`m.source_id`,
  };
};

const ownerStatusPair = (copy: InverseCopy, table: Fragment, same: Fragment): TablePair => {
  const versions = sql.id(copy.view.owner.storage.version.table);
  return {
    fromTo: sql`${table} as l join ${versions} as s on s.id = l.source_id join ${versions} as o on ${siblings} left join ${table} as m on m.source_id = o.id and ${same}`,
    fromFrom: sql`${table} as m join ${versions} as o on o.id = m.source_id join ${versions} as s on ${siblings} left join ${table} as l on l.source_id = s.id and ${same}`,
    common: sql`${statusPair(copy)} and ${isInStep(copy)}${ownerLocale(copy)}`,
    source: sql`s.id`,
  };
};

const askTable = (probe: Probe, copy: InverseCopy, linkTable: string): void => {
  const { scope, view, changes } = copy;
  const table = sql.id(linkTable);
  const here = (alias: string): Fragment => sql`${sql.id(alias)}.${sql.id(soleEnd(view).column)} = ${scope.documentId}`;
  const isLinkLocale = view.locales === 'link';
  const same = sql`${here('l')} and ${here('m')}${isLinkLocale ? sql` and l.target_locale = m.target_locale` : sql``}`;
  const pair = view.statuses === 'link' ? linkStatusPair(copy, table, same) : ownerStatusPair(copy, table, same);
  const status = (alias: string, value: VersionStatus): Fragment => (view.statuses === 'link' ? sql` and ${sql.id(alias)}.target_status = ${value}` : sql``);
  const locale = (alias: string): Fragment => (isLinkLocale ? sql` and ${sql.id(alias)}.target_locale = ${scope.locale}` : sql``);
  const place = (alias: string): Fragment => (hasInverseOrder(view.link) ? sql`coalesce(${sql.id(alias)}.inverse_position, 0)` : sql`0`);
  probe.add({
    select: { number1: sql`l.id`, number2: sql`m.id`, number3: place('m') },
    from: sql`${pair.fromTo} where ${here('l')}${status('l', copy.to)}${locale('l')} and (m.id is null or ${place('m')} <> ${place('l')}) and ${pair.common}`,
    onRow: ({ number1, number2, number3 }) => {
      const rowId = number1 ?? 0;
      if (number2 === null) changes.remove(view, { rowId });
      else changes.move(view, rowId, 'inverse', number3 ?? 0);
    },
  });
  const rival = sql`(select min(z.id) from ${table} as z where z.source_id = ${pair.source}${status('z', copy.to)}${locale('z')})`;
  const replaces = view.link.kind !== 'column' && !view.link.ownerMany;
  probe.add({
    select: { number1: pair.source, number2: sql`m.position`, number3: place('m'), ...(replaces ? { number4: rival } : {}) },
    from: sql`${pair.fromFrom} where ${here('m')}${status('m', copy.from)}${locale('m')} and l.id is null and ${pair.common}`,
    onRow: ({ number1, number2, number3, number4 }) => {
      if (number4 !== null) changes.remove(view, { rowId: number4 });
      changes.insert(view, {
        sourceId: number1 ?? 0, position: number2 ?? 1, inversePosition: hasInverseOrder(view.link) ? number3 : null,
        targetType: view.self.uid, targetDocumentId: scope.documentId,
        targetStatus: view.statuses === 'link' ? copy.to : null, targetLocale: isLinkLocale ? scope.locale : null,
      });
    },
  });
};

/**
 * Copies what points at a document's draft to its published version (or back): edits of an inverse side are published with the document
 * on whose side they were made. Only rows that differ are asked for.
 */
export async function copyInverse(scope: WriteScope, views: readonly LinkView[], direction: CopyDirection): Promise<void> {
  const probe = createProbe(scope.context.database.dialect);
  const changes = createLinkChanges();
  for (const view of views) {
    if (view.attribute.side !== 'inverse' || view.statuses === 'none' || !scope.type.draftAndPublish) continue;
    const copy = { ...direction, scope, view, changes };
    if (view.link.kind === 'column') askColumn(probe, copy, view.link);
    else askTable(probe, copy, view.link.table);
  }
  await probe.run(scope.tx);
  await changes.apply(scope.tx, scope.context);
}
