import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeGenerated } from '../../app/generated-files.js';
import { labelMigration } from '../../app/label-migration.js';
import { migrateProject, previewProjectMigration } from '../../app/migrate-project.js';
import { openProject } from '../../app/open-project.js';
import type { Project } from '../../app/open-project.js';
import { createProject } from '../../scaffold/new-project.js';
import { composeStrapiProject } from '../../scaffold/strapi-project/compose-strapi-project.js';
import type { ComposedProject } from '../../scaffold/strapi-project/compose-strapi-project.js';
import { readStrapiProject } from '../../scaffold/strapi-project/read-strapi-project.js';
import type { StrapiProject } from '../../scaffold/strapi-project/read-strapi-project.js';
import { programInProject } from '../terminal/spell-commands.js';
import type { Terminal } from '../terminal/terminal.js';

/** A Strapi project, and what a new project takes over from it. */
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

/** Writes the project. Where its content-types have errors, nothing of it stays. */
export async function createFromStrapi(root: string, { files, folders }: StrapiMove): Promise<Project> {
  await createProject(root, files, folders);
  try {
    const project = await openProject(root);
    await writeGenerated(project);
    return project;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** Creates the tables. */
export async function migrateNewProject(project: Project): Promise<void> {
  const { steps } = await previewProjectMigration(project);
  await migrateProject(project, { label: labelMigration(steps) });
}

/** Says what was left out, and lists the commands to run next. */
export function describeStrapiMove(
  terminal: Terminal,
  dir: string,
  { source, leftOut }: StrapiMove,
  { installed, imported }: { readonly installed: boolean; readonly imported: boolean },
): string {
  const program = programInProject(terminal);
  const data = source.client.startsWith('postgres')
    ? `${program} import --from-database <url> --project ${source.folder}`
    : `${program} import <archive>`;
  const steps = [
    `cd ${dir}`,
    ...(installed ? [] : ['npm install']),
    ...(imported ? [] : [data]),
    `${program} doctor`,
    `${program} dev`,
  ];
  return [
    'Left out:',
    ...leftOut.map((line) => `  ${line}`),
    'Next:',
    ...steps.map((step) => `  ${step}`),
  ].join('\n');
}
