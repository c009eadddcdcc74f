import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { Transaction } from '../../database/database.js';
import type { EntityRecord } from '../source.js';
import { FOLDERS_KEY, readState, writeState } from '../stored-state.js';
import type { StoredFolder, StoredFolders } from '../stored-state.js';
import { FOLDER_UID } from './import-model.js';
import type { Survey } from './survey.js';

const NO_FOLDERS: StoredFolders = { folders: [], files: {} };

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const documentIdOf = ({ data }: EntityRecord): string | null => textOf(data['documentId']);

/** The folders of an export, and the files in them. */
const foldersOf = ({ folders, links, rows }: Survey): StoredFolders => {
  const ids = new Map(folders.map((folder) => [folder.id, documentIdOf(folder)]));
  const linkedFolder = (type: string, attribute: string, id: number): string | null => {
    const [link] = links.of(type, attribute, id);
    return link === undefined ? null : (ids.get(link.targetId) ?? null);
  };
  const files: Record<string, string> = {};
  for (const id of links.ownersOf(FILE_UID, 'folder')) {
    const file = rows.get(FILE_UID)?.get(id);
    const folder = linkedFolder(FILE_UID, 'folder', id);
    if (file !== undefined && folder !== null) files[file.documentId] = folder;
  }
  const stored = folders.flatMap((folder): readonly StoredFolder[] => {
    const documentId = documentIdOf(folder);
    if (documentId === null) return [];
    const { name, pathId, createdAt, updatedAt } = folder.data;
    return [
      {
        documentId,
        name: textOf(name) ?? documentId,
        pathId: typeof pathId === 'number' ? pathId : 0,
        parent: linkedFolder(FOLDER_UID, 'parent', folder.id),
        createdAt: textOf(createdAt),
        updatedAt: textOf(updatedAt),
      },
    ];
  });
  return { folders: stored, files };
};

/** Keeps the folders of the media library, which the API does not have, for exports. */
export async function writeFolders(survey: Survey, tx: Transaction): Promise<void> {
  const { folders, files } = foldersOf(survey);
  if (folders.length === 0) return;
  const former = ((await readState(tx, FOLDERS_KEY)) ?? NO_FOLDERS) as StoredFolders;
  const all = new Map([...former.folders, ...folders].map((folder) => [folder.documentId, folder]));
  await writeState(tx, FOLDERS_KEY, { folders: [...all.values()], files: { ...former.files, ...files } });
}
