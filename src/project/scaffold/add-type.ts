import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { FILE_SCHEMAS } from '../../generate/typegen/print-file-schemas.js';
import { addAttributes } from './add-attributes.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import { schemaFileOf } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { printSchema, withJsonSchema } from './schema-text.js';
import type { SchemaJson } from './schema-text.js';
import { assertTypeNamesAvailable } from './type-names-available.js';
import { typeUid } from './type-names.js';
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
  uid: typeUid(names),
  origin: 'project',
  kind,
  description,
  draftAndPublish,
  localized,
  file: `src/api/${names.singularName}/content-types/${names.singularName}/schema.json`,
  options: {},
  pluginOptions: {},
  attributes: [],
  indexes: [],
  nameLines: { singularName: 1, pluralName: 1, displayName: 1, collectionName: 1 },
});

/**
 * Writes the files of new content-types and the inverses of their relations, which may lead from one to
 * another. Returns the project with the new types.
 *
 * @throws `scaffold/name-taken`
 */
export async function addTypes(project: SchemaProject, types: readonly NewType[]): Promise<SchemaProject> {
  const { definitions } = project;
  const extended = { ...project, definitions: { ...definitions, types: [...definitions.types] } };
  for (const type of types) {
    assertTypeNamesAvailable(extended, type.names);
    const definition = toDefinition(type);
    extended.definitions.types.push(definition);
    const file = schemaFileOf(definition);
    const schema = withJsonSchema(file, FILE_SCHEMAS.contentType, toSchemaJson(type));
    await project.workspace.write(file, printSchema(schema));
  }
  for (const type of types) await addAttributes(extended, toDefinition(type), type.attributes);
  return extended;
}

/**
 * Writes the file of a new content-type and the inverses of its relations, after the types that it needs.
 * Returns the uid.
 *
 * @throws `scaffold/name-taken`
 */
export async function addType(
  project: SchemaProject,
  type: NewType,
  newTypes: readonly NewType[] = [],
): Promise<string> {
  await addTypes(project, [...newTypes, type]);
  return typeUid(type.names);
}
