/**
 * The folder scaffold creates projects (new-project.ts) and edits schema files. This file reads and writes
 * them.
 */
import { posix } from 'node:path';
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { FormattingOptions, Node } from 'jsonc-parser';
import { createError } from '../../errors/catalogue.js';
import type {
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
} from '../../model/content-types/definition.js';
import { parseDefinitions } from '../../model/content-types/parse-definitions.js';
import type { SourceFile } from '../../model/content-types/parse-definitions.js';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';
import { createWorkspace, createWorkspaceOver } from './workspace.js';
import type { Workspace } from './workspace.js';

/** The content of a schema file. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** Returns a new schema file with a `$schema` key for editors, with a relative path. */
export function withJsonSchema(file: string, target: string, schema: SchemaJson): SchemaJson {
  return { $schema: posix.relative(posix.dirname(file), target), ...schema };
}

/** Prints a new schema file with an indentation of two spaces and a final newline. */
export function printSchema(schema: SchemaJson): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Returns the file's indentation and line ends, so that an edit matches the rest. */
const detectFormatting = (text: string): FormattingOptions => {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
};

const editJson = (text: string, path: readonly string[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: detectFormatting(text) }));

const attributesNode = (text: string): Node | undefined => {
  const tree = parseTree(text);
  return tree && findNodeAtLocation(tree, ['attributes']);
};

/** Appends an attribute after the last one, without changing the layout of the others. */
const appendAttribute = (text: string, last: Node, { name, json }: NamedAttribute): string => {
  const { insertSpaces, tabSize = 2, eol = '\n' } = detectFormatting(text);
  const indentUnit = insertSpaces === true ? ' '.repeat(tabSize) : '\t';
  const line = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset);
  const indent = line.trim() === '' ? line : indentUnit.repeat(2);
  const value = JSON.stringify(json, null, indentUnit).replaceAll('\n', `${eol}${indent}`);
  const end = last.offset + last.length;
  return `${text.slice(0, end)},${eol}${indent}${JSON.stringify(name)}: ${value}${text.slice(end)}`;
};

/** Adds an attribute at the end, or replaces the one of that name. Leaves the rest of the file unchanged. */
export function setAttribute(text: string, attribute: NamedAttribute): string {
  const last = attributesNode(text)?.children?.at(-1);
  const isNew = !Object.hasOwn(attributesOf(text), attribute.name);
  return isNew && last !== undefined
    ? appendAttribute(text, last, attribute)
    : editJson(text, ['attributes', attribute.name], attribute.json);
}

export function removeAttribute(text: string, name: string): string {
  return editJson(text, ['attributes', name], undefined);
}

/** Sets an option of the schema itself; undefined removes it. */
export function setSchemaOption(text: string, path: readonly string[], value: unknown): string {
  return editJson(text, path, value);
}

/** Sets one option of an attribute; undefined removes it. */
export function setAttributeOption(text: string, attribute: string, option: string, value: unknown): string {
  return editJson(text, ['attributes', attribute, option], value);
}

/** Renames an attribute and keeps its position. */
export function renameAttribute(text: string, name: string, newName: string): string {
  const tree = parseTree(text);
  const key = tree && findNodeAtLocation(tree, ['attributes', name])?.parent?.children?.[0];
  if (key === undefined) throw new TypeError(`The file has no attribute ${name}`);
  return text.slice(0, key.offset) + JSON.stringify(newName) + text.slice(key.offset + key.length);
}

/** Returns the attributes of a schema file by name. Empty if the text is not a schema. */
export function attributesOf(text: string): Readonly<Record<string, AttributeJson>> {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'object' || schema === null || !('attributes' in schema)) return {};
  return schema.attributes as Readonly<Record<string, AttributeJson>>;
}

/** A project's schema files with the edits so far. */
export interface SchemaProject {
  readonly definitions: Definitions;
  readonly workspace: Workspace;
}

export type SchemaDefinition = ContentTypeDefinition | ComponentDefinition;

export function createSchemaProject(root: string, definitions: Definitions): SchemaProject {
  return { definitions, workspace: createWorkspace(root) };
}

/** Returns a copy with the present state. Edits of the copy do not affect the project. */
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

/** @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` for a schema defined by code */
export function assertNotOfCode(schema: SchemaDefinition): void {
  if (!isDefinedByCode(schema)) return;
  const code = isOfPlugin(schema) ? 'scaffold/plugin-not-editable' : 'scaffold/code-not-editable';
  throw createError(code, { name: schema.uid, file: schema.file ?? '' });
}

/**
 * Returns the schema's file after the edits so far. A built-in type's extension starts empty.
 *
 * @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` for a schema defined by code
 */
export async function readSchema(project: SchemaProject, schema: SchemaDefinition): Promise<string> {
  assertNotOfCode(schema);
  return (await project.workspace.read(schemaFileOf(schema))) ?? printSchema({ attributes: {} });
}

/**
 * Returns the file of a schema whose attributes may refer to a changed schema. Null if it has no file.
 *
 * @throws `scaffold/plugin-not-editable`, `scaffold/code-not-editable` if code defines a schema with such a
 *   reference
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

/** @throws `scaffold/builtin-not-editable`, and the errors of {@link assertNotOfCode} */
export function assertNotBuiltin(schema: SchemaDefinition): void {
  assertNotOfCode(schema);
  if ('origin' in schema && schema.origin === 'builtin')
    throw createError('scaffold/builtin-not-editable', { name: schema.uid });
}
