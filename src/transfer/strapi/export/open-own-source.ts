import { openForeignDatabase } from '../../../dialects/open-foreign-database.js';
import { FILE_UID } from '../../../content-types/builtin/registry.js';
import type { ContentModel } from '../../../model/model.js';
import { findAssets } from '../live/assets.js';
import { readRows } from '../live/pages.js';
import { readNumber, readText, readTime, readValue } from '../live/values.js';
import { createWorkFolder } from '../../work-folder.js';
import type { AssetRecord, ConfigurationRecord, EntityRecord, StrapiSource } from '../source.js';
import { describeSchemas } from './describe-schemas.js';
import type { OwnDatabase } from './own-database.js';
import { readOwnLinks } from './read-own-links.js';
import { readVersions } from './read-versions.js';

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
  for await (const versions of readVersions(own)) for (const { record } of versions) yield record;
}

async function* readConfiguration({ database }: OwnDatabase): AsyncGenerator<ConfigurationRecord> {
  for await (const row of readRows(database, LOCALES))
    if (readValue('boolean', '', row['is_default']) === true)
      yield {
        type: 'core-store',
        value: { key: 'plugin_i18n_default_locale', value: readText(row['code']), type: 'string' },
      };
}

async function* readAssets(own: OwnDatabase, uploads: string): AsyncGenerator<AssetRecord> {
  const { types } = own.model;
  const files = { ...own.model, types: types.filter(({ uid }) => uid === FILE_UID) };
  for await (const versions of readVersions({ ...own, model: files }))
    for (const { record } of versions) yield* findAssets(record.id, record.data, uploads);
}

/** Opens a project's own content as what Strapi exports, in the state that it has now. */
export async function openOwnSource({ root, url, model, uploads }: OwnProject): Promise<StrapiSource> {
  const folder = await createWorkFolder(root);
  const database = await openForeignDatabase(url, folder.path);
  const own = { database, model };
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
