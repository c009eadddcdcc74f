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

const rolesOf = async (source: ContentSource): Promise<readonly EntityRecord[]> => {
  const roles: EntityRecord[] = [];
  for await (const record of source.entities()) if (record.type === ROLE_UID) roles.push(record);
  return roles;
};

/**
 * Gives roles that have the type of an imported one its document id, so that users and permissions of both
 * are of one role. Returns the imported roles that the database had.
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
  for (const { data } of await rolesOf(source)) {
    const role = existing.find(({ type }) => type === data['type']);
    const documentId = data['documentId'];
    if (role === undefined || typeof documentId !== 'string') continue;
    adopted.push(documentId);
    if (role.documentId === documentId) continue;
    // The database changes what refers to the document along with it.
    const [to, from] = [documentId, role.documentId].map((id) => expressions.parameter('text', id));
    const rename = sql`update ${table} set document_id = ${to} where document_id = ${from}`;
    const { sql: text, parameters } = rename.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
  return adopted;
}

/** Deletes the permissions of roles whose permissions are those of the export. Returns their document ids. */
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

/** Deletes permissions that a role has twice, since it had them before the import. */
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

/** The content-types whose documents are imported. */
export function selectedTypes({ survey }: Pick<ImportRun, 'survey'>): readonly ContentType[] {
  return [...survey.rows.keys()].flatMap((uid) => survey.selected(uid) ?? []);
}

/**
 * Deletes the versions and schedules of documents, which keep their rows, so that what links to them stays
 * linked.
 */
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

/** A single type has one document. That of the export takes its place. */
const deleteOtherSingle = async (run: ImportRun, tx: Transaction, type: ContentType): Promise<void> => {
  if (type.kind !== 'singleType') return;
  const imported = run.survey.rows.get(type.uid)?.documentIds ?? [];
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
 * Makes room for the export: takes over roles, deletes versions that are replaced, and decides by how much
 * ids are moved. Returns the documents that the database has, with the roles that it has under other ids.
 */
export async function makeRoom(
  run: ImportRun,
): Promise<{ readonly existing: ExistingDocuments; readonly offsets: Readonly<Record<string, number>> }> {
  const { target, survey, options, existing, source, save } = run;
  const isNew = await isNewDatabase(target);
  return target.database.transact(async (tx) => {
    if (options.existing === 'clear') await clearContent(target, tx);
    const known = new Map([...existing].map(([uid, ids]) => [uid, new Set(ids)]));
    if (survey.selected(ROLE_UID) !== undefined) {
      const adopted = await adoptRoles(target, tx, source);
      known.set(ROLE_UID, new Set([...(known.get(ROLE_UID) ?? []), ...adopted]));
      const clears =
        survey.selected(PERMISSION_UID) !== undefined && (isNew || options.existing === 'replace');
      const cleared = clears ? await clearPermissions(target, tx, adopted) : [];
      for (const id of cleared) known.get(PERMISSION_UID)?.delete(id);
    }
    const offsets: Record<string, number> = {};
    for (const type of selectedTypes(run)) {
      const replaces =
        options.existing === 'replace' || (type.uid === ROLE_UID && options.existing !== 'skip');
      if (replaces) await deleteVersions(run, tx, type, known.get(type.uid) ?? new Set());
      if (options.existing === 'replace') await deleteOtherSingle(run, tx, type);
      const index = survey.rows.get(type.uid);
      if (index !== undefined) offsets[type.uid] = await findOffset(target, tx, type, index);
    }
    await saveExisting(tx, known);
    await save(tx, { offsets });
    return { existing: known, offsets };
  });
}

/** Writes the rows that stand for documents as a whole, so that versions can link them in any order. */
export async function writeDocuments(run: ImportRun, done: number): Promise<void> {
  const { target, survey, existing, isWritten, save, onProgress } = run;
  const { expressions } = target.database.dialect;
  let count = 0;
  for (const type of selectedTypes(run)) {
    const table = compileDocumentTable(expressions, type.storage.document.table);
    const ids = (survey.rows.get(type.uid)?.documentIds ?? []).filter(
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
