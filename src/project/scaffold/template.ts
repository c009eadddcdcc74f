import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DialectName } from '../../database/dialect/dialect-name.js';
import { byCodePoint } from '../../lib/compare.js';

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

const ROOT = fileURLToPath(new URL('../../../templates/', import.meta.url));

/** Package managers leave these dot files out of a package, so templates name them without the dot. */
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
      const path = relative(folder, file).split(sep).join('/');
      return { path: DOT_FILES[path] ?? path, text: await readFile(file, 'utf8') };
    }),
  );
};

/**
 * Loads the files of a template, including those shared by all templates and those for the kind of database,
 * with values filled in, sorted by path.
 */
export async function loadTemplate(
  name: TemplateName,
  database: DialectName,
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const folders = await Promise.all(
    ['shared', database, name].map((folder) => readFolder(join(ROOT, folder))),
  );
  const byPath = new Map(folders.flat().map((file) => [file.path, file]));
  return [...byPath.values()]
    .map((file) => ({ ...file, text: renderTemplate(file.text, values) }))
    .toSorted((left, right) => byCodePoint(left.path, right.path));
}
