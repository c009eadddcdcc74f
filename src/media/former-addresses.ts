import type { Transaction } from '../database/database.js';
import { getOrCreate } from '../lib/collections.js';
import type { FileTable, StoredFile } from './file-table.js';
import type { FormerAddress } from './media.js';
import { LOCAL_PREFIX } from './providers.js';
import type { UsedFile } from './usages.js';

/** Followed by the name that an object had before its file was replaced. */
const PREFIX = 'upload-former:';

/** Raw, since files are served without Prisma Client, which takes long to load. */
const ALL_SQL = `SELECT "key", "value" FROM "cms_state" WHERE "key" LIKE '${PREFIX}%'`;

/** The format that an object holds: `thumbnail`. Empty for the file itself. */
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

/** Notes names under which a file or its copies were stored, since texts may hold the addresses. */
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

/** Forgets the former names of a file, which is deleted. */
export async function removeFormerKeys(tx: Transaction, id: number): Promise<void> {
  const value = { startsWith: `[${id},` };
  await tx.model('SystemState').deleteMany({ where: { key: { startsWith: PREFIX }, value } });
}

/** Finds the content of a file by a name that it had before. Null: no file had it. */
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
  const own = `${file.hash}${file.ext}`;
  const key = file.keys.find((each) => formatOf(each, file) === format) ?? own;
  const url = file.places[key]?.url ?? file.url;
  return { key: url.includes(`${LOCAL_PREFIX}/`) && file.provider === 'local' ? key : null, url };
}

/** Adds the former names of files, by which texts may name them. */
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
