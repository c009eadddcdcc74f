import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaFilesOf } from '../transfer/schema-files.js';
import type { SchemaFile } from '../transfer/schema-files.js';
import type { ContentSource } from '../transfer/source.js';
import { migrateProject, planProject } from './migrate-project.js';
import { openProject } from './open-project.js';
import type { Project } from './open-project.js';
import { writeText } from './write-text.js';

export interface SchemaFilesOptions {
  /** Returns the paths without writing. */
  readonly isDryRun: boolean;
}

/** Meets what is wrong with an export before anything is written. */
const readToEnd = async (source: ContentSource): Promise<void> => {
  for (const records of [source.entities(), source.links(), source.configuration()]) {
    const iterator = records[Symbol.asyncIterator]();
    while (!(await iterator.next()).done);
  }
};

/** Opens the project with its new files, and takes them away again where they make no model. */
const openWith = async (root: string, files: readonly SchemaFile[]): Promise<Project> => {
  try {
    for (const { path, schema } of files)
      await writeText(join(root, path), `${JSON.stringify(schema, null, 2)}\n`);
    return await openProject(root);
  } catch (error) {
    for (const { path } of files) await rm(join(root, path), { force: true });
    throw error;
  }
};

/**
 * Writes the schema files of content-types and components that a project does not have, and migrates its
 * database. Files that are there stay as they are. Returns the paths of those that were not.
 *
 * @throws what reading the export and migrating throw; of the former, nothing is left behind
 */
export async function writeSchemaFiles(
  root: string,
  source: ContentSource,
  { isDryRun }: SchemaFilesOptions,
): Promise<readonly string[]> {
  const files = await schemaFilesOf(source);
  const missing = files.filter(({ path }) => !existsSync(join(root, path)));
  if (isDryRun || missing.length === 0) return missing.map(({ path }) => path);
  await readToEnd(source);
  const project = await openWith(root, missing);
  await migrateProject(project, await planProject(project), { label: 'content-types of strapi' });
  return missing.map(({ path }) => path);
}
