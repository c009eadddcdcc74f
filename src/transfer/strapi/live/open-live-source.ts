import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForeignDatabase } from '../../../database/dialect/foreign-database.js';
import { openForeignDatabase } from '../../../database/open-foreign-database.js';
import { quoteName } from '../../../database/dialect/sql-text.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import { redactUrl } from '../../../lib/redact-url.js';
import { createWorkFolder } from '../../work-folder.js';
import type { SchemaRecord, ContentSource } from '../../source.js';
import { readAssets } from './assets.js';
import { contentTypesOf, readEntities } from './entities.js';
import { tableOf } from './layout.js';
import { readLinks } from './links.js';
import { readSchemas } from './schemas.js';
import { readApiTokens, readConfiguration } from './settings.js';
import { readText } from './values.js';

/** Locations of the parts of a live Strapi project. */
export interface LiveLocation {
  /** `file:/absolute/data.db` or `postgresql://…` */
  readonly url: string;
  /** The folder of the project, for the schemas of its components. */
  readonly project: string;
  /** The folder of its uploaded files. Null: there is none. */
  readonly uploads: string | null;
  /** The folder of the project that is imported into. */
  readonly root: string;
}

const SETTINGS = 'strapi_core_store_settings';
const MIGRATIONS = 'strapi_migrations_internal';
/** The last of the migrations that make a database one of Strapi 5. */
const LAST_MIGRATION = 'core::5.0.0-discard-drafts';

const openDatabase = async ({ url, root }: LiveLocation): Promise<ForeignDatabase> => {
  if (/^(?:mysql|mariadb)2?:/i.test(url))
    throw createError('transfer/unsupported-database', { database: redactUrl(url) });
  const folder = await createWorkFolder(root);
  try {
    const database = await openForeignDatabase(url, folder.path);
    const close = async (): Promise<void> => {
      await database.close();
      await folder.remove();
    };
    return { ...database, close };
  } catch (error) {
    await folder.remove();
    const reason = error instanceof Error ? error.message : String(error);
    throw createError('transfer/unreadable-database', { database: redactUrl(url), reason }, { cause: error });
  }
};

const assertStrapi5 = async (database: ForeignDatabase): Promise<void> => {
  const { description } = database;
  if (!database.tables.has(SETTINGS))
    throw createError('transfer/foreign-database', {
      database: description,
      reason: `it has no table ${SETTINGS}`,
    });
  const names = database.tables.has(MIGRATIONS)
    ? (await database.rows(`select "name" from ${quoteName(MIGRATIONS)}`)).map(({ name }) => readText(name))
    : [];
  if (!names.includes(LAST_MIGRATION)) throw createError('transfer/old-database', { database: description });
};

const readVersion = async (project: string): Promise<string | null> => {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    const dependencies = isRecord(parsed) ? parsed['dependencies'] : undefined;
    const range = isRecord(dependencies) ? dependencies['@strapi/strapi'] : undefined;
    return typeof range === 'string' ? (/\d[\w.-]*/.exec(range)?.[0] ?? null) : null;
  } catch {
    return null;
  }
};

const fingerprintOf = async (
  database: ForeignDatabase,
  schemas: ReadonlyMap<string, SchemaRecord>,
): Promise<string> => {
  const hash = createHash('sha256').update(database.description);
  for (const schema of contentTypesOf(schemas)) {
    const columns = database.tables.get(tableOf(schema));
    if (columns === undefined) continue;
    const changed = columns.has('updated_at') ? 'max("updated_at")' : 'null';
    const [row] = await database.rows(
      `select count(*) as "count", max("id") as "last", ${changed} as "changed"
         from ${quoteName(tableOf(schema))}`,
    );
    hash.update([schema.uid, row?.['count'], row?.['last'], row?.['changed']].map(String).join(' '));
  }
  return hash.digest('hex');
};

/**
 * Opens the database of a Strapi 5 project. It is only read, in the state that it has now.
 *
 * @throws `transfer/unsupported-database`, `transfer/unreadable-database`, `transfer/foreign-database`,
 *   `transfer/old-database`, `transfer/components-unknown`
 */
export async function openLiveSource(location: LiveLocation): Promise<ContentSource> {
  const { project, uploads } = location;
  const database = await openDatabase(location);
  try {
    await assertStrapi5(database);
    const schemas = await readSchemas(database, project);
    return {
      description: database.description,
      product: 'Strapi',
      version: await readVersion(project),
      fingerprint: await fingerprintOf(database, schemas),
      schemas: async function* () {
        yield* schemas.values();
      },
      entities: () => readEntities(database, schemas),
      links: () => readLinks(database, schemas),
      editorial: async function* () {},
      configuration: () => readConfiguration(database),
      assets: () => readAssets(database, schemas.get('plugin::upload.file'), uploads),
      apiTokens: () => readApiTokens(database),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
