import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import type { FieldValues, TableStatements } from '../../documents/write/table-statements.js';
import { compileLinkTable } from '../../documents/write/version-statements.js';
import { chunksOf, memoizeWeakly } from '../../lib/collections.js';
import type { ContentType, LinkAttribute, MorphLink, TableLink } from '../../model/model.js';
import type { EntityRecord } from '../source.js';
import type { ImportRun } from './import-context.js';
import { resolveLinks } from './resolve-links.js';
import type { ResolvedLink } from './resolve-links.js';
import type { IndexedRow } from './row-index.js';
import { selectedTypes } from './write-documents.js';

/** Rows of one statement. Larger statements save little, and Prisma keeps the values of the last hundred. */
const STATEMENT_ROWS = 100;

/** Inserts rows of one table. */
export async function insertRows(
  tx: Transaction,
  table: TableStatements,
  rows: readonly FieldValues[],
): Promise<void> {
  for (const chunk of chunksOf(rows, Math.min(table.maxRows, STATEMENT_ROWS))) {
    const { sql, parameters } = table.insert(chunk);
    await tx.execute(sql, parameters);
  }
}

/** Number of owners written in one transaction. */
const BATCH_SIZE = 1000;

/** An attribute whose links are rows of a table. */
export interface LinkedAttribute {
  readonly type: ContentType;
  readonly attribute: LinkAttribute;
  readonly link: TableLink | MorphLink;
}

const attributesWithTables = memoizeWeakly((type: ContentType): readonly LinkedAttribute[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.family !== 'relation' && attribute.family !== 'media') return [];
    const { link } = attribute;
    if (link === null || link.kind === 'column' || attribute.side !== 'owner') return [];
    return [{ type, attribute, link }];
  }),
);

const targetValues = (
  link: TableLink | MorphLink,
  { type, row, inversePosition }: ResolvedLink,
): FieldValues => {
  if (link.kind === 'morph') {
    const field = link.targets.find(({ uid }) => uid === type)?.field;
    return field === undefined ? {} : { [field]: row.documentId };
  }
  return {
    targetDocumentId: row.documentId,
    ...(link.hasTargetStatus ? { targetStatus: row.status } : {}),
    ...(link.hasTargetLocale ? { targetLocale: row.locale } : {}),
    ...(link.hasInversePosition ? { inversePosition } : {}),
  };
};

type LinkRun = Pick<ImportRun, 'inspection' | 'links' | 'offsetOf' | 'isWritten'>;

/** Returns the rows of a link table for targets in order: of a version, and of a draft created from it. */
const linkRowsFor = (
  { inspection, offsetOf }: LinkRun,
  { type, link }: LinkedAttribute,
  id: number,
  targets: readonly ResolvedLink[],
): readonly FieldValues[] => {
  const draftId = inspection.missingDrafts.get(type.uid)?.get(id);
  return [id, ...(draftId === undefined ? [] : [draftId])].flatMap((source) =>
    targets.map((target, index) => ({
      sourceId: source + offsetOf(type.uid),
      position: target.position ?? index + 1,
      ...targetValues(link, target),
    })),
  );
};

/** Returns the rows of link tables for a record that includes its links. */
export function linkRowsOf(
  run: LinkRun,
  type: ContentType,
  { id, links }: EntityRecord,
  row: IndexedRow,
): readonly (readonly [LinkedAttribute, readonly FieldValues[]])[] {
  if (links === undefined) return [];
  return attributesWithTables(type).flatMap((linked) => {
    const { attribute } = linked;
    if (links[attribute.name] === undefined) return [];
    const owner = { type: type.uid, row, links };
    return [
      [
        linked,
        linkRowsFor(run, linked, id, resolveLinks(run.links, owner, attribute, { uid: type.uid, id })),
      ],
    ];
  });
}

/** Returns the rows of a link table for one row of the export, including those of a draft created from it. */
const linkRowsOfRow = (run: LinkRun, linked: LinkedAttribute, id: number): readonly FieldValues[] => {
  const { inspection, links, isWritten } = run;
  const { type, attribute } = linked;
  const row = inspection.rows.get(type.uid)?.get(id);
  if (row === undefined) {
    if (inspection.rows.get(type.uid)?.target(id) === undefined)
      links.findings.add({
        what: `${type.uid} ${attribute.name}`,
        reason: 'the linking row no longer exists',
      });
    return [];
  }
  if (!isWritten(type.uid, row.documentId)) return [];
  const targets = resolveLinks(links, { type: type.uid, row }, attribute, { uid: type.uid, id });
  return linkRowsFor(run, linked, id, targets);
};

/** Resolves all links without writing, and reports those that cannot be kept. Returns the row count. */
export function countLinks(run: Pick<ImportRun, 'inspection' | 'links' | 'offsetOf' | 'isWritten'>): number {
  let count = 0;
  for (const type of selectedTypes(run))
    for (const linked of attributesWithTables(type))
      for (const id of run.inspection.links.ownersOf(type.uid, linked.attribute.name))
        count += linkRowsOfRow(run, linked, id).length;
  return count;
}

/** Writes the links that are rows of tables. */
export async function writeLinks(run: ImportRun, done: number): Promise<void> {
  const { target, inspection, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  for (const type of selectedTypes(run)) {
    for (const linked of attributesWithTables(type)) {
      const table = compileLinkTable(expressions, linked.link);
      for (const owners of chunksOf(inspection.links.ownersOf(type.uid, linked.attribute.name), BATCH_SIZE)) {
        count += owners.length;
        if (count <= done) continue;
        const rows = owners.flatMap((id) => linkRowsOfRow(run, linked, id));
        const written = count;
        await target.database.transact(async (tx) => {
          await insertRows(tx, table, rows);
          await save(tx, { done: written });
        });
        onProgress(`links of ${written} rows`);
        await nextTurn();
      }
    }
  }
}
