import type { Transaction } from '../database/database.js';

// The table cms_state stores the settings and folders for which Strapi has separate tables.

/** The key of the folders of Strapi's media library: {@link StoredFolders}. */
export const FOLDERS_KEY = 'strapi/folders';

/** A folder of the media library. `parent` is a document id; null: at the root. */
export interface StoredFolder {
  readonly documentId: string;
  readonly name: string;
  readonly pathId: number;
  readonly parent: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** The folders, and the folder of each file, by document ids. Other files are at the root. */
export interface StoredFolders {
  readonly folders: readonly StoredFolder[];
  readonly files: Readonly<Record<string, string>>;
}

/** Returns the value stored under a key, or null. */
export async function readState(tx: Transaction, key: string): Promise<unknown> {
  const row = await tx.model('SystemState').findUnique({ where: { key } });
  return typeof row?.['value'] === 'string' ? (JSON.parse(row['value']) as unknown) : null;
}

export async function writeState(tx: Transaction, key: string, state: unknown): Promise<void> {
  const value = JSON.stringify(state);
  await tx.model('SystemState').upsert({ where: { key }, create: { key, value }, update: { value } });
}
