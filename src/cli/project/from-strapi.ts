import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeGenerated } from '../../project/generated-files.js';
import { importContent } from '../../project/archives/import-content.js';
import { labelMigration, migrateProject, planProject } from '../../project/migrate/migrate-project.js';
import { openUninstalledProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { missingPackageOf } from '../../lib/caught-errors.js';
import { createProject } from '../../project/scaffold/new-project.js';
import { composeStrapiProject } from '../../project/scaffold/compose-strapi-project.js';
import type { ComposedProject } from '../../project/scaffold/compose-strapi-project.js';
import { readStrapiProject } from '../../project/scaffold/strapi-project.js';
import type { StrapiProject } from '../../project/scaffold/strapi-project.js';
import { IMPORT_PARTS } from '../../transfer/source.js';
import type { ImportPlan } from '../../transfer/import/plan-import.js';
import type { ContentSource } from '../../transfer/source.js';
import { hasDatabase, openImportSource } from '../import/open-import-source.js';
import type { ImportSourceRequest } from '../import/open-import-source.js';
import { shellWord } from '../../lib/text.js';
import { programInProject } from '../terminal/text-layout.js';
import type { Terminal } from '../terminal/terminal.js';

/** A Strapi project, and the parts that a new project adopts. */
export interface StrapiMove extends ComposedProject {
  readonly source: StrapiProject;
}

/** @throws `scaffold/no-strapi-project`, `scaffold/old-strapi-project` */
export async function planStrapiMove(
  terminal: Terminal,
  folder: string,
  target: { readonly root: string; readonly databaseUrl: string; readonly closed: boolean },
): Promise<StrapiMove> {
  const source = await readStrapiProject(resolve(terminal.cwd, folder));
  return { source, ...(await composeStrapiProject(source, target)) };
}

/**
 * Writes the project, and opens it. If its content-types have errors, removes it. If its configuration
 * imports packages, opens it after they are installed.
 *
 * @param install installs the packages; undefined to skip this
 * @returns undefined if packages that the configuration imports are not installed
 */
export async function createFromStrapi(
  root: string,
  { files, folders }: StrapiMove,
  install: (() => Promise<void>) | undefined,
): Promise<Project | undefined> {
  await createProject(root, files, folders);
  const open = async (): Promise<Project> => {
    const project = await openUninstalledProject(root);
    await writeGenerated(project);
    return project;
  };
  try {
    return await open().catch(async (error: unknown) => {
      if (!isGalleyError(error) || error.code !== 'config/load-failed') throw error;
      if (missingPackageOf(error) === null) throw error;
      await install?.();
      return install === undefined ? undefined : open();
    });
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** Creates the tables. */
export async function migrateNewProject(project: Project): Promise<void> {
  const plan = await planProject(project);
  await migrateProject(project, plan, { label: labelMigration(plan.steps) });
}

/** True if there is content to import. */
export const hasStrapiContent = ({ source }: StrapiMove, flags: ImportSourceRequest['flags']): boolean =>
  typeof flags['content'] === 'string' || hasDatabase(flags) || source.sqliteFile !== null;

/** Returns the source of the new project's content. Undefined if the Strapi project has no database here. */
const findContent = async (
  { source }: StrapiMove,
  root: string,
  { flags, ...request }: ImportSourceRequest,
): Promise<ContentSource | undefined> => {
  const project = { ...flags, project: flags['project'] ?? source.folder };
  const open = (path: string | undefined, given: ImportSourceRequest['flags']): Promise<ContentSource> =>
    openImportSource(path, { ...request, flags: given }, root);
  const { content } = flags;
  if (typeof content === 'string') return open(content, flags);
  if (hasDatabase(flags)) return open(undefined, project);
  const { sqliteFile } = source;
  return sqliteFile === null ? undefined : open(undefined, { ...project, 'from-database': sqliteFile });
};

/**
 * Imports the content into a new project, without questions. The plan lists content that does not fit, which
 * stays in Strapi.
 *
 * @returns the plan, or undefined if there is no content to import
 */
export async function importStrapiContent(
  project: Project,
  move: StrapiMove,
  request: ImportSourceRequest,
  onError: (error: unknown) => void,
): Promise<ImportPlan | undefined> {
  const source = await findContent(move, project.root, request);
  if (source === undefined) return undefined;
  try {
    const options = { parts: new Set(IMPORT_PARTS), types: null, existing: 'refuse' } as const;
    return await importContent(project, { source, options, restarts: false, onError }, async (planned) => {
      await planned.run(() => undefined);
      return planned.plan;
    });
  } finally {
    await source.close();
  }
}

/** Describes the state after an interrupted move, and the next step. */
export function describeInterruptedMove({ root }: { readonly root: string }): string {
  return [
    '',
    `Interrupted. The files of the project are in ${root}; its content and packages may be incomplete.`,
    `Remove ${root} and run the command again. The Strapi project is unchanged.`,
  ].join('\n');
}

/** Lists the omitted parts and the commands to run next. */
export function describeStrapiMove(
  terminal: Terminal,
  dir: string,
  { source, added, leftOut }: StrapiMove,
  done: { readonly installed: boolean; readonly migrated: boolean; readonly imported: boolean },
): string {
  const program = programInProject(terminal);
  const { client, sqliteFile } = source;
  const address = client.startsWith('postgres') ? '<url>' : null;
  const database = sqliteFile === null ? address : shellWord(sqliteFile);
  const data =
    database === null
      ? `${program} import <archive>`
      : `${program} import --from-database ${database} --project ${shellWord(source.folder)}`;
  const steps = [
    `cd ${shellWord(dir)}`,
    ...(done.installed ? [] : ['npm install']),
    ...(done.migrated ? [] : [`${program} migrate`]),
    ...(done.imported ? [] : [data]),
    `${program} doctor`,
    `${program} dev`,
  ];
  return [
    ...(added.length === 0 ? [] : [`Added to package.json, since the code imports it: ${added.join(', ')}`]),
    'Omitted:',
    ...leftOut.map((line) => `  ${line}`),
    ...(done.imported || source.sqliteFile !== null
      ? []
      : ['  content: its database was not found; "npx strapi export" in that project writes an archive']),
    'Next:',
    ...steps.map((step) => `  ${step}`),
  ].join('\n');
}
