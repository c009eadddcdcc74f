import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { builtinRoles } from '../../access/bootstrap.js';
import { printPermissionFile } from '../../access/permissions/permission-file.js';
import { UNLIMITED } from '../../access/permissions/rules.js';
import type { DialectName } from '../../database/dialect/dialect.js';
import { getDialect } from '../../database/get-dialect.js';
import { createError } from '../../errors/catalogue.js';
import { kebabCase } from '../../lib/names.js';
import { byCodePoint, relativePath } from '../../lib/text.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { PERMISSIONS_FILE } from '../access-files.js';
import { PACKAGE_ROOT, readPackageManifest } from '../package-manifest.js';

export const TEMPLATES = ['blank', 'blog'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** A file of a new project. */
export interface ProjectFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The permission bits. Undefined for the default. */
  readonly mode?: number;
}

const TEMPLATE_ROOT = join(PACKAGE_ROOT, 'templates');

/** Package managers omit these dot files from packages, so templates name them without the dot. */
const DOT_FILES: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  dockerignore: '.dockerignore',
  'env.example': '.env.example',
  'ci.yml': '.github/workflows/ci.yml',
};

/**
 * Replaces `{{name}}` by its value.
 *
 * @throws TypeError for a name without a value
 */
function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`The template uses {{${name}}}, which has no value`);
    return value;
  });
}

const readFolder = async (folder: string): Promise<readonly ProjectFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relativePath(folder, file);
      return { path: DOT_FILES[path] ?? path, text: await readFile(file, 'utf8') };
    }),
  );
};

/**
 * Loads the files of a template, including those shared by all templates and those for the kind of database,
 * with values filled in, sorted by path.
 */
async function loadTemplate(
  name: TemplateName,
  database: DialectName,
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const folders = await Promise.all(
    ['shared', database, name].map((folder) => readFolder(join(TEMPLATE_ROOT, folder))),
  );
  const byPath = new Map(folders.flat().map((file) => [file.path, file]));
  return [...byPath.values()]
    .map((file) => ({ ...file, text: renderTemplate(file.text, values) }))
    .toSorted((left, right) => byCodePoint(left.path, right.path));
}

export interface NewProject {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly template: TemplateName;
  readonly databaseUrl: string;
  /** True if sign-in and sign-up require a grant. */
  readonly closed: boolean;
}

/** A published package contains no sources. A checkout is referenced by its path. */
const isCheckout = (): boolean =>
  existsSync(join(PACKAGE_ROOT, 'src')) && existsSync(join(PACKAGE_ROOT, 'tsconfig.json'));

const packageSpecifier = (version: string, root: string): string =>
  isCheckout() ? `file:${relativePath(root, PACKAGE_ROOT)}` : `^${version}`;

const packageName = (root: string): string => kebabCase(basename(root)) || 'site';

/** The current LTS of Node.js, on which new projects are tested and served. */
const NODE_LTS = 24;

/** Returns the LTS, or the oldest supported version if this Node.js is older than the LTS. */
const nodeVersion = (): string =>
  Number.parseInt(process.versions.node, 10) < NODE_LTS ? '20.19' : String(NODE_LTS);

