import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { countsAsNull, isUnique } from '../../documents/validation/parse-scalar.js';
import { compileTable } from '../../documents/write/table-statements.js';
import type { FieldValues, TableStatements } from '../../documents/write/table-statements.js';
import {
  VERSION_COLUMNS,
  compileLinkTable,
  contentFields,
} from '../../documents/write/version-statements.js';
import { countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { getOrCreate, memoizeWeakly } from '../../lib/collections.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { ImportedObject, MediaLibrary } from '../../media/media.js';
import { FILE_UID, ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import type { AssetRecord, EntityRecord } from '../source.js';
import { convertRow } from './convert-row.js';
import type { ExistingDocuments, ImportRun, ImportTarget } from './import-context.js';
import { insertRows, linkRowsOf } from './write-links.js';
import type { LinkedAttribute } from './write-links.js';
import type { RowIndex } from './row-index.js';
import type { ImportFindings } from './import-model.js';
import { selectedTypes } from './write-documents.js';

type RowValues = Readonly<Record<string, unknown>>;

const uniqueAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute =>
      attribute.family === 'scalar' && isUnique(attribute) && attribute.column.kind !== 'json',
  );

const SAME_VALUE = 'another published document has the same value, so that';
const LOST = `${SAME_VALUE} the published version has none`;
const CHANGED = `${SAME_VALUE} a number is appended`;
const SHARED_ADDRESS =
  'another user has the same address; only the first keeps it, and the others sign in by username';

const localizedKey = (locale: string, value: unknown): string =>
  `${locale} ${value instanceof Date ? value.toISOString() : String(value)}`;

/**
 * Makes the published values of unique attributes distinct: the database requires it, and Strapi does not.
 * The first document keeps the value. Another one loses it; a uid gets a number appended.
 */
class UniqueGuard {
  readonly #taken = new Map<string, Set<string>>();
  readonly #findings: ImportFindings;

  constructor(findings: ImportFindings) {
    this.#findings = findings;
  }

  #takenOf(type: ContentType, attribute: ScalarAttribute): Set<string> {
    return getOrCreate(this.#taken, `${type.uid} ${attribute.name}`, () => new Set<string>());
  }

  /** Loads the values of documents that the import does not change. */
  async loadStored(
    { database }: ImportTarget,
    type: ContentType,
    isUnchanged: (documentId: string) => boolean,
  ): Promise<void> {
    const { kysely } = database.dialect.expressions;
    for (const attribute of uniqueAttributes(type)) {
      const [table, column] = [sql.id(type.storage.version.table), sql.id(attribute.column.name)];
      const statement = sql`select document_id, locale, ${column} as value from ${table}
        where status = 'published' and ${column} is not null`;
      const rows = await database.transact((tx) => tx.query(statement.compile(kysely).sql, []));
      for (const row of rows)
        if (isUnchanged(String(row['document_id'])))
          this.#takenOf(type, attribute).add(localizedKey(String(row['locale']), row['value']));
    }
  }

  /** Returns the values of a version as they can be stored. */
  makeUnique(type: ContentType, values: RowValues): RowValues {
    if (values['status'] !== 'published') return values;
    const changes: Record<string, unknown> = {};
    for (const attribute of uniqueAttributes(type)) {
      const value = values[attribute.column.field] ?? null;
      if (countsAsNull(attribute, value)) changes[attribute.column.field] = null;
      if (value === null || countsAsNull(attribute, value)) continue;
      const taken = this.#takenOf(type, attribute);
      const locale = String(values['locale']);
      const isTaken = taken.has(localizedKey(locale, value));
      const kept = isTaken ? this.#substitute(attribute, taken, locale, value) : value;
      if (isTaken) this.#report(type, attribute, kept);
      if (isTaken) changes[attribute.column.field] = kept;
      if (kept !== null) taken.add(localizedKey(locale, kept));
    }
    return { ...values, ...changes };
  }

  #substitute(
    attribute: ScalarAttribute,
    taken: ReadonlySet<string>,
    locale: string,
    value: unknown,
  ): string | null {
    if (attribute.type !== 'uid') return null;
    let count = 1;
    while (taken.has(localizedKey(locale, `${String(value)}-${count}`))) count += 1;
    return `${String(value)}-${count}`;
  }

  #report(type: ContentType, attribute: ScalarAttribute, kept: unknown): void {
    const isAddress = type.uid === USER_UID && attribute.name === 'email';
    const reason = isAddress ? SHARED_ADDRESS : kept === null ? LOST : CHANGED;
    this.#findings.add({ what: `${type.uid} ${attribute.name}`, reason, isLoss: true });
  }
}

