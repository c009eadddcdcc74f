import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileLinkTable } from '../../documents/rows/link-statements.js';
import type { FieldValues } from '../../documents/rows/table-statements.js';
import { chunksOf } from '../../lib/chunks.js';
import type { ContentType, LinkAttribute, MorphLink, TableLink } from '../../model/model.js';
import type { ImportRun } from './import-run.js';
import { resolveLinks } from './resolve-links.js';
import type { ResolvedLink } from './resolve-links.js';
import { selectedTypes } from './write-documents.js';

/** Owners of one transaction. */
const BATCH_SIZE = 1000;
/** Rows of one statement. More save little, and Prisma keeps the values of the last hundred statements. */
const STATEMENT_ROWS = 100;

/** An attribute whose links are rows of a table. */
interface LinkedAttribute {
  readonly type: ContentType;
  readonly attribute: LinkAttribute;
  readonly link: TableLink | MorphLink;
}

const attributesWithTables = (type: ContentType): readonly LinkedAttribute[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.family !== 'relation' && attribute.family !== 'media') return [];
    const { link } = attribute;
    if (link === null || link.kind === 'column' || attribute.side !== 'owner') return [];
    return [{ type, attribute, link }];
  });

const targetValues = (
  link: TableLink | MorphLink,
  { type, row, link: imported }: ResolvedLink,
): FieldValues => {
  if (link.kind === 'morph') {
    const field = link.targets.find(({ uid }) => uid === type)?.field;
    return field === undefined ? {} : { [field]: row.documentId };
  }
  return {
    targetDocumentId: row.documentId,
    ...(link.hasTargetStatus ? { targetStatus: row.status } : {}),
    ...(link.hasTargetLocale ? { targetLocale: row.locale } : {}),
    ...(link.hasInversePosition ? { inversePosition: imported.inversePosition } : {}),
  };
};

/** The rows of a link table that belong to one row of the export, for its version and a draft made of it. */
const rowsOf = (
  { survey, links, offsetOf, isWritten }: Pick<ImportRun, 'survey' | 'links' | 'offsetOf' | 'isWritten'>,
  { type, attribute, link }: LinkedAttribute,
  id: number,
): readonly FieldValues[] => {
  const row = survey.rows.get(type.uid)?.get(id);
  if (row === undefined) {
    if (survey.rows.get(type.uid)?.target(id) === undefined)
      links.tally.add({ what: `${type.uid} ${attribute.name}`, reason: 'what links is gone' });
    return [];
  }
  if (!isWritten(type.uid, row.documentId)) return [];
  const targets = resolveLinks(links, { type: type.uid, row }, attribute, { uid: type.uid, id });
  const draftId = survey.missingDrafts.get(type.uid)?.get(id);
  return [id, ...(draftId === undefined ? [] : [draftId])].flatMap((source) =>
    targets.map((target, index) => ({
      sourceId: source + offsetOf(type.uid),
      position: index + 1,
      ...targetValues(link, target),
    })),
  );
};

/** Resolves all links without writing them, which tells the ones that cannot be kept. */
export function examineLinks(run: Pick<ImportRun, 'survey' | 'links' | 'offsetOf' | 'isWritten'>): number {
  let count = 0;
  for (const type of selectedTypes(run))
    for (const linked of attributesWithTables(type))
      for (const id of run.survey.links.ownersOf(type.uid, linked.attribute.name))
        count += rowsOf(run, linked, id).length;
  return count;
}

/** Writes the links that are rows of tables. */
export async function writeLinks(run: ImportRun, done: number): Promise<void> {
  const { target, survey, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  for (const type of selectedTypes(run)) {
    for (const linked of attributesWithTables(type)) {
      const table = compileLinkTable(expressions, linked.link);
      for (const owners of chunksOf(survey.links.ownersOf(type.uid, linked.attribute.name), BATCH_SIZE)) {
        count += owners.length;
        if (count <= done) continue;
        const rows = owners.flatMap((id) => rowsOf(run, linked, id));
        const written = count;
        await target.database.transact(async (tx) => {
          for (const chunk of chunksOf(rows, Math.min(table.maxRows, STATEMENT_ROWS))) {
            const { sql, parameters } = table.insert(chunk);
            await tx.execute(sql, parameters);
          }
          await save(tx, { done: written });
        });
        onProgress(`links of ${written} rows`);
        await nextTurn();
      }
    }
  }
}
