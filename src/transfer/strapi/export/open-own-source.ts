import { openForeignDatabase } from '../../../dialects/open-foreign-database.js';
import { FILE_UID } from '../../../content-types/builtin/registry.js';
import type { ContentModel } from '../../../model/model.js';
import { findAssets } from '../live/assets.js';
import { readRows } from '../live/pages.js';
import { readNumber, readText, readTime, readValue } from '../live/values.js';
import { createWorkFolder } from '../../work-folder.js';
import type { JsonValue } from '../../../lib/stored-value.js';
import { quoteText } from '../../../dialects/sql-text.js';
import { STORE_PREFIX, WEBHOOKS_KEY } from '../../stored-state.js';
import type { StoredWebhook } from '../../stored-state.js';
import type { AssetRecord, ConfigurationRecord, EntityRecord, StrapiSource } from '../source.js';
import { describeSchemas } from './describe-schemas.js';
import { ComponentIds } from './component-ids.js';
import { ExportedFolders } from './folders.js';
import type { OwnDatabase } from './own-database.js';
import { readOwnLinks } from './read-own-links.js';
import { findLargestComponentIds, readVersions } from './read-versions.js';

/** The release whose exports the own ones are like. */
const STRAPI_VERSION = '5.44.0';

export interface OwnProject {
  readonly root: string;
  readonly url: string;
  readonly model: ContentModel;
  /** The folder of uploaded files. */
  readonly uploads: string;
}

const LOCALES = {
  table: 'cms_locales',
  columns: ['document_id', 'code', 'name', 'is_default', 'created_at', 'updated_at', 'published_at'],
};

const withFolder = ({ folders }: OwnDatabase, record: EntityRecord): EntityRecord => {
  const folderPath = folders.pathOf(record.data['documentId']);
  return { ...record, data: { ...record.data, folderPath } };
};

async function* readEntities(own: OwnDatabase): AsyncGenerator<EntityRecord> {
  for await (const row of readRows(own.database, LOCALES)) {
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
  yield* own.folders.entities();
  const ids = new ComponentIds(own.largestComponentIds);
  for await (const versions of readVersions(own, ids))
    for (const { record } of versions) yield record.type === FILE_UID ? withFolder(own, record) : record;
}

async function* readState({ database }: OwnDatabase): AsyncGenerator<ConfigurationRecord> {
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
  for (const { id, name, url, headers, events, isEnabled } of webhooks)
    yield { type: 'webhook', value: { id: Number(id), name, url, headers, events, enabled: isEnabled } };
}

async function* readConfiguration(own: OwnDatabase): AsyncGenerator<ConfigurationRecord> {
  const { database } = own;
  yield* readState(own);
  for await (const row of readRows(database, LOCALES))
    if (readValue('boolean', '', row['is_default']) === true)
      yield {
        type: 'core-store',
        value: { key: 'plugin_i18n_default_locale', value: readText(row['code']), type: 'string' },
      };
}

/** Files have none. */
const NO_COMPONENTS = { next: (): number => 0 };

async function* readAssets(own: OwnDatabase, uploads: string): AsyncGenerator<AssetRecord> {
  const { types } = own.model;
  const files = { ...own.model, types: types.filter(({ uid }) => uid === FILE_UID) };
  for await (const versions of readVersions({ ...own, model: files }, NO_COMPONENTS))
    for (const { record } of versions) yield* findAssets(record.id, record.data, uploads);
}

/** Opens a project's own content as what Strapi exports, in the state that it has now. */
export async function openOwnSource({ root, url, model, uploads }: OwnProject): Promise<StrapiSource> {
  const folder = await createWorkFolder(root);
  const database = await openForeignDatabase(url, folder.path);
  const folders = await ExportedFolders.read(database);
  const own = {
    database,
    model,
    folders,
    largestComponentIds: await findLargestComponentIds({ database, model }),
  };
  return {
    description: database.description,
    version: STRAPI_VERSION,
    fingerprint: '',
    schemas: () => describeSchemas(model, root),
    entities: () => readEntities(own),
    links: () => readOwnLinks(own),
    configuration: () => readConfiguration(own),
    assets: () => readAssets(own, uploads),
    // Exports of Strapi have none.
    apiTokens: async function* () {},
    close: async () => {
      await database.close();
      await folder.remove();
    },
  };
}
