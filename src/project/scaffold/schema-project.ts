import { createError } from '../../errors/catalogue.js';
import { parseDefinitions } from '../../model/content-types/parse-definitions.js';
import type { SourceFile } from '../../model/content-types/parse-definitions.js';
import type {
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
} from '../../model/content-types/definition.js';
import { attributesOf, printSchema } from './schema-text.js';
import type { AttributeJson } from './attribute-shorthand.js';
import { createWorkspace, createWorkspaceOver } from './workspace.js';
import type { Workspace } from './workspace.js';

/** A project's schema files with the edits so far. */
export interface SchemaProject {
  readonly definitions: Definitions;
  readonly workspace: Workspace;
}

export type SchemaDefinition = ContentTypeDefinition | ComponentDefinition;

export function createSchemaProject(root: string, definitions: Definitions): SchemaProject {
  return { definitions, workspace: createWorkspace(root) };
}

/** Returns a copy without edits so far, whose own edits do not reach the project. */
export function forkSchemaProject({ definitions, workspace }: SchemaProject): SchemaProject {
  return { definitions, workspace: createWorkspaceOver(workspace.read) };
}

/** Returns the file that holds a schema's attributes: for a built-in type, the file that extends it. */
export function schemaFileOf(schema: SchemaDefinition): string {
  if (schema.file !== null) return schema.file;
  const [plugin = '', name = ''] = schema.uid.replace('plugin::', '').split('.');
  return `src/extensions/${plugin}/content-types/${name}/schema.json`;
}

const isOfPlugin = (schema: SchemaDefinition): boolean => 'origin' in schema && schema.origin === 'plugin';

const isDefinedByCode = (schema: SchemaDefinition): boolean =>
  isOfPlugin(schema) || (schema.file !== null && !schema.file.endsWith('.json'));

/** @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` for what code defines */
export function assertNotOfCode(schema: SchemaDefinition): void {
  if (!isDefinedByCode(schema)) return;
  const code = isOfPlugin(schema) ? 'scaffold/plugin-not-editable' : 'scaffold/code-not-editable';
  throw createError(code, { name: schema.uid, file: schema.file ?? '' });
}

/**
 * Returns the schema's file after the edits so far. A built-in type's extension starts empty.
 *
 * @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` for what code defines
 */
export async function readSchema(project: SchemaProject, schema: SchemaDefinition): Promise<string> {
  assertNotOfCode(schema);
  return (await project.workspace.read(schemaFileOf(schema))) ?? printSchema({ attributes: {} });
}

/**
 * Returns the file of a schema whose attributes may refer to something that changes. Null where it has none.
 *
 * @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` where code defines it and it refers
 */
export async function readReferrer(
  { workspace }: SchemaProject,
  schema: SchemaDefinition,
  refers: (attribute: AttributeJson) => boolean,
): Promise<string | null> {
  if (!isDefinedByCode(schema)) return workspace.read(schemaFileOf(schema));
  if (schema.attributes.some(({ options }) => refers(options))) assertNotOfCode(schema);
  return null;
}

/** Returns the attribute after the edits so far, or null. */
export async function readAttribute(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
): Promise<AttributeJson | null> {
  const attributes = attributesOf(await readSchema(project, schema));
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null;
}

/** Returns every schema file after the edits. */
async function editedSources({ definitions, workspace }: SchemaProject): Promise<readonly SourceFile[]> {
  const definedPaths = [...definitions.types, ...definitions.components]
    .filter((schema) => !isDefinedByCode(schema))
    .flatMap(({ file }) => file ?? []);
  const editedPaths = workspace
    .changes()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('src/') && path.endsWith('.json'));
  const texts = await Promise.all(
    [...new Set([...definedPaths, ...editedPaths])]
      .toSorted()
      .map(async (path) => ({ path, text: await workspace.read(path) })),
  );
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/** Returns the definitions after the edits, with their problems. */
export async function editedDefinitions(project: SchemaProject): Promise<Definitions> {
  return parseDefinitions(await editedSources(project), project.definitions.plugins);
}

/** @throws `scaffold/builtin-not-editable`, and what {@link assertNotOfCode} throws */
export function assertNotBuiltin(schema: SchemaDefinition): void {
  assertNotOfCode(schema);
  if ('origin' in schema && schema.origin === 'builtin')
    throw createError('scaffold/builtin-not-editable', { name: schema.uid });
}
