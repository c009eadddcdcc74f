import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { readRoles, roleTables } from '../../access/roles/role-tables.js';
import type { Transaction } from '../../database/database.js';
import { compileDocumentTable } from '../../documents/write/version-statements.js';
import { chunksOf } from '../../lib/collections.js';
import { PERMISSION_UID, ROLE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentType } from '../../model/model.js';
import type { ContentSource, EntityRecord } from '../source.js';
import { findOffset, isNewDatabase, saveExisting } from './import-context.js';
import type { ExistingDocuments, ImportRun, ImportTarget } from './import-context.js';
import { removeSchedules } from './write-editorial.js';

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
  const table = sql.id(tables.role.document.table);
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
    .model(tables.permission.version.model)
    .findMany({ where: { [tables.roleField]: { in: [...adopted] } }, select: { documentId: true } });
  const documentIds = rows.map((row) => String(row['documentId']));
  await tx.model(tables.permission.document.model).deleteMany({ where: { documentId: { in: documentIds } } });
  return documentIds;
}

/** Deletes permissions that a role has twice: from before the import and from the export. */
export async function mergePermissions({ model }: ImportTarget, tx: Transaction): Promise<void> {
  const tables = roleTables(model);
  const permissions = await tx.model(tables.permission.version.model).findMany({
    select: { documentId: true, action: true, [tables.roleField]: true },
    orderBy: { id: 'asc' },
  });
  const seen = new Set<string>();
  const repeated = permissions.filter((row) => {
    const key = `${String(row[tables.roleField])} ${String(row['action'])}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
  await tx
    .model(tables.permission.document.model)
    .deleteMany({ where: { documentId: { in: repeated.map((row) => row['documentId']) } } });
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
  for (const editorial of ['CmsSchedule', 'CmsVersion'])
    await tx.model(editorial).deleteMany({ where: { type: type.uid, ...isOther } });
};

/** Deletes all documents, settings and folders. */
const clearContent = async ({ model }: ImportTarget, tx: Transaction): Promise<void> => {
  for (const { storage } of model.types) await tx.model(storage.document.model).deleteMany({ where: {} });
  for (const editorial of ['CmsSchedule', 'CmsVersion']) await tx.model(editorial).deleteMany({ where: {} });
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
