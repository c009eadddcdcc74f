import { fail } from '../errors/catalogue.js';
import { parseDefinitions } from '../content-types/parse.js';
import type { SourceFile } from '../content-types/parse.js';
import type { ComponentDefinition, ContentTypeDefinition, Definitions } from '../content-types/definition.js';
import { attributesOf, printSchema } from './schema-text.js';
import type { AttributeJson } from './attribute-shorthand.js';
import { createWorkspace } from './workspace.js';
import type { Workspace } from './workspace.js';

/** A project's schema files being edited: what they say now, and the edits so far. */
export interface SchemaProject {
  readonly definitions: Definitions;
  readonly workspace: Workspace;
}

export type Holder = ContentTypeDefinition | ComponentDefinition;

export function createSchemaProject(root: string, definitions: Definitions): SchemaProject {
  return { definitions, workspace: createWorkspace(root) };
}

/** Where a holder's own attributes are written; for a built-in type, the file that extends it. */
export function fileOf(holder: Holder): string {
  if (holder.file !== null) return holder.file;
  const [plugin = '', name = ''] = holder.uid.replace('plugin::', '').split('.');
  return `src/extensions/${plugin}/content-types/${name}/schema.json`;
}

/** The holder's file after the edits so far. A built-in type's extension starts empty. */
export async function readSchema(project: SchemaProject, holder: Holder): Promise<string> {
  return (await project.workspace.read(fileOf(holder))) ?? printSchema({ attributes: {} });
}

/** The attribute as the file has it now, or null. */
export async function attributeNow(project: SchemaProject, holder: Holder, name: string): Promise<AttributeJson | null> {
  const attributes = attributesOf(await readSchema(project, holder));
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null;
}

/** Every schema file as it would be after the edits. */
export async function editedSources({ definitions, workspace }: SchemaProject): Promise<readonly SourceFile[]> {
  const known = [...definitions.types, ...definitions.components].flatMap(({ file }) => file ?? []);
  const edited = workspace.changes().map(({ path }) => path).filter((path) => path.startsWith('src/') && path.endsWith('.json'));
  const texts = await Promise.all([...new Set([...known, ...edited])].toSorted().map(async (path) => ({ path, text: await workspace.read(path) })));
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/** The definitions as they would be after the edits, with whatever is wrong in them. */
export async function editedDefinitions(project: SchemaProject): Promise<Definitions> {
  return parseDefinitions(await editedSources(project));
}

/** Stops an edit of something that came with the toolkit. */
export function assertOwn(holder: Holder): void {
  if ('origin' in holder && holder.origin === 'builtin') throw fail('scaffold/builtin', { name: holder.uid });
}
