import type { ContentTypeDefinition } from '../content-types/definition.js';
import { addAttributes } from './add-attributes.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import { schemaFileOf } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { printSchema } from './schema-text.js';
import type { SchemaJson } from './schema-text.js';
import { assertTypeNamesAvailable } from './type-names-available.js';
import type { TypeNames } from './type-names.js';

export interface NewType {
  readonly names: TypeNames;
  readonly kind: 'collectionType' | 'singleType';
  readonly description: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: readonly NamedAttribute[];
  /** Other options of a given schema file, kept unchanged. */
  readonly options?: SchemaJson;
  readonly pluginOptions?: SchemaJson;
}

const toSchemaJson = ({
  names,
  kind,
  description,
  draftAndPublish,
  localized,
  options,
  pluginOptions,
}: NewType): SchemaJson => ({
  kind,
  collectionName: names.collectionName,
  info: {
    singularName: names.singularName,
    pluralName: names.pluralName,
    displayName: names.displayName,
    description,
  },
  options: { ...options, draftAndPublish },
  pluginOptions: { ...pluginOptions, ...(localized ? { i18n: { localized: true } } : {}) },
  attributes: {},
});

const toDefinition = ({
  names,
  kind,
  description,
  draftAndPublish,
  localized,
}: NewType): ContentTypeDefinition => ({
  ...names,
  uid: `api::${names.singularName}.${names.singularName}`,
  origin: 'project',
  kind,
  description,
  draftAndPublish,
  localized,
  file: `src/api/${names.singularName}/content-types/${names.singularName}/schema.json`,
  options: {},
  pluginOptions: {},
  attributes: [],
  nameLines: { singularName: 1, pluralName: 1, displayName: 1, collectionName: 1 },
});

/**
 * Writes the file of a new content-type and the inverses of its relations. Returns the uid.
 *
 * @throws `scaffold/name-taken`
 */
export async function addType(project: SchemaProject, type: NewType): Promise<string> {
  assertTypeNamesAvailable(project, type.names);
  const definition = toDefinition(type);
  await project.workspace.write(schemaFileOf(definition), printSchema(toSchemaJson(type)));
  await addAttributes(project, definition, type.attributes);
  return definition.uid;
}
