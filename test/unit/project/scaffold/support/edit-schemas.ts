import { onTestFinished } from 'vitest';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadDefinitions } from '../../../../../src/model/content-types/load-definitions.js';
import { buildModel } from '../../../../../src/model/build-model.js';
import { addAttributes } from '../../../../../src/project/scaffold/add-attributes.js';
import type { NewType } from '../../../../../src/project/scaffold/add-schema.js';
import { parseAttributeShorthand } from '../../../../../src/project/scaffold/attribute-shorthand.js';
import { resolveComponent, resolveType } from '../../../../../src/project/scaffold/resolve-name.js';
import {
  createSchemaProject,
  editedDefinitions,
} from '../../../../../src/project/scaffold/schema-project.js';
import type { SchemaDefinition, SchemaProject } from '../../../../../src/project/scaffold/schema-project.js';
import { deriveTypeNames } from '../../../../../src/project/scaffold/type-names.js';

export const MAGAZINE = join(import.meta.dirname, '../../../../fixtures/projects/magazine');

export const createProjectFolder = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'schema-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

export const openProject = async (root: string): Promise<SchemaProject> =>
  createSchemaProject(root, await loadDefinitions(root));
export const type = (project: SchemaProject, name: string) => resolveType(project.definitions.types, name);
export const component = (project: SchemaProject, name: string) =>
  resolveComponent(project.definitions.components, name);
export const add = (project: SchemaProject, schema: SchemaDefinition, ...shorthands: string[]) =>
  addAttributes(project, schema, shorthands.map(parseAttributeShorthand));
export const attributesOf = async (
  project: SchemaProject,
  path: string,
): Promise<Record<string, { [key: string]: unknown }>> =>
  (
    JSON.parse((await project.workspace.read(path)) ?? '{"attributes":{}}') as {
      attributes: Record<string, { [key: string]: unknown }>;
    }
  ).attributes;
export const schemaPath = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;
export const errorsOf = async (project: SchemaProject): Promise<readonly string[]> =>
  buildModel(await editedDefinitions(project))
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

export const newType = (name: string, rest: Partial<NewType> = {}): NewType => ({
  names: deriveTypeNames({ name }),
  kind: 'collectionType',
  description: '',
  draftAndPublish: false,
  localized: false,
  attributes: [],
  ...rest,
});
