import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { openSqlite } from '../../support/sqlite.js';
import { writeGenerated } from '../../../src/project/generated-files.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { ensureClient } from '../../../src/project/generate.js';
import { createSharedProject, createTempProject } from './temp-project.js';
import type { ProjectFiles, TempProject } from './temp-project.js';

interface TypeOptions {
  readonly kind?: 'collectionType' | 'singleType';
  readonly localized?: boolean;
  readonly draftAndPublish?: boolean;
}

/** The schema file of a type with a title, at its place. */
export function typeFile(
  name: string,
  { kind = 'collectionType', localized = false, draftAndPublish = false }: TypeOptions = {},
): ProjectFiles {
  const i18n = localized ? { i18n: { localized: true } } : {};
  return {
    [`src/api/${name}/content-types/${name}/schema.json`]: {
      kind,
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      options: { draftAndPublish },
      pluginOptions: i18n,
      attributes: { title: { type: 'string', pluginOptions: i18n } },
    },
  };
}

export const SECRETS =
  'JWT_SECRET=vGh2sQ8fLw0pXz4nTb6yRk1mJc9dEa7u\nAPI_TOKEN_SALT=qW5eRt7yUi9oPa1sDf3gHj5kLz7xCv9b\n';

/** A configuration whose new databases grant nothing, as that of `cms new --closed`. */
const CLOSED_CONFIG =
  'const config = { advanced: { defaultGrants: false } };\n' +
  "export default { plugins: { 'users-permissions': { config } } };\n";

/** Articles in several languages, tags, and a home page. Nothing is granted. */
export const SITE: ProjectFiles = {
  'cms.config.js': CLOSED_CONFIG,
  '.env': SECRETS,
  'public/uploads/.gitkeep': '',
  ...typeFile('article', { localized: true, draftAndPublish: true }),
  ...typeFile('tag'),
  ...typeFile('home-page', { kind: 'singleType' }),
};

/** A project whose database is not there yet. */
export function createSite(files: ProjectFiles = {}): TempProject {
  return createTempProject({ ...SITE, ...files });
}

/** Like {@link createSite}, for all tests of a file, with its database up to date. */
export async function createSharedSite(files: ProjectFiles = {}): Promise<TempProject> {
  const site = createSharedProject({ ...SITE, ...files });
  const project = await openProject(site.root);
  await migrateProjectDatabase(project, { label: 'start' });
  await writeGenerated(project);
  return site;
}

const GENERATED = ['prisma', 'types', 'data.db'] as const;

/** What migrating leaves behind, made once per process. */
let template: string | null = null;

const copyGenerated = (from: string, to: string): void => {
  for (const path of GENERATED) cpSync(join(from, path), join(to, path), { recursive: true });
};

/** A project whose SQLite database is up to date and empty. */
export async function createMigratedSite(): Promise<TempProject> {
  const site = createSite();
  if (template !== null) {
    copyGenerated(template, site.root);
    return site;
  }
  const project = await openProject(site.root);
  await migrateProjectDatabase(project, { label: 'start' });
  await writeGenerated(project);
  template = mkdtempSync(join(inject('runFolder'), 'migrated-'));
  copyGenerated(site.root, template);
  return site;
}

/** The generated client of those sites, made once per process. */
let client: Promise<string> | null = null;

const generateClient = async (): Promise<string> => {
  const project = await openProject((await createMigratedSite()).root);
  const shared = join(mkdtempSync(join(inject('runFolder'), 'client-')), 'client');
  await ensureClient({ ...project, paths: { ...project.paths, client: shared } });
  return shared;
};

/**
 * Like {@link createMigratedSite}, with the client that production starts with. A process without it takes a
 * second of CPU more to start. Commands replace its folder and never write into it.
 */
export async function createServableSite(): Promise<TempProject> {
  client ??= generateClient();
  const [site, shared] = await Promise.all([createMigratedSite(), client]);
  mkdirSync(join(site.root, '.galley'), { recursive: true });
  symlinkSync(shared, join(site.root, '.galley', 'client'), 'dir');
  return site;
}

/** The rows of a table of a project's SQLite database, read on a connection of its own. */
export function rowsOf({ root }: TempProject, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = openSqlite(join(root, 'data.db'), { mode: 'read' });
  try {
    return database.prepare(sql).records();
  } finally {
    database.close();
  }
}
