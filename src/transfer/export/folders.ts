import type { ForeignDatabase } from '../../database/dialect/foreign-database.js';
import { quoteText } from '../../database/dialect/sql-text.js';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { FOLDERS_KEY } from '../stored-state.js';
import type { StoredFolder, StoredFolders } from '../stored-state.js';
import { readText } from '../strapi/live/values.js';
import type { EntityRecord, LinkRecord } from '../source.js';

const FOLDER_UID = 'plugin::upload.folder';

/** A folder as Strapi has it: with a row's id, and a path of numbers. */
interface ExportedFolder extends StoredFolder {
  readonly id: number;
  readonly path: string;
}

/** The folders of the media library that an import has kept. */
export class ExportedFolders {
  readonly #folders: ReadonlyMap<string, ExportedFolder>;
  readonly #files: StoredFolders['files'];

  constructor({ folders, files }: StoredFolders) {
    this.#files = files;
    this.#folders = numberFolders(folders);
  }

  static async read(database: ForeignDatabase): Promise<ExportedFolders> {
    const [row] = await database.rows(
      `select "value" from "cms_state" where "key" = ${quoteText(FOLDERS_KEY)}`,
    );
    const stored: unknown = JSON.parse(readText(row?.['value']) ?? 'null');
    return new ExportedFolders((stored ?? { folders: [], files: {} }) as StoredFolders);
  }

  #folderOf(documentId: JsonValue | undefined): ExportedFolder | undefined {
    const folder = typeof documentId === 'string' ? this.#files[documentId] : undefined;
    return folder === undefined ? undefined : this.#folders.get(folder);
  }

  /** The path of the folder that a file is in. */
  pathOf(documentId: JsonValue | undefined): string {
    return this.#folderOf(documentId)?.path ?? '/';
  }

  *entities(): Iterable<EntityRecord> {
    for (const { id, documentId, name, pathId, path, createdAt, updatedAt } of this.#folders.values())
      yield {
        type: FOLDER_UID,
        id,
        data: { documentId, name, pathId, path, createdAt, updatedAt, publishedAt: createdAt, locale: null },
      };
  }

  /** The links between folders. */
  *links(): Iterable<LinkRecord> {
    for (const { id, parent } of this.#folders.values()) {
      const target = parent === null ? undefined : this.#folders.get(parent);
      if (target !== undefined)
        yield {
          kind: 'relation.circular',
          relation: 'manyToOne',
          left: { type: FOLDER_UID, field: 'parent', ref: id },
          right: { type: FOLDER_UID, field: 'children', ref: target.id, pos: id },
        };
    }
  }

  /** The link of a file to its folder. */
  *linksOf({ id, data }: EntityRecord): Iterable<LinkRecord> {
    const folder = this.#folderOf(data['documentId']);
    if (folder !== undefined)
      yield {
        kind: 'relation.basic',
        relation: 'manyToOne',
        left: { type: FILE_UID, field: 'folder', ref: id },
        right: { type: FOLDER_UID, field: 'files', ref: folder.id, pos: id },
      };
  }
}

/** Numbers of folders that were imported from several places may be the same; each gets one of its own. */
const numberFolders = (folders: readonly StoredFolder[]): ReadonlyMap<string, ExportedFolder> => {
  const byId = new Map(folders.map((folder) => [folder.documentId, folder]));
  const taken = new Set<number>();
  let last = Math.max(0, ...folders.map(({ pathId }) => pathId));
  const numbers = new Map<string, number>();
  for (const { documentId, pathId } of folders) {
    const number = pathId > 0 && !taken.has(pathId) ? pathId : (last += 1);
    taken.add(number);
    numbers.set(documentId, number);
  }
  const pathOf = (documentId: string, depth = 0): string => {
    const parent = byId.get(documentId)?.parent ?? null;
    const isNested = parent !== null && byId.has(parent) && depth < folders.length;
    return `${isNested ? pathOf(parent, depth + 1) : ''}/${numbers.get(documentId) ?? 0}`;
  };
  return new Map(
    folders.map((folder, index) => [
      folder.documentId,
      {
        ...folder,
        id: index + 1,
        pathId: numbers.get(folder.documentId) ?? 0,
        path: pathOf(folder.documentId),
      },
    ]),
  );
};
