import type { Transaction } from '../database/database.js';
import { readServerState, writeServerState } from '../database/server-state.js';
import { createError } from '../errors/catalogue.js';
import { defined } from '../lib/assert.js';
import { createDocumentId } from '../lib/ids.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import { mediaKindOf } from '../model/model.js';
import { getOrCreate } from '../lib/collections.js';
import { applyVisibility } from './file-visibility.js';
import { contentValues, infoValues, objectsIn, withPlaces } from './file-table.js';
import type { StoredFile, FileTable } from './file-table.js';
import type { MediaContext } from './media-context.js';
import type { FileInfo, FileValues, FileWrite, StagedFile, FormerAddress } from './media.js';
import { addEntry, removeOrphanedObjects } from './outbox.js';
import { mergeChangedValues, runFileWrite, storeFiles } from './store-files.js';
import { LOCAL_PREFIX } from './providers.js';
import type { UsedFile } from './usages.js';

/** Prefix of the name that an object had before its file was replaced. */
const PREFIX = 'upload-former:';

const ALL_SQL = `SELECT "key", "value" FROM "cms_state" WHERE "key" LIKE '${PREFIX}%'`;

/** Returns the format of an object: `thumbnail`. Empty for the file itself. */
const formatOf = (key: string, { keys, formatNames }: StoredFile): string =>
  formatNames[keys.indexOf(key) - 1] ?? '';

interface FormerKey {
  readonly id: number;
  readonly documentId: string;
  readonly format: string;
}

const printFormer = ({ id, documentId, format }: FormerKey): string =>
  JSON.stringify([id, documentId, format]);

const parseFormer = (value: unknown): FormerKey => {
  const [id, documentId, format] = JSON.parse(String(value)) as readonly unknown[];
  return { id: Number(id), documentId: String(documentId), format: String(format) };
};

/** Stores former names of a file and its copies, since texts may contain the addresses. */
export async function addFormerKeys(
  tx: Transaction,
  id: number,
  stored: StoredFile,
  names: readonly string[] = stored.keys,
): Promise<void> {
  const { documentId } = stored;
  for (const name of names) {
    const value = printFormer({ id, documentId, format: formatOf(name, stored) });
    await writeServerState(tx, PREFIX + name, value);
  }
}

/** Deletes the former names of a deleted file. */
async function removeFormerKeys(tx: Transaction, id: number): Promise<void> {
  const isOfFile = `"key" LIKE '${PREFIX}%' AND "value" LIKE '[${id},%'`;
  await tx.execute(`DELETE FROM "cms_state" WHERE ${isOfFile}`, []);
}

/** Finds the current address of a file by a former name. Null: no file had the name. */
export async function findFormerAddress(
  tx: Transaction,
  files: Pick<FileTable, 'find'>,
  name: string,
): Promise<FormerAddress | null> {
  const former = await readServerState(tx, PREFIX + name);
  if (former === null) return null;
  const { id, format } = parseFormer(former);
  const file = await files.find(tx, id);
  if (file === null) return null;
  const mainKey = `${file.hash}${file.ext}`;
  const key = file.keys.find((each) => formatOf(each, file) === format) ?? mainKey;
  const url = file.places[key]?.url ?? file.url;
  return { key: url.includes(`${LOCAL_PREFIX}/`) && file.provider === 'local' ? key : null, url };
}

/** Adds the former names of files, which texts may contain. */
export async function withFormerKeys(
  tx: Transaction,
  files: readonly UsedFile[],
): Promise<readonly UsedFile[]> {
  const namesById = new Map<string, string[]>();
  for (const { key, value } of await tx.query(ALL_SQL, []))
    getOrCreate(namesById, parseFormer(value).documentId, () => []).push(String(key).slice(PREFIX.length));
  if (namesById.size === 0) return files;
  return files.map((file) => ({ ...file, keys: [...file.keys, ...(namesById.get(file.documentId) ?? [])] }));
}

interface CreatedFiles {
  readonly ids: readonly number[];
  readonly documentIds: readonly string[];
}

const storeAndInsert = async (
  context: MediaContext,
  files: readonly StagedFile[],
  rows: readonly FileValues[],
): Promise<CreatedFiles> => {
  const documentIds = rows.map((_row, index) => files[index]?.documentId ?? createDocumentId());
  let writes: readonly FileWrite[] = [];
  const ids = await storeFiles(context, files, async (tx, places) => {
    const newFiles = rows.map((values, index) => ({
      documentId: defined(documentIds[index], 'the id of a new file'),
      values: withPlaces(values, places),
    }));
    writes = newFiles.map(({ documentId, values }) => ({ action: 'create', documentId, data: values }));
    await context.files.reserve(tx, documentIds);
    for (const write of writes) await context.hooks.before(write, tx);
    return context.files.insert(tx, newFiles);
  });
  for (const write of writes) await context.hooks.after(write);
  return { ids, documentIds };
};

/** The middlewares wrap each file's write; the innermost call stores all files. */
const runMiddlewares = async (
  context: MediaContext,
  files: readonly StagedFile[],
  rows: readonly FileValues[],
  preparedRows: readonly FileValues[] = [],
): Promise<CreatedFiles> => {
  const [values, ...remainingRows] = rows;
  if (values === undefined) return storeAndInsert(context, files, preparedRows);
  let created: CreatedFiles | null = null;
  await context.hooks.around({ action: 'create', documentId: null, data: values }, async (changed) => {
    const { ids, documentIds } = await runMiddlewares(context, files, remainingRows, [
      ...preparedRows,
      mergeChangedValues(values, changed),
    ]);
    created = { ids, documentIds };
    return documentIds[preparedRows.length] ?? null;
  });
  if (created === null)
    throw new TypeError(
      'A middleware prevented the creation of a file: it must call next or throw an error.',
    );
  return created;
};

