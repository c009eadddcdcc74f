import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { createError } from '../../errors/catalogue.js';
import type { Uid } from '../../lib/uid.js';
import { replaceReferences } from './references.js';
import { assertNotBuiltin, readSchema, schemaFileOf } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { setSchemaOption } from './schema-text.js';
import { assertTypeNamesAvailable } from './type-names-available.js';
import { deriveTypeNames } from './type-names.js';
import type { TypeNames } from './type-names.js';

export interface TypeRename {
  readonly name: string;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}

/** The names after the rename. A table name or display name that was chosen by hand stays. */
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

/** The type's file under its new name. The API's folder keeps its name where it has one of its own. */
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
 * Renames a content-type: its names, its file, and what refers to it. The data is moved by the migration.
 * Returns the new uid.
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
      reason: `The content-type is called ${names.singularName} already.`,
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
