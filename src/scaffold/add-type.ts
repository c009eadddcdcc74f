import { fail } from '../errors/catalogue.js';
import type { ContentTypeDefinition } from '../content-types/definition.js';
import { addAttributes } from './add-attributes.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import type { SchemaProject } from './schema-project.js';
import { printSchema } from './schema-text.js';
import type { SchemaJson } from './schema-text.js';
import type { TypeNames } from './type-names.js';

export interface NewType {
  readonly names: TypeNames;
  readonly kind: 'collectionType' | 'singleType';
  readonly description: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: readonly NamedAttribute[];
  /** Keys of a given schema file beyond those above, kept as they are. */
  readonly options?: SchemaJson;
  readonly pluginOptions?: SchemaJson;
}

const schemaOf = ({ names, kind, description, draftAndPublish, localized, options, pluginOptions }: NewType): SchemaJson => ({
  kind,
  collectionName: names.collectionName,
  info: { singularName: names.singularName, pluralName: names.pluralName, displayName: names.displayName, description },
  options: { ...options, draftAndPublish },
  pluginOptions: { ...pluginOptions, ...(localized ? { i18n: { localized: true } } : {}) },
  attributes: {},
});

const assertFreeNames = ({ definitions }: SchemaProject, names: TypeNames): void => {
  for (const type of definitions.types) {
    const theirs = [type.singularName, type.pluralName];
    const taken = [names.singularName, names.pluralName].find((name) => theirs.includes(name) && type.uid.startsWith('api::'));
    if (taken !== undefined) throw fail('scaffold/name-taken', { what: 'content-type', name: taken, file: type.file ?? type.uid, remedy: `Choose another name, or change it: cms field add ${type.singularName} …` });
  }
};

const definitionOf = ({ names, kind, description, draftAndPublish, localized }: NewType): ContentTypeDefinition => ({
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

/** Writes the file of a new content-type, with its attributes and their other sides; answers its uid. @throws `scaffold/name-taken` */
export async function addType(project: SchemaProject, type: NewType): Promise<string> {
  assertFreeNames(project, type.names);
  const definition = definitionOf(type);
  await project.workspace.write(definition.file ?? '', printSchema(schemaOf(type)));
  await addAttributes(project, definition, type.attributes);
  return definition.uid;
}
