import { SYSTEM_FIELDS } from '../model/content-types/attribute-names.js';
import { lastSegment } from '../lib/uid.js';
import type { SchemaRecord, ContentSource } from './source.js';

/** A schema file that an export describes. */
export interface SchemaFile {
  /** From the project's folder. */
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Names lead to no other folder. */
const API_UID = /^api::([\w-]+)\.([\w-]+)$/;
const PLUGIN_UID = /^plugin::([\w-]+)\.([\w-]+)$/;
const COMPONENT_UID = /^([\w-]+)\.([\w-]+)$/;

/** The file in which a project extends the type of a plugin. */
const extensionPathOf = ({ uid }: SchemaRecord): string | null => {
  const [, plugin, name] = PLUGIN_UID.exec(uid) ?? [];
  return plugin === undefined || name === undefined
    ? null
    : `src/extensions/${plugin}/content-types/${name}/schema.json`;
};

const pathOf = (record: SchemaRecord): string | null => {
  const { uid, modelType, source } = record;
  if (source !== undefined && uid.startsWith('plugin::')) return extensionPathOf(record);
  const pattern = modelType === 'component' ? COMPONENT_UID : API_UID;
  const [, folder, name] = pattern.exec(uid) ?? [];
  if (folder === undefined || name === undefined) return null;
  return modelType === 'component'
    ? `src/components/${folder}/${name}.json`
    : `src/api/${folder}/content-types/${name}/schema.json`;
};

const toSchema = (record: SchemaRecord): SchemaFile['schema'] => {
  const { kind, collectionName, info, options, pluginOptions, attributes, modelType } = record;
  const own = Object.entries(attributes).filter(
    ([name]) => modelType === 'component' || !SYSTEM_FIELDS.has(name),
  );
  return {
    ...(kind === undefined ? {} : { kind }),
    collectionName: collectionName ?? lastSegment(record.uid),
    info: info ?? { displayName: lastSegment(record.uid) },
    options: options ?? {},
    ...(pluginOptions === undefined ? {} : { pluginOptions }),
    attributes: Object.fromEntries(own),
  };
};

/** Returns the schema files of the content-types and components that were a project's own. */
export async function schemaFilesOf(source: ContentSource): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = [];
  for await (const record of source.schemas()) {
    const path = pathOf(record);
    if (path !== null) files.push({ path, schema: record.source ?? toSchema(record) });
  }
  return files;
}
