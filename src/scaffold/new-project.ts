import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors/catalogue.js';
import { byCodePoint } from '../lib/compare.js';
import { kebabCase } from '../lib/casing.js';
import { loadTemplate } from './template.js';
import type { ProjectFile, TemplateName } from './template.js';

export interface NewProject {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly template: TemplateName;
  readonly databaseUrl: string;
}

interface OwnPackage {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OWNER_ONLY = 0o600;

const loadOwnPackage = async (): Promise<OwnPackage> => JSON.parse(await readFile(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as OwnPackage;

/** Packages as published hold no sources; a checkout is depended on where it lies. */
const isCheckout = (): boolean => existsSync(join(PACKAGE_ROOT, 'src')) && existsSync(join(PACKAGE_ROOT, 'tsconfig.json'));

const dependencyOn = (version: string, root: string): string =>
  isCheckout() ? `file:${relative(root, PACKAGE_ROOT).split(sep).join('/')}` : `^${version}`;

const packageName = (root: string): string => kebabCase(basename(root)) || 'site';

const packageJson = async (root: string): Promise<ProjectFile> => {
  const own = await loadOwnPackage();
  const manifest = {
    name: packageName(root),
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: { dev: 'cms dev', start: 'cms start', generate: 'cms generate', migrate: 'cms migrate' },
    dependencies: { galley: dependencyOn(own.version, root), '@prisma/client': own.dependencies['@prisma/client'] },
    devDependencies: { '@types/node': '^20.19.0', prisma: own.dependencies['@prisma/client'], typescript: '^5.9.0' },
    engines: { node: '>=20.19' },
    // npm asks whose install scripts may run. Prisma's would fetch an engine that the cms command does without.
    allowScripts: { 'better-sqlite3': true, '@prisma/engines': false, prisma: false },
  };
  return { path: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` };
};

const secret = (): string => randomBytes(32).toString('base64');

/** Quoted, so that `#` and spaces in a password are part of it. */
const quoted = (value: string): string => (value.includes("'") ? `"${value}"` : `'${value}'`);

const envFile = (databaseUrl: string): ProjectFile => ({
  path: '.env',
  mode: OWNER_ONLY,
  text: [
    '# Secrets of this project. Not committed; keep a copy where the server runs.',
    `DATABASE_URL=${quoted(databaseUrl)}`,
    `JWT_SECRET=${quoted(secret())}`,
    `API_TOKEN_SALT=${quoted(secret())}`,
    '',
  ].join('\n'),
});

const exampleUrl = (databaseUrl: string): string =>
  databaseUrl.startsWith('file:') ? databaseUrl : 'postgresql://user:password@localhost:5432/database';

/** Every file of a new project, sorted by path. Its secrets are new with every call. */
export async function composeProject({ root, template, databaseUrl }: NewProject): Promise<readonly ProjectFile[]> {
  const files = await loadTemplate(template, { name: packageName(root), databaseExample: exampleUrl(databaseUrl) });
  return [...files, envFile(databaseUrl), await packageJson(root)].toSorted((left, right) => byCodePoint(left.path, right.path));
}

const entriesOf = async (folder: string): Promise<readonly string[]> => (existsSync(folder) ? readdir(folder) : []);

/** @throws `scaffold/folder-not-empty`: a new project never mixes with what is there. */
export async function assertEmptyFolder(root: string): Promise<void> {
  if ((await entriesOf(root)).length > 0) throw fail('scaffold/folder-not-empty', { folder: root });
}

const writeFiles = async (folder: string, files: readonly ProjectFile[]): Promise<void> => {
  for (const file of files) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    await writeFile(join(folder, file.path), file.text, file.mode === undefined ? {} : { mode: file.mode });
  }
};

/** Moves a finished folder to its place. An empty folder that is there already (the current one, say) is filled, not replaced. */
const moveInto = async (finished: string, root: string): Promise<void> => {
  if (!existsSync(root)) {
    await rename(finished, root);
    return;
  }
  const names = await readdir(finished);
  try {
    for (const name of names) await rename(join(finished, name), join(root, name));
  } catch (error) {
    await Promise.all(names.map((name) => rm(join(root, name), { recursive: true, force: true })));
    throw error;
  }
  await rmdir(finished);
};

/**
 * Writes a new project, whole: it is made beside its place and moved there when it is finished, so that no half-written folder remains.
 *
 * @throws `scaffold/folder-not-empty`
 */
export async function createProject(root: string, files: readonly ProjectFile[]): Promise<void> {
  await assertEmptyFolder(root);
  await mkdir(dirname(root), { recursive: true });
  const beside = await mkdtemp(join(dirname(root), `.${basename(root)}-`));
  try {
    await writeFiles(join(beside, 'project'), files);
    await moveInto(join(beside, 'project'), root);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}
