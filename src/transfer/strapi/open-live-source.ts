/** The folder strapi reads the database of a Strapi project as a content source, beginning in this file. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ExternalDatabase } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import { openExternalDatabase } from '../../database/get-dialect.js';
import { createError } from '../../errors/catalogue.js';
import { errorCode } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import { redactUrl } from '../../lib/text.js';
import type { ContentSource, SchemaRecord } from '../source.js';
import { createWorkFolder } from '../work-folder.js';
import { contentTypesOf, readEntities, readAssets } from './entities.js';
import { tableOf } from './layout.js';
import { readText } from './rows.js';
import { readLinks } from './links.js';
import { readApiTokens, readConfiguration } from './settings.js';

const STORED_SCHEMAS = `select "value" from "strapi_core_store_settings"
  where "key" = 'strapi_content_types_schema'`;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const attributesOf = (schema: Readonly<Record<string, unknown>>): SchemaRecord['attributes'] =>
  Object.fromEntries(
    Object.entries(objectOf(schema['attributes'])).map(([name, type]) => [name, objectOf(type)]),
  );

const toSchema = (
  uid: string,
  modelType: SchemaRecord['modelType'],
  schema: Readonly<Record<string, unknown>>,
): SchemaRecord => {
  const info = objectOf(schema['info']);
  const { collectionName, kind } = schema;
  const singular = info['singularName'];
  return {
    ...(typeof collectionName === 'string' ? { collectionName } : {}),
    info,
    options: objectOf(schema['options']),
    pluginOptions: objectOf(schema['pluginOptions']),
    attributes: attributesOf(schema),
    ...(modelType === 'component' ? {} : { kind: kind === 'singleType' ? kind : 'collectionType' }),
    modelType,
    modelName:
      modelType === 'contentType' && typeof singular === 'string' ? singular : uid.replace(/^.*\./, ''),
    uid,
    ...(typeof schema['plugin'] === 'string' ? { plugin: schema['plugin'] } : {}),
    ...(typeof schema['globalId'] === 'string' ? { globalId: schema['globalId'] } : {}),
  };
};

/** Reads the content-types that Strapi stores in its database. It does not store components. */
const readContentTypes = async (database: ExternalDatabase): Promise<readonly SchemaRecord[]> => {
  const [row] = await database.rows(STORED_SCHEMAS);
  const text = readText(row?.['value']);
  if (text === null)
    throw createError('transfer/unknown-database', {
      database: database.description,
      reason: 'it does not list its content-types',
    });
  return Object.entries(objectOf(JSON.parse(text))).map(([uid, schema]) =>
    toSchema(uid, 'contentType', objectOf(schema)),
  );
};

const listFolder = async (path: string): Promise<readonly string[]> => {
  try {
    return await readdir(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
};

/** Reads the components of a project: `src/components/<category>/<name>.json`. */
const readComponents = async (project: string): Promise<readonly SchemaRecord[]> => {
  const folder = join(project, 'src', 'components');
  const found: SchemaRecord[] = [];
  for (const category of await listFolder(folder)) {
    const files = await listFolder(join(folder, category));
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const parsed: unknown = JSON.parse(await readFile(join(folder, category, file), 'utf8'));
      const uid = `${category}.${basename(file, '.json')}`;
      found.push(toSchema(uid, 'component', objectOf(parsed)));
    }
  }
  return found;
};

const componentsUsedBy = (schema: SchemaRecord): readonly string[] =>
  Object.values(schema.attributes).flatMap(({ type, component, components }) => {
    if (type === 'component') return [String(component)];
    return type === 'dynamiczone' && Array.isArray(components) ? components.map(String) : [];
  });

/**
 * Reads content-types from the database, and components from the files of the project.
 *
 * @throws `transfer/components-unknown` if the project lacks a component of a content-type
 */
async function readSchemas(
  database: ExternalDatabase,
  project: string,
): Promise<ReadonlyMap<string, SchemaRecord>> {
  const all = [...(await readContentTypes(database)), ...(await readComponents(project))];
  const schemas = new Map(all.map((schema) => [schema.uid, schema]));
  const missing = new Set(all.flatMap(componentsUsedBy).filter((uid) => !schemas.has(uid)));
  if (missing.size > 0)
    throw createError('transfer/components-unknown', {
      database: database.description,
      components: [...missing].toSorted().join(', '),
      project,
    });
  return schemas;
}

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
/** The last migration of an upgrade to Strapi 5. */
const LAST_MIGRATION = 'core::5.0.0-discard-drafts';

const openDatabase = async ({ url, root }: LiveLocation): Promise<ExternalDatabase> => {
  if (/^(?:mysql|mariadb)2?:/i.test(url))
    throw createError('transfer/unsupported-database', { database: redactUrl(url) });
  const folder = await createWorkFolder(root);
  try {
    const database = await openExternalDatabase(url, folder.path);
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

const assertStrapi5 = async (database: ExternalDatabase): Promise<void> => {
  const { description } = database;
  if (!database.tables.has(SETTINGS))
    throw createError('transfer/unknown-database', {
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
  database: ExternalDatabase,
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
 * Opens a read-only snapshot of the database of a Strapi 5 project.
 *
 * @throws `transfer/unsupported-database`, `transfer/unreadable-database`, `transfer/unknown-database`,
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