/** Stores files and writes their rows. Returns their ids in the same order. */
export async function createFiles(
  context: MediaContext,
  files: readonly StagedFile[],
  infos: readonly FileInfo[],
): Promise<readonly number[]> {
  const { name } = context.providers.current;
  const rows = files.map((file, index) => ({
    ...contentValues(file, name),
    ...infoValues(infos[index] ?? {}),
  }));
  return (await runMiddlewares(context, files, rows)).ids;
}

/** Thrown to roll the transaction back if there is no such file. */
class FileMissing extends Error {}

/**
 * Rejects content of another kind than the file had, unless every attribute that links to the file accepts
 * it.
 *
 * @throws `upload/replacement-type-not-allowed`
 */
const assertKindAccepted = async (
  { findAcceptedKinds }: MediaContext,
  tx: Transaction,
  { documentId, mime: mimeBefore }: StoredFile,
  { name, mime }: StagedFile,
): Promise<void> => {
  if (mediaKindOf(mimeBefore) === mediaKindOf(mime)) return;
  const acceptedKinds = await findAcceptedKinds(tx, documentId);
  if (!acceptedKinds.includes(mediaKindOf(mime)))
    throw createError('upload/replacement-type-not-allowed', {
      name,
      type: mime,
      allowed: acceptedKinds.length === 0 ? mediaKindOf(mimeBefore) : acceptedKinds.join(' or '),
    });
};

const replace = async (
  context: MediaContext,
  id: number,
  file: StagedFile,
  requested: FileWrite,
): Promise<FileWrite | null> => {
  let write = requested;
  try {
    const replacedEntry = await storeFiles(context, [file], async (tx, places) => {
      const stored = await context.files.lock(tx, id);
      if (stored === null) throw new FileMissing();
      await assertKindAccepted(context, tx, stored, file);
      write = { ...requested, data: withPlaces(requested.data ?? {}, places) };
      await context.hooks.before(write, tx);
      await context.files.update(tx, id, write.data ?? {});
      await addFormerKeys(tx, id, stored);
      return addEntry(tx, stored);
    });
    await removeOrphanedObjects(context, replacedEntry);
    return write;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
};

/**
 * Replaces the content of file `id`. Links to it stay. The content is stored under a new name, so that no
 * cache shows the old one, and former addresses in the local store lead to it. Returns false if there is no
 * such file.
 *
 * @throws `upload/replacement-type-not-allowed`
 */
export async function replaceFile(
  context: MediaContext,
  id: number,
  file: StagedFile,
  info: FileInfo,
): Promise<boolean> {
  const data = {
    // Values that the store reported for the former content.
    previewUrl: null,
    provider_metadata: null,
    ...contentValues(file, context.providers.current.name),
    ...infoValues(info),
  };
  return runFileWrite(context, id, { action: 'update', data }, (write) => replace(context, id, file, write));
}

/** Updates the attributes of a file that users edit. Returns false if there is no such file. */
export async function updateInfo(context: MediaContext, id: number, info: FileInfo): Promise<boolean> {
  const { database, files, hooks } = context;
  return runFileWrite(context, id, { action: 'update', data: infoValues(info) }, (write) =>
    database.transact(async (tx) => {
      if ((await files.lock(tx, id)) === null) return null;
      await hooks.before(write, tx);
      await files.update(tx, id, write.data ?? {});
      return write;
    }),
  );
}

/**
 * Deletes the objects of files whose rows the trash has deleted for good, after the commit. Those that the
 * same document uses again stay.
 */
export async function discardFiles(
  context: MediaContext,
  tx: Transaction,
  rows: readonly FileValues[],
): Promise<void> {
  for (const row of rows) {
    const objects = objectsIn(row);
    const present = await context.files.findDocument(tx, String(row['documentId']));
    const keys = objects.keys.filter((key) => present?.keys.includes(key) !== true);
    const entry = await addEntry(tx, { ...objects, keys });
    await removeFormerKeys(tx, Number(row['id']));
    tx.afterCommit(() => removeOrphanedObjects(context, entry));
  }
}

/**
 * Deletes a file: first its row and links, then its objects. If the trash keeps the file, they are hidden
 * instead. Returns false if there is no such file.
 */
export async function removeFile(context: MediaContext, id: number): Promise<boolean> {
  const { database, files, hooks, trash } = context;
  return runFileWrite(context, id, { action: 'delete', data: null }, async (write) => {
    const entry = await database.transact(async (tx) => {
      const stored = await files.lock(tx, id);
      if (stored === null) return null;
      await hooks.before(write, tx);
      const isKept = await trash.add(tx, { type: FILE_UID, documentIds: [stored.documentId] });
      await files.delete(tx, stored);
      if (isKept) {
        tx.afterCommit(() => applyVisibility(context, stored.documentId));
        return 'kept';
      }
      await removeFormerKeys(tx, id);
      return addEntry(tx, stored);
    });
    if (entry !== null && entry !== 'kept') await removeOrphanedObjects(context, entry);
    return entry === null ? null : write;
  });
}
