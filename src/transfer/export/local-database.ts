import { WEBHOOKS_KEY } from '../../api/webhooks/webhook.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';
import type { ExternalDatabase } from '../../database/dialect/database-driver.js';
import { quoteText } from '../../database/dialect/sql-text.js';
import { openExternalDatabase } from '../../database/get-dialect.js';
import { getOrCreate } from '../../lib/collections.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel } from '../../model/model.js';
import type {
  ApiTokenRecord,
  AssetRecord,
  ConfigurationRecord,
  EntityRecord,
  LinkRecord,
  StoredFolder,
  StoredFolders,
} from '../source.js';
import { STORE_PREFIX } from '../../database/server-state.js';
import { FOLDERS_KEY } from '../source.js';
import { findAssets } from '../strapi/entities.js';
import { readNumber, readRows, readText, readTime, readValue } from '../strapi/rows.js';
import { tokenTypeOf } from '../strapi/settings.js';
import { createWorkFolder } from '../work-folder.js';
import { readVersions } from './read-versions.js';

const FOLDER_UID = 'plugin::upload.folder';

/** A folder in Strapi's form, with a row id and a path of numbers. */
interface ExportedFolder extends StoredFolder {
  readonly id: number;
  readonly path: string;
}

/** The media folders that an import has stored. */
class ExportedFolders {
  readonly #folders: ReadonlyMap<string, ExportedFolder>;
  readonly #files: StoredFolders['files'];

  constructor({ folders, files }: StoredFolders) {
    this.#files = files;
    this.#folders = numberFolders(folders);
  }

  static async read(database: ExternalDatabase): Promise<ExportedFolders> {
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

/** Returns the folders with unique numbers: folders of several imports may have the same one. */
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

/** The project whose content is exported. */
export interface LocalProject {
  readonly root: string;
  readonly url: string;
  readonly model: ContentModel;
  /** The folder of uploaded files. */
  readonly uploads: string;
}

/** A snapshot of the project's database, with values as they are stored. */
export interface LocalDatabase {
  readonly database: ExternalDatabase;
  readonly model: ContentModel;
  readonly folders: ExportedFolders;
  readonly close: () => Promise<void>;
}

/** Opens a snapshot of a project's database. */
export async function openLocalDatabase({ root, url, model }: LocalProject): Promise<LocalDatabase> {
  const folder = await createWorkFolder(root);
  try {
    const database = await openExternalDatabase(url, folder.path);
    return {
      database,
      model,
      folders: await ExportedFolders.read(database),
      close: async () => {
        await database.close();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

const LOCALES = {
  table: 'cms_locales',
  columns: ['document_id', 'code', 'name', 'is_default', 'created_at', 'updated_at', 'published_at'],
};

export async function* readLocales({ database }: LocalDatabase): AsyncGenerator<EntityRecord> {
  for await (const row of readRows(database, LOCALES)) {
    const createdAt = readTime(row['created_at']);
    yield {
      type: 'plugin::i18n.locale',
      id: readNumber(row['id']),
      data: {
        documentId: readText(row['document_id']),
        code: readText(row['code']),
        name: readText(row['name']),
        createdAt,
        updatedAt: readTime(row['updated_at']),
        publishedAt: readTime(row['published_at']) ?? createdAt,
        locale: null,
      },
    };
  }
}

async function* readState({ database }: LocalDatabase): AsyncGenerator<ConfigurationRecord> {
  const settings = await database.rows(
    `select "key", "value" from "cms_state" where "key" like ${quoteText(`${STORE_PREFIX}%`)} order by "key"`,
  );
  for (const row of settings) {
    const key = (readText(row['key']) ?? '').slice(STORE_PREFIX.length);
    const value = JSON.parse(readText(row['value']) ?? 'null') as JsonValue;
    // Values of one environment have none here.
    if (!key.includes('?')) yield { type: 'core-store', value: { key, value, type: typeof value } };
  }
  const [row] = await database.rows(
    `select "value" from "cms_state" where "key" = ${quoteText(WEBHOOKS_KEY)}`,
  );
  const webhooks = JSON.parse(readText(row?.['value']) ?? '[]') as readonly StoredWebhook[];
  for (const { id, isEnabled, types, secret: _secret, ...webhook } of webhooks)
    yield {
      type: 'webhook',
      value: {
        id: Number(id),
        ...webhook,
        enabled: isEnabled,
        ...(types === undefined ? {} : { contentTypes: types }),
      },
    };
}

/** Reads the stored settings and webhooks, and the default locale. */
export async function* readConfiguration(local: LocalDatabase): AsyncGenerator<ConfigurationRecord> {
  yield* readState(local);
  for await (const row of readRows(local.database, LOCALES))
    if (readValue('boolean', '', row['is_default']) === true)
      yield {
        type: 'core-store',
        value: { key: 'plugin_i18n_default_locale', value: readText(row['code']), type: 'string' },
      };
}

const TOKENS = {
  table: 'cms_api_tokens',
  columns: [
    'name',
    'description',
    'type',
    'key_hash',
    'expires_at',
    'last_used_at',
    'created_at',
    'updated_at',
  ],
};

const tokenTypeOfRow = (type: string | null): ApiTokenRecord['type'] =>
  type === 'preview' ? type : tokenTypeOf(type);

/** Reads the API tokens, with the hashes of their keys. */
export async function* readLocalTokens({ database }: LocalDatabase): AsyncGenerator<ApiTokenRecord> {
  const permissions = new Map<number, string[]>();
  const grants = { table: 'cms_api_token_permissions', columns: ['token_id', 'action'] };
  for await (const row of readRows(database, grants))
    getOrCreate(permissions, readNumber(row['token_id']), () => []).push(readText(row['action']) ?? '');
  for await (const row of readRows(database, TOKENS)) {
    const createdAt = readTime(row['created_at']) ?? new Date(0).toISOString();
    yield {
      name: readText(row['name']) ?? '',
      description: readText(row['description']) ?? '',
      type: tokenTypeOfRow(readText(row['type'])),
      accessKey: readText(row['key_hash']) ?? '',
      permissions: permissions.get(readNumber(row['id'])) ?? [],
      lifespan: null,
      expiresAt: readTime(row['expires_at']),
      lastUsedAt: readTime(row['last_used_at']),
      createdAt,
      updatedAt: readTime(row['updated_at']) ?? createdAt,
    };
  }
}

/** Files contain no components. */
const NO_COMPONENTS = { next: (): number => 0 };

/** Reads the stored files that rows of the media library describe. */
export async function* readAssets(
  { database, model }: LocalDatabase,
  uploads: string,
): AsyncGenerator<AssetRecord> {
  const files = { ...model, types: model.types.filter(({ uid }) => uid === FILE_UID) };
  for await (const versions of readVersions({ database, model: files }, NO_COMPONENTS))
    for (const { record } of versions) yield* findAssets(record.id, record.data, uploads);
}
