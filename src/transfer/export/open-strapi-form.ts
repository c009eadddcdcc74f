import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { ContentSource, EntityRecord } from '../source.js';
import { ComponentIds } from './component-ids.js';
import { describeSchemas } from './describe-schemas.js';
import { openOwnDatabase, readAssets, readConfiguration, readLocales } from './own-database.js';
import type { OwnProject } from './own-database.js';
import { readOwnLinks } from './read-own-links.js';
import type { NumberedDatabase } from './read-own-links.js';
import { findLargestComponentIds, readVersions } from './read-versions.js';

/** The release whose exports the own ones are like. */
const STRAPI_VERSION = '5.44.0';

const withFolder = ({ folders }: NumberedDatabase, record: EntityRecord): EntityRecord => {
  const folderPath = folders.pathOf(record.data['documentId']);
  return { ...record, data: { ...record.data, folderPath } };
};

async function* readEntities(own: NumberedDatabase): AsyncGenerator<EntityRecord> {
  yield* readLocales(own);
  yield* own.folders.entities();
  const ids = new ComponentIds(own.largestComponentIds);
  for await (const versions of readVersions(own, ids))
    for (const { record } of versions) yield record.type === FILE_UID ? withFolder(own, record) : record;
}

/** Opens a project's own content as what Strapi exports, in the state that it has now. */
export async function openStrapiForm(project: OwnProject): Promise<ContentSource> {
  const opened = await openOwnDatabase(project);
  const own: NumberedDatabase = { ...opened, largestComponentIds: await findLargestComponentIds(opened) };
  return {
    description: own.database.description,
    product: 'Strapi',
    version: STRAPI_VERSION,
    fingerprint: '',
    schemas: () => describeSchemas(project.model, project.root),
    entities: () => readEntities(own),
    links: () => readOwnLinks(own),
    editorial: async function* () {},
    configuration: () => readConfiguration(own),
    assets: () => readAssets(own, project.uploads),
    // Exports of Strapi have none.
    apiTokens: async function* () {},
    close: own.close,
  };
}
