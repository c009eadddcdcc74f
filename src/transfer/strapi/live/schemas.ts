import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ForeignDatabase } from '../../../database/dialect/foreign-database.js';
import { errorCode } from '../../../lib/error-code.js';
import { isRecord } from '../../../lib/is-record.js';
import { createError } from '../../../errors/catalogue.js';
import type { SchemaRecord } from '../../source.js';
import { readText } from './values.js';

const STORED_SCHEMAS = `select "value" from "strapi_core_store_settings"
  where "key" = 'strapi_content_types_schema'`;

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const attributesOf = (schema: Readonly<Record<string, unknown>>): SchemaRecord['attributes'] =>
  Object.fromEntries(
    Object.entries(recordOf(schema['attributes'])).map(([name, type]) => [name, recordOf(type)]),
  );

const toSchema = (
  uid: string,
  modelType: SchemaRecord['modelType'],
  schema: Readonly<Record<string, unknown>>,
): SchemaRecord => {
  const info = recordOf(schema['info']);
  const { collectionName, kind } = schema;
  const singular = info['singularName'];
  return {
    ...(typeof collectionName === 'string' ? { collectionName } : {}),
    info,
    options: recordOf(schema['options']),
    pluginOptions: recordOf(schema['pluginOptions']),
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

/** The content-types as Strapi keeps them in its database. It keeps no components. */
const readContentTypes = async (database: ForeignDatabase): Promise<readonly SchemaRecord[]> => {
  const [row] = await database.rows(STORED_SCHEMAS);
  const text = readText(row?.['value']);
  if (text === null)
    throw createError('transfer/foreign-database', {
      database: database.description,
      reason: 'it does not say which content-types it has',
    });
  return Object.entries(recordOf(JSON.parse(text))).map(([uid, schema]) =>
    toSchema(uid, 'contentType', recordOf(schema)),
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

/** The components of a project: `src/components/<category>/<name>.json`. */
const readComponents = async (project: string): Promise<readonly SchemaRecord[]> => {
  const folder = join(project, 'src', 'components');
  const found: SchemaRecord[] = [];
  for (const category of await listFolder(folder)) {
    const files = await listFolder(join(folder, category));
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const parsed: unknown = JSON.parse(await readFile(join(folder, category, file), 'utf8'));
      const uid = `${category}.${basename(file, '.json')}`;
      found.push(toSchema(uid, 'component', recordOf(parsed)));
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
 * The schemas of a database: content-types from itself, components from the files of the project.
 *
 * @throws `transfer/components-unknown` where a content-type has components that the project lacks
 */
export async function readSchemas(
  database: ForeignDatabase,
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