/** Returns a predicate that is true for documents of a type that the import does not change. */
function createIsUnchanged(
  uid: string,
  index: RowIndex | undefined,
  existing: ExistingDocuments,
  isWritten: (uid: string, documentId: string) => boolean,
): (documentId: string) => boolean {
  return (documentId) =>
    index?.has(documentId) !== true ||
    (existing.get(uid)?.has(documentId) === true && !isWritten(uid, documentId));
}

type AssetValues = Readonly<Record<string, JsonValue>>;

/** A file's record with its URLs in the project's store, and the objects to store. */
interface PlacedFile {
  readonly record: EntityRecord;
  readonly objects: readonly ImportedObject[];
}

const isAssetValues = (value: unknown): value is AssetValues => isRecord(value);

/** Matches names that neither leave the folder nor are hidden. */
const SAFE_NAME = /^[^./\\\0][^/\\\0]*$/;

const textOrEmpty = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const objectKey = ({ hash, ext }: AssetValues): string => textOrEmpty(hash) + textOrEmpty(ext);

const assetOf = (assets: ReadonlyMap<string, AssetRecord>, values: AssetValues): AssetRecord | undefined => {
  const key = objectKey(values);
  return SAFE_NAME.test(key) ? assets.get(key) : undefined;
};

const toObject = (asset: AssetRecord, { mime }: AssetValues): ImportedObject => ({
  key: asset.name,
  mime: typeof mime === 'string' ? mime : 'application/octet-stream',
  open: () => asset.open(),
});

/** Sets the URLs of a file to this project's storage. A file whose content the export lacks keeps its URL. */
function placeFile(
  record: EntityRecord,
  assets: ReadonlyMap<string, AssetRecord>,
  storage: ReturnType<MediaLibrary['storage']>,
  findings: ImportFindings,
): PlacedFile {
  const objects: ImportedObject[] = [];
  const place = (values: AssetValues): AssetValues => {
    const asset = assetOf(assets, values);
    if (asset === undefined) return values;
    objects.push(toObject(asset, values));
    return { ...values, url: storage.urlOf(asset.name) };
  };
  const isStored = assetOf(assets, record.data) !== undefined;
  if (!isStored)
    findings.add({ what: FILE_UID, reason: 'the export has no content for the file, which keeps its URL' });
  const { formats } = record.data;
  const placedFormats = isAssetValues(formats)
    ? Object.fromEntries(
        Object.entries(formats).map(([name, format]) => [
          name,
          isAssetValues(format) ? place(format) : format,
        ]),
      )
    : (formats ?? null);
  const data = {
    ...place(record.data),
    formats: placedFormats,
    ...(isStored ? { provider: storage.name, provider_metadata: null } : {}),
  };
  return { record: { ...record, data }, objects };
}

/** Number of records written in one transaction. */
const BATCH_SIZE = 1000;

/** The rows and objects of the records of one transaction. */
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

/** Returns a function that converts records to rows. Call it in the order of the export. */
export async function openConversion(
  run: Pick<ImportRun, 'target' | 'inspection' | 'options' | 'existing' | 'isWritten' | 'links' | 'offsetOf'>,
): Promise<Convert> {
  const { target, inspection, options, existing, isWritten, links, offsetOf } = run;
  const guard = new UniqueGuard(links.findings);
  // Roles are skipped, since roles of the export replace those of the same type.
  const kept = options.existing === 'clear' ? [] : selectedTypes(run);
  for (const type of kept.filter(({ uid }) => uid !== ROLE_UID))
    await guard.loadStored(
      target,
      type,
      createIsUnchanged(type.uid, inspection.rows.get(type.uid), existing, isWritten),
    );
  return (given) => {
    const type = inspection.selected(given.type);
    const row = inspection.rows.get(given.type)?.get(given.id);
    if (type === undefined || row === undefined || !isWritten(type.uid, row.documentId)) return NOTHING;
    const { record, objects } =
      type.uid === FILE_UID
        ? placeFile(given, inspection.assets, target.media.storage(), links.findings)
        : { record: given, objects: [] };
    const id = record.id + offsetOf(type.uid);
    const values = { ...guard.makeUnique(type, convertRow(links, type, record, row)), id };
    const linkRows = linkRowsOf(run, type, record, row);
    const draftId = inspection.missingDrafts.get(type.uid)?.get(record.id);
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

/** Writes all versions with the links in their records, and stores the files. */
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
