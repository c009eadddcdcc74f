import type { Transaction } from '../database/database.js';
import { getOrCreate } from '../lib/collections.js';
import type { FileTable, StoredFile } from './file-table.js';
import type { FormerAddress } from './media.js';
import { LOCAL_PREFIX } from './providers.js';
import type { UsedFile } from './usages.js';

/** Prefix of the name that an object had before its file was replaced. */
const PREFIX = 'upload-former:';

/** Raw SQL, since files are served without Prisma Client, which takes long to load. */
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
    const key = PREFIX + name;
    await tx.model('SystemState').upsert({ where: { key }, create: { key, value }, update: { value } });
  }
}

/** Deletes the former names of a deleted file. */
export async function removeFormerKeys(tx: Transaction, id: number): Promise<void> {
  const value = { startsWith: `[${id},` };
  await tx.model('SystemState').deleteMany({ where: { key: { startsWith: PREFIX }, value } });
}

/** Finds the current address of a file by a former name. Null: no file had the name. */
export async function findFormerAddress(
  tx: Transaction,
  files: Pick<FileTable, 'find'>,
  name: string,
): Promise<FormerAddress | null> {
  const row = await tx.model('SystemState').findUnique({ where: { key: PREFIX + name } });
  if (row === null) return null;
  const { id, format } = parseFormer(row['value']);
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
