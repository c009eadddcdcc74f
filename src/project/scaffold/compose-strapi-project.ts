import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../lib/records.js';
import { entriesImportedFrom, planPackages, serverFiles } from '../../strapi/report/plan-packages.js';
import type { PackagePlan } from '../../strapi/report/plan-packages.js';
import { readWithoutComments } from '../../strapi/code/source-files.js';
import { composeProject, envText } from './new-project.js';
import type { CopiedFolder, NewProject, ProjectFile } from './new-project.js';
import type { StrapiProject } from './strapi-project.js';

export interface ComposedProject {
  readonly files: readonly ProjectFile[];
  readonly folders: readonly CopiedFolder[];
  /** Packages that the code imports and that package.json of the Strapi project does not list. */
  readonly added: readonly string[];
  /** The parts of the Strapi project that are omitted, with the reasons. */
  readonly leftOut: readonly string[];
}

const FOLDERS = ['src', 'config', 'public'];

/** Parts of the admin panel, or made anew by each build. */
const GENERATED = new Set(['node_modules', 'dist', 'build', '.cache', '.tmp', '.strapi', '.git', 'types']);

/** Files that the new project has its own of. */
const REPLACED = new Set([
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'tsconfig.json',
  'jsconfig.json',
  'README.md',
  'LICENSE',
  '.env',
  '.env.example',
  '.gitignore',
  '.strapi-updater.json',
]);

/** The folders of code, and what code imports from beside them. */
const copiedEntries = ({ folder }: StrapiProject): readonly string[] => [
  ...FOLDERS,
  ...entriesImportedFrom(folder).filter((name) => !GENERATED.has(name) && !REPLACED.has(name)),
];

/** Variables that Strapi's own configuration reads. */
const isStrapiVariable = (name: string): boolean =>
  name.startsWith('DATABASE_') ||
  ['ADMIN_JWT_SECRET', 'TRANSFER_TOKEN_SALT', 'ENCRYPTION_KEY'].includes(name);

/**
 * Returns the variables that only Strapi itself reads: no code names them, and none puts their names together
 * from a part such as `DATABASE_`. DATABASE_URL is the address of the new database.
 */
const idleVariables = ({ folder, manifest, variables }: StrapiProject): readonly string[] => {
  const texts = [...serverFiles(folder).map(readWithoutComments), JSON.stringify(manifest['scripts'] ?? {})];
  const isRead = (name: string): boolean =>
    texts.some(
      (text) =>
        new RegExp(`\\b${name}\\b`).test(text) ||
        (name.startsWith('DATABASE_') && /\bDATABASE_(?!\w)/.test(text)),
    );
  return Object.keys(variables).filter(
    (name) => name === 'DATABASE_URL' || (isStrapiVariable(name) && !isRead(name)),
  );
};

const CONFIG_FILE: ProjectFile = {
  path: 'cms.config.ts',
  text: [
    "import { defineConfig } from 'galley';",
    '',
    '// The files in config/ are read as Strapi reads them. What this file says comes before them, and the',
    '// environment (.env) before both.',
    'export default defineConfig({',
    '  api: {',
    '    // As in Strapi, whoever may find documents reads their drafts with ?status=draft. Without this',
    '    // line that takes a permission of its own:',
    '    // cms permissions set <role> <type> find findOne findDrafts.',
    '    findIncludesDrafts: true,',
    '    // As in Strapi, relations and files may be missing although they are required (unless config/api',
    '    // has documents.strictRelations), and enumerations and booleans are not unique. Without this line',
    '    // they are checked.',
    "    validation: 'strapi',",
    '  },',
    '});',
    '',
  ].join('\n'),
};

/** Adds the project's own packages and scripts to the package.json of a new project. */
const mergeManifest = (text: string, { manifest }: StrapiProject, packages: PackagePlan): string => {
  const created = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { type: _, ...withoutType } = created;
  const scripts = isRecord(manifest['scripts'])
    ? Object.entries(manifest['scripts']).filter(([, script]) => !/\bstrapi\b/.test(String(script)))
    : [];
  const merged = {
    ...withoutType,
    // What .js files are written in depends on it.
    ...(manifest['type'] === 'module' ? { type: 'module' } : {}),
    scripts: { ...Object.fromEntries(scripts), ...(isRecord(created['scripts']) ? created['scripts'] : {}) },
    dependencies: {
      ...packages.dependencies,
      ...(isRecord(created['dependencies']) ? created['dependencies'] : {}),
    },
    devDependencies: {
      ...packages.devDependencies,
      ...(isRecord(created['devDependencies']) ? created['devDependencies'] : {}),
    },
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
};

/** Keeps the secrets, so that tokens and sessions stay valid, and the variables of the project's own code. */
const envFile = (source: StrapiProject, databaseUrl: string): string => {
  const idle = idleVariables(source);
  const own = Object.entries(source.variables).filter(([name]) => !idle.includes(name));
  return envText(databaseUrl, Object.fromEntries(own));
};

const leftOutOf = (source: StrapiProject, packages: PackagePlan): readonly string[] => {
  const { dropped: ofStrapi, ofWorkspace } = packages;
  const { folder, entries } = source;
  const copied = copiedEntries(source);
  const unknown = entries.filter(
    (name) => !copied.includes(name) && !GENERATED.has(name) && !REPLACED.has(name) && name !== 'database',
  );
  const dropped = idleVariables(source);
  return [
    ...(entries.includes('database') ? ['database/: its migrations are for the tables of Strapi'] : []),
    ...(existsSync(join(folder, 'src/admin')) ? ['src/admin: there is no admin panel'] : []),
    ...(ofStrapi.length > 0 ? [`packages of Strapi: ${ofStrapi.join(', ')}`] : []),
    ...(ofWorkspace.length > 0
      ? [`packages of the workspace, list what your code needs by its folder: ${ofWorkspace.join(', ')}`]
      : []),
    ...(dropped.length > 0 ? [`variables of Strapi in .env: ${dropped.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`not known, copy what your code needs: ${unknown.join(', ')}`] : []),
  ];
};

const ADMIN = /^src\/(?:admin|plugins\/[^/]+\/(?:admin|node_modules|dist))(?:\/|$)/;

/** Returns what a new project takes over from a Strapi project, and what it does not. */
export async function composeStrapiProject(
  source: StrapiProject,
  target: Omit<NewProject, 'template'>,
): Promise<ComposedProject> {
  const template = await composeProject({ ...target, template: 'blank' });
  const packages = planPackages(source.folder);
  const files = template
    .filter(({ path }) => !path.startsWith('src/') && path !== CONFIG_FILE.path)
    .map((file) => {
      if (file.path === 'package.json') return { ...file, text: mergeManifest(file.text, source, packages) };
      return file.path === '.env' ? { ...file, text: envFile(source, target.databaseUrl) } : file;
    });
  const folders = copiedEntries(source)
    .filter((name) => source.entries.includes(name))
    .map((name) => ({
      from: source.folder,
      name,
      // Files of the media library come with the content.
      leavesOut: (path: string) => ADMIN.test(path) || /^public\/uploads\/./.test(path),
    }));
  return {
    files: [...files, CONFIG_FILE],
    folders,
    added: packages.added,
    leftOut: leftOutOf(source, packages),
  };
}
