import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../lib/records.js';
import { lastSegment } from '../lib/ids.js';
import { SYSTEM_FIELDS } from '../model/content-types/attribute-names.js';
import type { Attribute, Component, ContentModel, ContentType } from '../model/model.js';
import type { ContentSource, SchemaRecord } from './source.js';

type JsonObject = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});

const SYSTEM_ATTRIBUTES = {
  createdAt: { type: 'datetime' },
  updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime', configurable: false, writable: true, visible: true },
  locale: { type: 'string', configurable: false, writable: true, visible: false },
};

const describeRelation = (attribute: Attribute): JsonObject => {
  if (attribute.family !== 'relation') return { type: attribute.type };
  const { relation, target, side, counterpart } = attribute;
  const inverse = counterpart === null ? {} : { [side === 'owner' ? 'inversedBy' : 'mappedBy']: counterpart };
  return { type: 'relation', relation, ...(target === null ? {} : { target }), ...inverse };
};

/** Describes attributes by the schema file, or those of built-in types by the model. */
const describeAttributes = (
  schema: ContentType | Component,
  file: JsonObject,
): SchemaRecord['attributes'] => {
  const declared = objectOf(file['attributes']);
  return Object.fromEntries(
    Object.values(schema.attributes).map((attribute) => {
      const { name } = attribute;
      return [name, { ...objectOf(declared[name]), ...describeRelation(attribute) }];
    }),
  );
};

const readSchemaFile = async (root: string, file: string | null): Promise<JsonObject> =>
  file === null ? {} : objectOf(JSON.parse(await readFile(join(root, file), 'utf8')));

const describeType = (type: ContentType, file: JsonObject): SchemaRecord => ({
  collectionName: type.collectionName,
  info: {
    ...objectOf(file['info']),
    singularName: type.singularName,
    pluralName: type.pluralName,
    displayName: type.displayName,
  },
  options: { ...type.options, draftAndPublish: type.draftAndPublish },
  pluginOptions: type.pluginOptions,
  attributes: { ...describeAttributes(type, file), ...SYSTEM_ATTRIBUTES },
  kind: type.kind,
  modelType: 'contentType',
  modelName: type.singularName,
  uid: type.uid,
  globalId: type.typeName,
});

const describeComponent = (component: Component, file: JsonObject): SchemaRecord => ({
  ...(typeof file['collectionName'] === 'string' ? { collectionName: file['collectionName'] } : {}),
  info: { displayName: component.displayName },
  options: {},
  attributes: describeAttributes(component, file),
  modelType: 'component',
  modelName: component.name,
  uid: component.uid,
  globalId: component.typeName,
});

/** Describes the schemas of a project in Strapi's resolved form, each with its file. */
async function* describeAll(
  { types, components }: ContentModel,
  root: string,
): AsyncGenerator<readonly [SchemaRecord, JsonObject]> {
  for (const type of types) {
    const file = await readSchemaFile(root, type.file);
    yield [describeType(type, file), file];
  }
  for (const component of components) {
    const file = await readSchemaFile(root, component.file);
    yield [describeComponent(component, file), file];
  }
}

/** Describes the schemas of a project in Strapi's resolved form. */
export async function* describeSchemas(model: ContentModel, root: string): AsyncGenerator<SchemaRecord> {
  for await (const [record] of describeAll(model, root)) yield record;
}

/** Describes the schemas as {@link describeSchemas} does, with the schema files in `source`. */
export async function* describeSchemaFiles(model: ContentModel, root: string): AsyncGenerator<SchemaRecord> {
  for await (const [record, source] of describeAll(model, root))
    yield Object.keys(source).length === 0 ? record : { ...record, source };
}

/** A schema file that an export describes. */
export interface SchemaFile {
  /** From the project's folder. */
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Matches uids whose names lead to no other folder. */
const API_UID = /^api::([\w-]+)\.([\w-]+)$/;
const PLUGIN_UID = /^plugin::([\w-]+)\.([\w-]+)$/;
const COMPONENT_UID = /^([\w-]+)\.([\w-]+)$/;

/** Returns the path of the file in which a project extends the type of a plugin. */
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
  const declared = Object.entries(attributes).filter(
    ([name]) => modelType === 'component' || !SYSTEM_FIELDS.has(name),
  );
  return {
    ...(kind === undefined ? {} : { kind }),
    collectionName: collectionName ?? lastSegment(record.uid),
    info: info ?? { displayName: lastSegment(record.uid) },
    options: options ?? {},
    ...(pluginOptions === undefined ? {} : { pluginOptions }),
    attributes: Object.fromEntries(declared),
  };
};

/** Returns the schema files of a project's content-types and components. */
export async function schemaFilesOf(source: ContentSource): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = [];
  for await (const record of source.schemas()) {
    const path = pathOf(record);
    if (path !== null) files.push({ path, schema: record.source ?? toSchema(record) });
  }
  return files;
}
