import { createError } from '../../errors/catalogue.js';
import { FILE_SCHEMAS } from '../../generate/typegen/print-file-schemas.js';
import { snakeCase, upperFirst, words } from '../../lib/names.js';
import { isRecord, recordAt } from '../../lib/records.js';
import type { ComponentDefinition, ContentTypeDefinition } from '../../model/content-types/definition.js';
import { addAttributes } from './add-attributes.js';
import { orderAttribute, parseAttributeShorthand } from './attribute-shorthand.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import { printSchema, schemaFileOf, withJsonSchema } from './schema-project.js';
import type { SchemaJson, SchemaProject } from './schema-project.js';
import {
  assertTypeNamesAvailable,
  deriveTypeNames,
  parseComponentName,
  pluralOf,
  typeUid,
} from './type-names.js';
import type { TypeNames } from './type-names.js';

interface NewComponent {
  /** `shared.seo` */
  readonly uid: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly attributes: readonly NamedAttribute[];
}

/** Returns the collection name of a component, as Strapi generates it. */
export function componentCollectionName({
  category,
  name,
}: Pick<ComponentDefinition, 'category' | 'name'>): string {
  return `components_${snakeCase(category)}_${snakeCase(pluralOf(name))}`;
}

/**
 * Asserts that a component name is valid and available.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export function assertComponentNameAvailable({ definitions }: SchemaProject, uid: string): void {
  parseComponentName(uid);
  const existing = definitions.components.find((component) => component.uid === uid);
  if (existing !== undefined)
    throw createError('scaffold/name-taken', {
      kind: 'component',
      name: uid,
      file: existing.file,
      remedy: `Choose another name, or add attributes with: cms field add ${uid} NAME:TYPE`,
    });
}

/**
 * Writes the file of a new component and returns its path.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export async function addComponent(
  project: SchemaProject,
  { uid, displayName, description = '', attributes }: NewComponent,
): Promise<string> {
  assertComponentNameAvailable(project, uid);
  const { category, name } = parseComponentName(uid);
  const file = `src/components/${category}/${name}.json`;
  const definition: ComponentDefinition = {
    uid,
    category,
    name,
    file,
    displayName: displayName ?? words(name).map(upperFirst).join(' '),
    description,
    options: {},
    attributes: [],
  };
  await project.workspace.write(
    file,
    printSchema(
      withJsonSchema(file, FILE_SCHEMAS.component, {
        collectionName: componentCollectionName({ category, name }),
        info: { displayName: definition.displayName, description },
        options: {},
        attributes: {},
      }),
    ),
  );
  await addAttributes(project, definition, attributes);
  return file;
}

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
 * Writes the files of new content-types and the inverses of their relations. The new types may refer to each
 * other. Returns the project with the new types.
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
 * Writes the file of a new content-type and the inverses of its relations, after the new types that it
 * targets. Returns the uid.
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

type JsonObject = Readonly<Record<string, unknown>>;

const stringAt = (json: JsonObject, key: string): string | undefined => {
  const value = json[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const parseObject = (text: string, source: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    throw new TypeError('it is not an object');
  } catch (error) {
    throw createError('scaffold/invalid-source', {
      source,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
};

/**
 * Parses an attribute that is an object of a schema file, or a shorthand without its name:
 * `"string:required"`.
 */
const parseAttribute = (name: string, value: unknown, source: string): NamedAttribute => {
  if (typeof value === 'string') return parseAttributeShorthand(`${name}:${value}`);
  if (isRecord(value) && typeof value['type'] === 'string') return { name, json: orderAttribute(value) };
  throw createError('scaffold/invalid-source', { source, reason: `the attribute ${name} has no type` });
};

/**
 * Parses the `attributes` of a schema file.
 *
 * @throws `scaffold/invalid-source`
 */
export function parseAttributeMap(attributes: JsonObject, source: string): readonly NamedAttribute[] {
  return Object.entries(attributes).map(([name, value]) => parseAttribute(name, value, source));
}

/** Values of flags, which take precedence over those of the file. */
export interface TypeOverrides {
  readonly name?: string | undefined;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}

/**
 * Parses a new content-type from the text of a schema.json, which may be incomplete: missing names are
 * derived, and attributes may be shorthands.
 *
 * @param source the source of the text for messages: a path or `Standard input`
 * @throws `scaffold/invalid-source`, `scaffold/invalid-name`, `scaffold/invalid-attribute`
 */
export function parseTypeSource(text: string, source: string, overrides: TypeOverrides = {}): NewType {
  const json = parseObject(text, source);
  const info = recordAt(json, 'info');
  const name = overrides.name ?? stringAt(info, 'singularName') ?? stringAt(info, 'displayName');
  if (name === undefined)
    throw createError('scaffold/invalid-source', { source, reason: 'info.singularName is missing' });
  const kind = json['kind'] ?? 'collectionType';
  if (kind !== 'collectionType' && kind !== 'singleType')
    throw createError('scaffold/invalid-source', { source, reason: `kind is ${JSON.stringify(kind)}` });
  const names = deriveTypeNames({
    name,
    plural: overrides.plural ?? stringAt(info, 'pluralName'),
    displayName: overrides.displayName ?? stringAt(info, 'displayName'),
  });
  const { draftAndPublish, ...options } = recordAt(json, 'options');
  const { i18n, ...pluginOptions } = recordAt(json, 'pluginOptions');
  return {
    names: { ...names, collectionName: stringAt(json, 'collectionName') ?? names.collectionName },
    kind,
    description: stringAt(info, 'description') ?? '',
    draftAndPublish: draftAndPublish === true,
    localized: isRecord(i18n) && i18n['localized'] === true,
    attributes: parseAttributeMap(recordAt(json, 'attributes'), source),
    options,
    pluginOptions,
  };
}
