import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFilesOf } from '../transfer/strapi/schema-files.js';
import type { StrapiSource } from '../transfer/strapi/source.js';
import { migrateProject } from './migrate-project.js';
import { openProject } from './open-project.js';
import { writeText } from './write-text.js';

export interface SchemaFilesOptions {
  /** Returns the paths without writing. */
  readonly isDryRun: boolean;
}

/**
 * Writes the schema files of content-types and components that a project does not have, and migrates its
 * database. Files that are there stay as they are. Returns the paths of those that were not.
 *
 * @throws what migrating throws
 */
export async function writeSchemaFiles(
  root: string,
  source: StrapiSource,
  { isDryRun }: SchemaFilesOptions,
): Promise<readonly string[]> {
  const files = await schemaFilesOf(source);
  const missing = files.filter(({ path }) => !existsSync(join(root, path)));
  if (isDryRun || missing.length === 0) return missing.map(({ path }) => path);
  for (const { path, schema } of missing)
    await writeText(join(root, path), `${JSON.stringify(schema, null, 2)}\n`);
  await migrateProject(await openProject(root), { label: 'content-types of strapi' });
  return missing.map(({ path }) => path);
}
