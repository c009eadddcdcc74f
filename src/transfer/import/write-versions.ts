import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentFields } from '../../documents/version-fields.js';
import { compileLinkTable } from '../../documents/rows/link-statements.js';
import { compileTable } from '../../documents/rows/table-statements.js';
import type { FieldValues, TableStatements } from '../../documents/rows/table-statements.js';
import { VERSION_COLUMNS } from '../../documents/rows/version-statements.js';
import { FILE_UID, ROLE_UID } from '../../model/content-types/builtin/registry.js';
import { getOrCreate, memoizeWeakly } from '../../lib/memoize.js';
import type { ContentType } from '../../model/model.js';
import type { ImportedObject } from '../../media/media.js';
import type { EntityRecord } from '../source.js';
import { convertRow } from './convert-row.js';
import { placeFile } from './import-files.js';
import type { ImportRun } from './import-run.js';
import { insertRows } from './insert-rows.js';
import { UniqueGuard, staysStored } from './unique-guard.js';
import { selectedTypes } from './write-documents.js';
import { linkRowsOf } from './write-links.js';
import type { LinkedAttribute } from './write-links.js';
import { countNoun } from '../../lib/count-noun.js';

/** Records of one transaction. */
const BATCH_SIZE = 1000;

/** The rows and objects of some records. */
interface Batch {
  readonly rows: Map<ContentType, FieldValues[]>;
  readonly links: Map<LinkedAttribute, FieldValues[]>;
  readonly objects: ImportedObject[];
}

const emptyBatch = (): Batch => ({ rows: new Map(), links: new Map(), objects: [] });

type Convert = (record: EntityRecord) => {
  readonly rows: readonly (readonly [ContentType, FieldValues])[];
  /** Rows of the links that a record includes. */
  readonly links: ReturnType<typeof linkRowsOf>;
  readonly objects: readonly ImportedObject[];
};

const NOTHING: ReturnType<Convert> = { rows: [], links: [], objects: [] };

/** Opens the conversion of records to rows, one after another in the order of the export. */
export async function openConversion(
  run: Pick<ImportRun, 'target' | 'survey' | 'options' | 'existing' | 'isWritten' | 'links' | 'offsetOf'>,
): Promise<Convert> {
  const { target, survey, options, existing, isWritten, links, offsetOf } = run;
  const guard = new UniqueGuard(links.tally);
  // Roles are taken over by those of the export that have their type.
  const kept = options.existing === 'clear' ? [] : selectedTypes(run);
  for (const type of kept.filter(({ uid }) => uid !== ROLE_UID))
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
    const linkRows = linkRowsOf(run, type, record, row);
    const draftId = survey.missingDrafts.get(type.uid)?.get(record.id);
    if (draftId === undefined) return { rows: [[type, values]], links: linkRows, objects };
    const draft = { ...values, id: draftId + offsetOf(type.uid), status: 'draft', publishedAt: null };
    return {
      rows: [
        [type, draft],
        [type, values],
      ],
      links: linkRows,
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

const createLinkTables = ({ target }: ImportRun): ((linked: LinkedAttribute) => TableStatements) =>
  memoizeWeakly(({ link }: LinkedAttribute) => compileLinkTable(target.database.dialect.expressions, link));

/** Writes all versions with the links that come with them, and stores the files. */
export async function writeVersions(run: ImportRun, done: number): Promise<void> {
  const { target, source, save, onProgress } = run;
  const convert = await openConversion(run);
  const tableOf = createTables(run);
  const linkTableOf = createLinkTables(run);
  let batch = emptyBatch();
  let count = 0;
  const flush = async (): Promise<void> => {
    const { rows, links, objects } = batch;
    batch = emptyBatch();
    await target.media.storeObjects(objects, async (tx) => {
      for (const [type, values] of rows) await insertRows(tx, tableOf(type), values);
      for (const [linked, values] of links) await insertRows(tx, linkTableOf(linked), values);
      await save(tx, { done: count });
    });
    onProgress(countNoun(count, 'record'));
    await nextTurn();
  };
  for await (const record of source.entities()) {
    const { rows, links, objects } = convert(record);
    count += 1;
    if (count <= done) continue;
    for (const [type, values] of rows) getOrCreate(batch.rows, type, () => []).push(values);
    for (const [linked, values] of links) getOrCreate(batch.links, linked, () => []).push(...values);
    batch.objects.push(...objects);
    if (count % BATCH_SIZE === 0 || batch.objects.length >= BATCH_SIZE / 10) await flush();
  }
  if (count > done) await flush();
}
