import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentFields } from '../../documents/version-fields.js';
import { compileTable } from '../../documents/rows/table-statements.js';
import type { FieldValues, TableStatements } from '../../documents/rows/table-statements.js';
import { VERSION_COLUMNS } from '../../documents/rows/version-statements.js';
import type { Transaction } from '../../database/database.js';
import { FILE_UID, ROLE_UID } from '../../content-types/builtin/registry.js';
import { chunksOf } from '../../lib/chunks.js';
import { getOrCreate, memoizeWeakly } from '../../lib/memoize.js';
import type { ContentType } from '../../model/model.js';
import type { ImportedObject } from '../../media/media.js';
import type { EntityRecord } from '../strapi/source.js';
import { convertRow } from './convert-row.js';
import { placeFile } from './import-files.js';
import type { ImportRun } from './import-run.js';
import { UniqueGuard, staysStored } from './unique-guard.js';
import { selectedTypes } from './write-documents.js';

/** Records of one transaction. */
const BATCH_SIZE = 1000;
/** Rows of one statement. More save little, and Prisma keeps the values of the last hundred statements. */
const STATEMENT_ROWS = 100;

/** The rows and objects of some records. */
interface Batch {
  readonly rows: Map<ContentType, FieldValues[]>;
  readonly objects: ImportedObject[];
}

type Convert = (record: EntityRecord) => {
  readonly rows: readonly (readonly [ContentType, FieldValues])[];
  readonly objects: readonly ImportedObject[];
};

const NOTHING: ReturnType<Convert> = { rows: [], objects: [] };

/** Opens the conversion of records to rows, one after another in the order of the export. */
export async function openConversion(
  run: Pick<ImportRun, 'target' | 'survey' | 'existing' | 'isWritten' | 'links' | 'offsetOf'>,
): Promise<Convert> {
  const { target, survey, existing, isWritten, links, offsetOf } = run;
  const guard = new UniqueGuard(links.tally);
  // Roles are taken over by those of the export that have their type.
  for (const type of selectedTypes(run).filter(({ uid }) => uid !== ROLE_UID))
    await guard.loadStored(
      target,
      type,
      staysStored(type.uid, survey.rows.get(type.uid), existing, isWritten),
    );
  return (given) => {
    const type = survey.selected(given.type);
    const row = survey.rows.get(given.type)?.get(given.id);
    if (type === undefined || row === undefined || !isWritten(type.uid, row.documentId)) return NOTHING;
    const { record, objects } =
      type.uid === FILE_UID
        ? placeFile(given, survey.assets, target.media.storage(), links.tally)
        : { record: given, objects: [] };
    const id = record.id + offsetOf(type.uid);
    const values = { ...guard.admit(type, convertRow(links, type, record, row)), id };
    const draftId = survey.missingDrafts.get(type.uid)?.get(record.id);
    if (draftId === undefined) return { rows: [[type, values]], objects };
    const draft = { ...values, id: draftId + offsetOf(type.uid), status: 'draft', publishedAt: null };
    return {
      rows: [
        [type, draft],
        [type, values],
      ],
      objects,
    };
  };
}

const createTables = ({ target }: ImportRun): ((type: ContentType) => TableStatements) =>
  memoizeWeakly((type: ContentType) =>
    compileTable(target.database.dialect.expressions, type.storage.version.table, [
      ...VERSION_COLUMNS,
      ...contentFields(type),
    ]),
  );

const insertAll = async (
  tx: Transaction,
  table: TableStatements,
  rows: readonly FieldValues[],
): Promise<void> => {
  for (const chunk of chunksOf(rows, Math.min(table.maxRows, STATEMENT_ROWS))) {
    const { sql, parameters } = table.insert(chunk);
    await tx.execute(sql, parameters);
  }
};

/** Writes all versions, and stores the files. */
export async function writeVersions(run: ImportRun, done: number): Promise<void> {
  const { target, source, save, onProgress } = run;
  const convert = await openConversion(run);
  const tableOf = createTables(run);
  let batch: Batch = { rows: new Map(), objects: [] };
  let count = 0;
  const flush = async (): Promise<void> => {
    const { rows, objects } = batch;
    batch = { rows: new Map(), objects: [] };
    await target.media.storeObjects(objects, async (tx) => {
      for (const [type, values] of rows) await insertAll(tx, tableOf(type), values);
      await save(tx, { done: count });
    });
    onProgress(`${count} records`);
    await nextTurn();
  };
  for await (const record of source.entities()) {
    const { rows, objects } = convert(record);
    count += 1;
    if (count <= done) continue;
    for (const [type, values] of rows) getOrCreate(batch.rows, type, () => []).push(values);
    batch.objects.push(...objects);
    if (count % BATCH_SIZE === 0 || batch.objects.length >= BATCH_SIZE / 10) await flush();
  }
  if (count > done) await flush();
}
