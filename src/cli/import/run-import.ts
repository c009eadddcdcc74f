/**
 * The folder import supports `cms import`: archives and Strapi databases here, CSV and JSON tables in
 * import-table.ts.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { PlannedImport } from '../../project/archives/import-content.js';
import { migrateProject, planProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { writeText } from '../../project/write-text.js';
import type { ImportPlan } from '../../transfer/import/plan-import.js';
import { sendArchive } from '../../transfer/remote/archives.js';
import type { ArchiveSending } from '../../transfer/remote/archives.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';
import { schemaFilesOf } from '../../transfer/schema-files.js';
import type { SchemaFile } from '../../transfer/schema-files.js';
import type { ContentSource } from '../../transfer/source.js';
import type { Progress } from '../terminal/progress.js';
import { stopOnSignal } from '../terminal/signals.js';

const LISTS = ['types', 'locales', 'differences', 'findings'] as const;

const isPlan = (value: unknown): value is ImportPlan =>
  isRecord(value) && isRecord(value['files']) && LISTS.every((name) => Array.isArray(value[name]));

/**
 * Sends an archive to a remote server, which imports it or only plans the import. Returns the plan.
 *
 * @throws the errors of `sendArchive`
 */
export async function importOnRemote(
  access: RemoteAccess,
  path: string,
  sending: ArchiveSending & { readonly onProgress: (detail: string) => void },
): Promise<ImportPlan> {
  const plan = await sendArchive(access, path, sending);
  if (isPlan(plan)) return plan;
  const { name, url } = access;
  throw createError('remote/unexpected-response', { name, url, reason: 'it contains no plan of the import' });
}

/**
 * Runs a planned import. A stop signal ends it after the current transaction.
 *
 * @throws `cli/stopped`, and the errors of the import
 */
export async function runPlanned(run: PlannedImport['run'], { update }: Progress): Promise<void> {
  let done = '';
  await stopOnSignal(async (signal) => {
    try {
      await run((detail) => {
        done = detail;
        update(detail);
      }, signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      const remedy = 'The written documents are kept. Run the same command again to continue.';
      throw createError('cli/stopped', { work: 'The import', done, remedy }, { cause: error });
    }
  });
}

interface SchemaFilesOptions {
  /** Returns the paths without writing. */
  readonly isDryRun: boolean;
}

/** Reads an export to its end, to find its errors before anything is written. */
const readToEnd = async (source: ContentSource): Promise<void> => {
  for (const records of [source.entities(), source.links(), source.configuration()]) {
    const iterator = records[Symbol.asyncIterator]();
    while (!(await iterator.next()).done);
  }
};

/** Opens the project with its new files. Removes the files if the model is invalid. */
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
 * database. Keeps existing files. Returns the paths of new ones.
 *
 * @throws the errors of reading the export, after which no file is left, and of migrating
 */
async function writeSchemaFiles(
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

interface SchemaMessages {
  readonly isDryRun: boolean;
  readonly confirm: (question: string) => Promise<void>;
  readonly info: (message: string) => void;
}

/** Asks for confirmation, and writes the schema files that a project lacks. Returns their paths. */
export async function writeMissingSchemas(
  root: string,
  source: ContentSource,
  { isDryRun, confirm, info }: SchemaMessages,
): Promise<readonly string[]> {
  if (!isDryRun) await confirm('Write the missing schema files, and migrate?');
  const paths = await writeSchemaFiles(root, source, { isDryRun });
  if (!isDryRun && paths.length > 0) info(`Wrote ${countNoun(paths.length, 'schema file')} and migrated.`);
  return paths;
}
