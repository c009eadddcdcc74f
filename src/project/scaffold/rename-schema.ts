import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../errors/catalogue.js';
import { upperFirst, words } from '../../lib/names.js';
import { renameLogicPath } from '../../lib/json-logic.js';
import type { Uid } from '../../lib/ids.js';
import type { ComponentDefinition, ContentTypeDefinition } from '../../model/content-types/definition.js';
import { componentCollectionName } from './add-schema.js';
import type { AttributeJson } from './attribute-shorthand.js';
import {
  assertNotBuiltin,
  attributesOf,
  readAttribute,
  readReferrer,
  readSchema,
  renameAttribute,
  schemaFileOf,
  setAttributeOption,
  setSchemaOption,
} from './schema-project.js';
import type { SchemaDefinition, SchemaProject } from './schema-project.js';
import { assertTypeNamesAvailable, deriveTypeNames, parseComponentName } from './type-names.js';
import type { TypeNames } from './type-names.js';

const renamedValue = (value: unknown, from: Uid, to: Uid): unknown => {
  if (value === from) return to;
  return Array.isArray(value) && value.includes(from)
    ? value.map((item: unknown) => (item === from ? to : item))
    : undefined;
};

/** Replaces all references to a type or component by references to another one. */
async function replaceReferences(
  project: SchemaProject,
  options: readonly ('target' | 'component' | 'components')[],
  from: Uid,
  to: Uid,
): Promise<void> {
  for (const schema of [...project.definitions.types, ...project.definitions.components]) {
    let text = await readReferrer(project, schema, (json) =>
      options.some((option) => renamedValue(json[option], from, to) !== undefined),
    );
    if (text === null) continue;
    for (const [name, json] of Object.entries(attributesOf(text)))
      for (const option of options) {
        const value = renamedValue(json[option], from, to);
        if (value !== undefined) text = setAttributeOption(text, name, option, value);
      }
    await project.workspace.write(schemaFileOf(schema), text);
  }
}

interface TypeRename {
  readonly name: string;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}

/** The names after the rename. Custom table names and display names are kept. */
const namesAfter = (type: ContentTypeDefinition, rename: TypeRename): TypeNames => {
  const names = deriveTypeNames(rename);
  const derived = deriveTypeNames({ name: type.singularName, plural: type.pluralName });
  return {
    ...names,
    collectionName:
      type.collectionName === derived.collectionName ? names.collectionName : type.collectionName,
    displayName:
      rename.displayName ??
      (type.displayName.toLowerCase() === derived.displayName.toLowerCase()
        ? names.displayName
        : type.displayName),
  };
};

const FILE_PATTERN = /^src\/api\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/;

/** Returns the path and uid of the type's renamed file. A custom name of the API's folder is kept. */
const renamedFile = (
  { definitions }: SchemaProject,
  type: ContentTypeDefinition,
  name: string,
): { readonly file: string; readonly uid: Uid } => {
  const [, folder = type.singularName] = FILE_PATTERN.exec(schemaFileOf(type)) ?? [];
  const isShared = definitions.types.some(
    (other) => other !== type && other.uid.startsWith(`api::${folder}.`),
  );
  const api = folder === type.singularName && !isShared ? name : folder;
  return { file: `src/api/${api}/content-types/${name}/schema.json`, uid: `api::${api}.${name}` };
};

/**
 * Renames a content-type: its names, its file, and references to it. The migration moves the data. Returns
 * the new uid.
 *
 * @throws `scaffold/builtin-not-editable`, `scaffold/name-taken`, `scaffold/invalid-name`
 */
export async function renameType(
  project: SchemaProject,
  type: ContentTypeDefinition,
  rename: TypeRename,
): Promise<Uid> {
  assertNotBuiltin(type);
  const names = namesAfter(type, rename);
  if (names.singularName === type.singularName)
    throw createError('cli/invalid-usage', {
      reason: `The content-type has the name ${names.singularName} already.`,
      remedy: `Change the plural with: cms type edit ${type.singularName} --plural NAME`,
    });
  assertTypeNamesAvailable(project, names, type);
  const { file, uid } = renamedFile(project, type, names.singularName);
  let text = await readSchema(project, type);
  text = setSchemaOption(text, ['collectionName'], names.collectionName);
  for (const key of ['singularName', 'pluralName', 'displayName'] as const)
    text = setSchemaOption(text, ['info', key], names[key]);
  await project.workspace.write(schemaFileOf(type), text);
  await replaceReferences(project, ['target'], type.uid, uid);
  const moved = await project.workspace.read(schemaFileOf(type));
  await project.workspace.write(schemaFileOf(type), null);
  await project.workspace.write(file, moved);
  return uid;
}

