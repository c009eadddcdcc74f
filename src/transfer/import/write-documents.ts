import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { readRoles, roleTables } from '../../access/roles/role-tables.js';
import type { Transaction } from '../../database/database.js';
import { compileDocumentTable } from '../../documents/write/version-statements.js';
import { chunksOf } from '../../lib/collections.js';
import { PERMISSION_UID, ROLE_UID } from '../../model/content-types/builtin-types.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { ContentSource, EntityRecord, EditorialRecord } from '../source.js';
import { findOffset, isNewDatabase, saveExisting } from './import-context.js';
import type { ExistingDocuments, ImportRun, ImportTarget } from './import-context.js';

/** Rows for each statement, within the parameter limit of each database. */
const BATCH_SIZE = 500;
const DELETE_SIZE = 5000;

/** Deletes the schedules of documents that an import replaces, since they were meant for other content. */
async function removeSchedules(
  expressions: SqlExpressions,
  tx: Transaction,
  type: Uid,
  documentIds: Iterable<string>,
): Promise<void> {
  for (const chunk of chunksOf(documentIds, DELETE_SIZE)) {
    const isListed = expressions.inList(
      sql.ref('document_id'),
      'text',
      expressions.encodeList('text', chunk),
    );
    const isOfType = sql`type = ${expressions.parameter('text', type)}`;
    const statement = sql`delete from cms_schedules where ${isOfType} and ${isListed}`;
    const { sql: text, parameters } = statement.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
}

/** True if a record is imported. Existing documents keep their stored versions. */
const isWanted = ({ inspection, existing, isWritten }: ImportRun, record: EditorialRecord): boolean => {
  const { kind, type: uid, documentId, locale } = record;
  const type = inspection.selected(uid);
  return (
    type?.draftAndPublish === true &&
    type.localized === (locale !== NO_LOCALE) &&
    inspection.rows.get(uid)?.has(documentId) === true &&
    isWritten(uid, documentId) &&
    (kind !== 'version' || existing.get(uid)?.has(documentId) !== true)
  );
};

/** Adds changes to releases, and creates the releases that are missing. */
const insertReleases = async (
  expressions: SqlExpressions,
  tx: Transaction,
  records: readonly EditorialRecord[],
): Promise<void> => {
  const text = (value: string) => expressions.parameter('text', value);
  const run = async (statement: RawBuilder<unknown>): Promise<void> => {
    const compiled = statement.compile(expressions.kysely);
    await tx.execute(compiled.sql, compiled.parameters);
  };
  for (const record of records) {
    if (record.kind !== 'release') continue;
    const { name, at, type, documentId, locale, action } = record;
    const time = (value: number) => expressions.parameter('bigint', BigInt(value));
    await run(sql`insert into cms_releases (name, created_at, at)
      values (${text(name)}, ${time(Date.now())}, ${at === null ? sql`null` : time(at)})
      on conflict do nothing`);
    await run(sql`insert into cms_release_items (release_id, type, document_id, locale, action)
      select id, ${sql.join([type, documentId, locale, action].map(text))} from cms_releases
      where name = ${text(name)} and published_at is null on conflict do nothing`);
  }
};

const insert = async (
  expressions: SqlExpressions,
  tx: Transaction,
  records: readonly EditorialRecord[],
): Promise<void> => {
  const text = (value: string) => expressions.parameter('text', value);
  const time = (value: number) => expressions.parameter('bigint', BigInt(value));
  const documentLocaleSql = ({ type, documentId, locale }: EditorialRecord) =>
    sql.join([type, documentId, locale].map(text));
  const schedules = records.flatMap((record) =>
    record.kind === 'schedule'
      ? [
          sql`(${documentLocaleSql(record)}, ${text(record.action)}, ${time(record.at)},
            ${record.error === null ? sql`null` : text(record.error)})`,
        ]
      : [],
  );
  const versions = records.flatMap((record) =>
    record.kind === 'version'
      ? [
          sql`(${documentLocaleSql(record)}, ${expressions.parameter('integer', record.number)},
            ${time(record.publishedAt)}, ${text(record.content)})`,
        ]
      : [],
  );
  await insertReleases(expressions, tx, records);
  const into = [
    [sql`cms_schedules (type, document_id, locale, action, at, error)`, schedules],
    [sql`cms_versions (type, document_id, locale, number, published_at, content)`, versions],
  ] as const;
  for (const [table, rows] of into) {
    if (rows.length === 0) continue;
    const statement = sql`insert into ${table} values ${sql.join(rows)} on conflict do nothing`;
    const { sql: compiled, parameters } = statement.compile(expressions.kysely);
    await tx.execute(compiled, parameters);
  }
};

/** Writes schedules, changes in releases and published versions. */
export async function writeEditorial(run: ImportRun, done: number): Promise<void> {
  const { target, source, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  let batch: EditorialRecord[] = [];
  const flush = async (): Promise<void> => {
    const records = batch;
    const written = count;
    batch = [];
    if (written <= done || records.length === 0) return;
    await target.database.transact(async (tx) => {
      await insert(expressions, tx, records);
      await save(tx, { done: written });
    });
    onProgress(`${written} schedules, changes of releases and published versions`);
    await nextTurn();
  };
  for await (const record of source.editorial()) {
    if (!isWanted(run, record)) continue;
    count += 1;
    batch.push(record);
    if (batch.length === BATCH_SIZE) await flush();
  }
  await flush();
}

const readImportedRoles = async (source: ContentSource): Promise<readonly EntityRecord[]> => {
  const roles: EntityRecord[] = [];
  for await (const record of source.entities()) if (record.type === ROLE_UID) roles.push(record);
  return roles;
};

/**
 * Changes the document ids of existing roles to those of imported roles of the same type, so that both become
 * one role. Returns the document ids of these roles.
 */
async function adoptRoles(
  { database, model }: ImportTarget,
  tx: Transaction,
  source: ContentSource,
): Promise<readonly string[]> {
  const tables = roleTables(model);
  const { expressions } = database.dialect;
  const existing = await readRoles(tx, tables);
  const table = sql.id(tables.role.document.name);
  const adopted: string[] = [];
  for (const { data } of await readImportedRoles(source)) {
    const role = existing.find(({ type }) => type === data['type']);
    const documentId = data['documentId'];
    if (role === undefined || typeof documentId !== 'string') continue;
    adopted.push(documentId);
    if (role.documentId === documentId) continue;
    // The foreign keys of the database update all references.
    const [to, from] = [documentId, role.documentId].map((id) => expressions.parameter('text', id));
    const rename = sql`update ${table} set document_id = ${to} where document_id = ${from}`;
    const { sql: text, parameters } = rename.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
  return adopted;
}

/** Deletes the permissions of adopted roles, which the export replaces. Returns their document ids. */
async function clearPermissions(
  { model }: ImportTarget,
  tx: Transaction,
  adopted: readonly string[],
): Promise<readonly string[]> {
  const tables = roleTables(model);
  const rows = await tx
    .table(tables.permission.version)
    .find({ [tables.roleField]: adopted }, { fields: ['documentId'] });
  const documentIds = rows.map((row) => String(row['documentId']));
  await tx.table(tables.permission.document).delete({ documentId: documentIds });
  return documentIds;
}

/** Deletes permissions that a role has twice: from before the import and from the export. */
export async function mergePermissions({ model }: ImportTarget, tx: Transaction): Promise<void> {
  const tables = roleTables(model);
  const permissions = await tx
    .table(tables.permission.version)
    .find({}, { fields: ['documentId', 'action', tables.roleField], orderBy: 'id' });
  const seen = new Set<string>();
  const repeated = permissions.filter((row) => {
    const key = `${String(row[tables.roleField])} ${String(row['action'])}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
  await tx
    .table(tables.permission.document)
    .delete({ documentId: repeated.map((row) => String(row['documentId'])) });
}

const CHUNK_SIZE = 5000;

/** Returns the content-types whose documents are imported. */
export function selectedTypes({ inspection }: Pick<ImportRun, 'inspection'>): readonly ContentType[] {
  return [...inspection.rows.keys()].flatMap((uid) => inspection.selected(uid) ?? []);
}

/** Deletes the versions and schedules of documents. The document rows stay, and with them links to these. */
const deleteVersions = async (
  { target }: ImportRun,
  tx: Transaction,
  { uid, storage }: ContentType,
  documentIds: ReadonlySet<string>,
): Promise<void> => {
  const { expressions } = target.database.dialect;
  const isListed = expressions.inList(sql`document_id`, 'text', null);
  const text = sql`delete from ${sql.id(storage.version.table)} where ${isListed}`.compile(
    expressions.kysely,
  ).sql;
  for (const chunk of chunksOf(documentIds, CHUNK_SIZE))
    await tx.execute(text, [expressions.encodeList('text', chunk)]);
  await removeSchedules(expressions, tx, uid, documentIds);
};

/** Deletes the document of a single type that the export replaces by another one. */
const deleteOtherSingle = async (run: ImportRun, tx: Transaction, type: ContentType): Promise<void> => {
  if (type.kind !== 'singleType') return;
  const imported = run.inspection.rows.get(type.uid)?.documentIds ?? [];
  const isOther = { documentId: { notIn: [...imported] } };
  await tx.model(type.storage.document.model).deleteMany({ where: isOther });
  for (const editorial of ['CmsSchedule', 'CmsVersion', 'CmsReleaseItem'])
    await tx.model(editorial).deleteMany({ where: { type: type.uid, ...isOther } });
};

/** Deletes all documents, settings and folders, and the trash. */
const clearContent = async ({ model }: ImportTarget, tx: Transaction): Promise<void> => {
  for (const { storage } of model.types) await tx.model(storage.document.model).deleteMany({ where: {} });
  for (const editorial of ['CmsSchedule', 'CmsVersion', 'CmsTrash', 'CmsReleaseItem', 'CmsRelease'])
    await tx.model(editorial).deleteMany({ where: {} });
  await tx.model('SystemState').deleteMany({ where: { key: { startsWith: 'strapi/' } } });
};

/**
 * Prepares the database for the export: adopts roles, deletes replaced versions, and determines the offsets
 * of ids. Returns the offsets and the existing documents, including adopted roles.
 */
export async function prepareDatabase(
  run: ImportRun,
): Promise<{ readonly existing: ExistingDocuments; readonly offsets: Readonly<Record<string, number>> }> {
  const { target, inspection, options, existing, source, save } = run;
  const isNew = await isNewDatabase(target);
  return target.database.transact(async (tx) => {
    await target.log?.record(tx, [{ action: 'import.start', details: { existing: options.existing } }]);
    if (options.existing === 'clear') await clearContent(target, tx);
    const known = new Map([...existing].map(([uid, ids]) => [uid, new Set(ids)]));
    if (inspection.selected(ROLE_UID) !== undefined) {
      const adopted = await adoptRoles(target, tx, source);
      known.set(ROLE_UID, new Set([...(known.get(ROLE_UID) ?? []), ...adopted]));
      const clears =
        inspection.selected(PERMISSION_UID) !== undefined && (isNew || options.existing === 'replace');
      const cleared = clears ? await clearPermissions(target, tx, adopted) : [];
      for (const id of cleared) known.get(PERMISSION_UID)?.delete(id);
    }
    const offsets: Record<string, number> = {};
    for (const type of selectedTypes(run)) {
      const replaces =
        options.existing === 'replace' || (type.uid === ROLE_UID && options.existing !== 'skip');
      if (replaces) await deleteVersions(run, tx, type, known.get(type.uid) ?? new Set());
      if (options.existing === 'replace') await deleteOtherSingle(run, tx, type);
      const index = inspection.rows.get(type.uid);
      if (index !== undefined) offsets[type.uid] = await findOffset(target, tx, type, index);
    }
    await saveExisting(tx, known);
    await save(tx, { offsets });
    return { existing: known, offsets };
  });
}

/** Writes the document rows first, so that versions can link them in any order. */
export async function writeDocuments(run: ImportRun, done: number): Promise<void> {
  const { target, inspection, existing, isWritten, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  for (const type of selectedTypes(run)) {
    const table = compileDocumentTable(expressions, type.storage.document.table);
    const ids = (inspection.rows.get(type.uid)?.documentIds ?? []).filter(
      (id) => isWritten(type.uid, id) && existing.get(type.uid)?.has(id) !== true,
    );
    for (const chunk of chunksOf(ids, CHUNK_SIZE)) {
      count += chunk.length;
      if (count <= done) continue;
      const written = count;
      await target.database.transact(async (tx) => {
        const { sql: text, parameters } = table.insert(chunk);
        await tx.execute(text, parameters);
        await save(tx, { done: written });
      });
      onProgress(`${written} documents`);
      await nextTurn();
    }
  }
}
