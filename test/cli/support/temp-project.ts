import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { packageRoot } from './package-root.js';

/** Files by path; objects are written as JSON. */
export type ProjectFiles = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

export interface TempProject {
  readonly root: string;
  readonly write: (files: ProjectFiles) => void;
  readonly read: (path: string) => string;
}

const writeFiles = (root: string, files: ProjectFiles): void => {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
};

/** An empty folder that goes when the test is over. Its path is the real one, links resolved. */
export function createTempFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

const projectAt = (root: string): TempProject => ({
  root,
  write: (more) => writeFiles(root, more),
  read: (path) => readFileSync(join(root, path), 'utf8'),
});

/**
 * Copies a project, its database included. The generated client is linked: commands replace its folder and
 * never write into it.
 */
export function copyProject(from: string, to: string): TempProject {
  const client = join('.galley', 'client');
  const source = join(from, client);
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== source });
  symlinkSync(realpathSync(source), join(to, client), 'dir');
  return projectAt(to);
}

/** Makes `galley` and Prisma's packages resolve in a folder as if they were installed. */
export function linkPackages(root: string): void {
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(packageRoot, join(root, 'node_modules', 'galley'), 'dir');
  symlinkSync(join(packageRoot, 'node_modules', '@prisma'), join(root, 'node_modules', '@prisma'), 'dir');
}

/**
 * A project made from a literal, gone when the test is over. `galley` and Prisma's packages resolve in it as
 * if they were installed.
 *
 * @example
 *   createTempProject({ 'src/api/tag/content-types/tag/schema.json': { … } })
 */
export function createTempProject(files: ProjectFiles = {}): TempProject {
  return createProjectIn(createTempFolder(), files);
}

/** Like {@link createTempProject}, for all tests of a file: it stays until the run is over. */
export function createSharedProject(files: ProjectFiles = {}): TempProject {
  return createProjectIn(mkdtempSync(join(inject('runFolder'), 'project-')), files);
}

const createProjectIn = (root: string, files: ProjectFiles): TempProject => {
  writeFiles(root, {
    'package.json': { name: 'site', private: true, type: 'module' },
    'cms.config.js': 'export default {};\n',
    ...files,
  });
  linkPackages(root);
  return projectAt(root);
};