const displayNameOf = (name: string): string => words(name).map(upperFirst).join(' ');

/**
 * Renames a component or moves it to another category: its file, and references to it. The migration moves
 * the values.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export async function renameComponent(
  project: SchemaProject,
  component: ComponentDefinition,
  uid: string,
): Promise<void> {
  const { category, name } = parseComponentName(uid);
  const existing = project.definitions.components.find((other) => other.uid === uid);
  if (existing !== undefined)
    throw createError('scaffold/name-taken', {
      kind: 'component',
      name: uid,
      file: existing.file,
      remedy: 'Choose another name.',
    });
  const { collectionName } = JSON.parse(await readSchema(project, component)) as {
    readonly collectionName?: unknown;
  };
  let text = await readSchema(project, component);
  if (collectionName === componentCollectionName(component))
    text = setSchemaOption(text, ['collectionName'], componentCollectionName({ category, name }));
  if (component.displayName === displayNameOf(component.name))
    text = setSchemaOption(text, ['info', 'displayName'], displayNameOf(name));
  await project.workspace.write(component.file, text);
  await replaceReferences(project, ['component', 'components'], component.uid, uid);
  const moved = await project.workspace.read(component.file);
  await project.workspace.write(component.file, null);
  await project.workspace.write(`src/components/${category}/${name}.json`, moved);
}

const INVERSE_KEYS = ['inversedBy', 'mappedBy', 'morphBy'] as const;

/** Updates references in other attributes of the same schema: `targetField` and `conditions`. */
const updateSiblings = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> => {
  let text = await readSchema(project, schema);
  for (const [other, json] of Object.entries(attributesOf(text))) {
    if (json['targetField'] === name) text = setAttributeOption(text, other, 'targetField', newName);
    const conditions = renameLogicPath(json['conditions'], name, newName);
    if (!isDeepStrictEqual(conditions, json['conditions']))
      text = setAttributeOption(text, other, 'conditions', conditions);
  }
  await project.workspace.write(schemaFileOf(schema), text);
};

const updateInverseKeys = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> => {
  const inverseKeyOf = (json: AttributeJson): string | undefined =>
    json['target'] === schema.uid ? INVERSE_KEYS.find((key) => json[key] === name) : undefined;
  for (const type of project.definitions.types) {
    let text = await readReferrer(project, type, (json) => inverseKeyOf(json) !== undefined);
    if (text === null) continue;
    for (const [other, json] of Object.entries(attributesOf(text))) {
      const inverseKey = inverseKeyOf(json);
      if (inverseKey !== undefined) text = setAttributeOption(text, other, inverseKey, newName);
    }
    await project.workspace.write(schemaFileOf(type), text);
  }
};

/**
 * Renames an attribute and keeps its position in the file. Updates references to it: `targetField` of uids,
 * conditions, and the inverse sides of relations. The migration moves the data.
 *
 * @throws `scaffold/builtin-not-editable` for an attribute that is not in the project's files,
 *   `scaffold/attribute-taken`
 */
export async function renameAttributeIn(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> {
  if ((await readAttribute(project, schema, name)) === null)
    throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
  const existing = schema.attributes.find((attribute) => attribute.name === newName);
  if (existing !== undefined) {
    throw createError('scaffold/attribute-taken', {
      schema: schema.uid,
      attribute: newName,
      file: schemaFileOf(schema),
      line: existing.line,
      remedy: 'Choose another name.',
    });
  }
  await project.workspace.write(
    schemaFileOf(schema),
    renameAttribute(await readSchema(project, schema), name, newName),
  );
  await updateSiblings(project, schema, name, newName);
  await updateInverseKeys(project, schema, name, newName);
}