const packageJson = async (root: string, usesSqlite: boolean): Promise<ProjectFile> => {
  const galleyManifest = readPackageManifest();
  const { packages } = getDialect(usesSqlite ? 'sqlite' : 'postgresql').driver;
  const manifest = {
    name: packageName(root),
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      dev: 'cms dev',
      start: 'cms start',
      generate: 'cms generate',
      migrate: 'cms migrate',
      check: 'cms generate --check && tsc',
      deploy: 'cms deploy && cms start',
    },
    dependencies: {
      galley: packageSpecifier(galleyManifest.version, root),
      '@prisma/client': galleyManifest.dependencies['@prisma/client'],
    },
    // The Node.js of the server may be newer and not need them.
    optionalDependencies: packages,
    devDependencies: {
      '@types/node': `^${nodeVersion()}`,
      typescript: '^5.9.0',
    },
    engines: { node: `>=${nodeVersion()}` },
    // npm runs install scripts only of packages listed here.
    allowScripts: Object.fromEntries(Object.keys(packages).map((name) => [name, true])),
  };
  return { path: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` };
};

const createSecret = (): string => randomBytes(32).toString('base64');

/** Quotes the value, since a password may contain `#` or spaces. */
const quoteEnvValue = (value: string): string => (value.includes("'") ? `"${value}"` : `'${value}'`);

/** Returns the text of .env. Creates secrets that `given` lacks. */
export function envText(databaseUrl: string, given: Readonly<Record<string, string>> = {}): string {
  const { JWT_SECRET, API_TOKEN_SALT, ...others } = given;
  const variables = {
    DATABASE_URL: databaseUrl,
    JWT_SECRET: JWT_SECRET ?? createSecret(),
    API_TOKEN_SALT: API_TOKEN_SALT ?? createSecret(),
    ...others,
  };
  return [
    '# Secrets of this project. Do not commit this file. Keep a copy where the server runs.',
    ...Object.entries(variables).map(([name, value]) => `${name}=${quoteEnvValue(value)}`),
    '',
  ].join('\n');
}

const envFile = (databaseUrl: string): ProjectFile => ({
  path: '.env',
  mode: OWNER_ONLY,
  text: envText(databaseUrl),
});

const isSqlite = (databaseUrl: string): boolean => databaseUrl.startsWith('file:');

const exampleUrl = (databaseUrl: string): string =>
  isSqlite(databaseUrl) ? databaseUrl : 'postgresql://user:password@localhost:5432/database';

const CLOSED_ACCOUNTS =
  '  // Sign-in and sign-up require a grant.\n' +
  "  plugins: { 'users-permissions': { config: { advanced: { defaultGrants: false } } } },\n";

const TYPE_FILE = /^src\/api\/[^/]+\/content-types\/([^/]+)\/schema\.json$/;

/** Returns the actions that read a content-type of a template. */
const readActions = ({ path, text }: ProjectFile): readonly string[] => {
  const [, name] = TYPE_FILE.exec(path) ?? [];
  if (name === undefined) return [];
  const actions = text.includes('"singleType"') ? ['find'] : ['find', 'findOne'];
  return actions.map((action) => `api::${name}.${name}.${action}`);
};

/** Returns the permissions of a new database. The public role may also read the content of the template. */
const permissionsFile = (files: readonly ProjectFile[], { closed }: NewProject): ProjectFile => {
  const reads = files.flatMap(readActions).map((action) => [action, UNLIMITED] as const);
  const roles = builtinRoles({ grants: !closed }).map((role) =>
    role.type === 'public' ? { ...role, rules: new Map([...role.rules, ...reads]) } : role,
  );
  return { path: PERMISSIONS_FILE, text: printPermissionFile(roles) };
};

/** Returns the files of a new project, sorted by path. Every call creates new secrets. */
export async function composeProject(project: NewProject): Promise<readonly ProjectFile[]> {
  const { root, template, databaseUrl, closed } = project;
  const files = await loadTemplate(template, isSqlite(databaseUrl) ? 'sqlite' : 'postgresql', {
    name: packageName(root),
    databaseExample: exampleUrl(databaseUrl),
    accounts: closed ? CLOSED_ACCOUNTS : '',
    node: String(NODE_LTS),
  });
  const created = [
    envFile(databaseUrl),
    permissionsFile(files, project),
    await packageJson(root, isSqlite(databaseUrl)),
  ];
  return [...files, ...created].toSorted((left, right) => byCodePoint(left.path, right.path));
}

const entriesOf = async (folder: string): Promise<readonly string[]> =>
  existsSync(folder) ? readdir(folder) : [];

/** @throws `scaffold/folder-not-empty` */
export async function assertEmptyFolder(root: string): Promise<void> {
  if ((await entriesOf(root)).length > 0) throw createError('scaffold/folder-not-empty', { folder: root });
}

const writeFiles = async (folder: string, files: readonly ProjectFile[]): Promise<void> => {
  for (const file of files) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    await writeFile(join(folder, file.path), file.text, file.mode === undefined ? {} : { mode: file.mode });
  }
};

/**
 * Moves the finished project to its folder. Fills an existing empty folder (perhaps the current one) instead
 * of replacing it.
 */
const moveContents = async (stagingFolder: string, root: string): Promise<void> => {
  if (!existsSync(root)) {
    await rename(stagingFolder, root);
    return;
  }
  const names = await readdir(stagingFolder);
  try {
    for (const name of names) await rename(join(stagingFolder, name), join(root, name));
  } catch (error) {
    await Promise.all(names.map((name) => rm(join(root, name), { recursive: true, force: true })));
    throw error;
  }
  await rmdir(stagingFolder);
};

/** A folder to copy into a new project. */
export interface CopiedFolder {
  /** The source project. */
  readonly from: string;
  readonly name: string;
  /** True to omit a path, relative to the project and with forward slashes. */
  readonly leavesOut: (path: string) => boolean;
}

const copyFolders = async (folder: string, copied: readonly CopiedFolder[]): Promise<void> => {
  for (const { from, name, leavesOut } of copied)
    await cp(join(from, name), join(folder, name), {
      recursive: true,
      filter: (path) => !leavesOut(relativePath(from, path)),
    });
};

/**
 * Writes a new project to a temporary folder, then moves it to its folder, so that a failure leaves no
 * partial project.
 *
 * @throws `scaffold/folder-not-empty`
 */
export async function createProject(
  root: string,
  files: readonly ProjectFile[],
  folders: readonly CopiedFolder[] = [],
): Promise<void> {
  await assertEmptyFolder(root);
  await mkdir(dirname(root), { recursive: true });
  const stagingFolder = await mkdtemp(join(dirname(root), `.${basename(root)}-`));
  try {
    await copyFolders(join(stagingFolder, 'project'), folders);
    await writeFiles(join(stagingFolder, 'project'), files);
    await moveContents(join(stagingFolder, 'project'), root);
  } finally {
    await rm(stagingFolder, { recursive: true, force: true });
  }
}
