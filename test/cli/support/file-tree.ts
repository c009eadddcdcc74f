import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Left out: installed packages, the database, and what is generated and not committed. */
const IGNORED = /^(node_modules|\.galley|data\.db)/;

/** Every file of a folder with its text: two trees are equal where nothing on disk has changed. */
export function fileTree(root: string): Readonly<Record<string, string>> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !IGNORED.test(path));
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Every file of a folder of content. The bases of all databases have the same folder. */
export function contentTree(root: string): Readonly<Record<string, string>> {
  const files = Object.entries(fileTree(root));
  return Object.fromEntries(
    files.map(([path, text]) => [path.replace(/^\.base\/[^/]+/, '.base/database'), text] as const),
  );
}
