import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byCodePoint } from '../lib/compare.js';

export const TEMPLATES = ['blank', 'blog'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** A file of a project that does not exist yet. */
export interface ProjectFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Permission bits; the usual ones where absent. */
  readonly mode?: number;
}

const ROOT = fileURLToPath(new URL('../../templates/', import.meta.url));

/** Package managers leave dot files of these names out of a package, so that templates spell them without the dot. */
const DOT_FILES: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'env.example': '.env.example' };

/** Puts values in for `{{name}}`; a name without a value is a mistake of the template. */
export function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`The template wants a value for ${name}`);
    return value;
  });
}

const readFolder = async (folder: string): Promise<readonly ProjectFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).split(sep).join('/');
    return { path: DOT_FILES[path] ?? path, text: await readFile(file, 'utf8') };
  }));
};

/** The files of a template, those that all templates share included, with values put in; sorted by path. */
export async function loadTemplate(name: TemplateName, values: Readonly<Record<string, string>>): Promise<readonly ProjectFile[]> {
  const [shared, own] = await Promise.all([readFolder(join(ROOT, 'shared')), readFolder(join(ROOT, name))]);
  const byPath = new Map([...shared, ...own].map((file) => [file.path, file]));
  return [...byPath.values()]
    .map((file) => ({ ...file, text: renderTemplate(file.text, values) }))
    .toSorted((left, right) => byCodePoint(left.path, right.path));
}
