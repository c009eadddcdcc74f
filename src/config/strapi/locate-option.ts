import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, isAbsolute, join, relative } from 'node:path';
import { blankComments, lineAt } from '../../lib/source-text.js';

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The position where the keys follow one another in a text, or of as many of them as do. */
const positionOf = (text: string, keys: readonly string[]): number | null => {
  let position = 0;
  let found: number | null = null;
  for (const key of keys) {
    const next = new RegExp(`(?<![\\w$])${escapePattern(key)}(?![\\w$])`).exec(text.slice(position));
    if (next === null) break;
    found = position + next.index;
    position = found + key.length;
  }
  return found;
};

const positionIn = (root: string, file: string, keys: readonly string[]): string | null => {
  const text = blankComments(readFileSync(join(root, file), 'utf8'));
  const position = positionOf(text, keys);
  return position === null ? null : `${file}:${lineAt(text, position)}`;
};

/** Returns the file and line at which a file of a project states an option: `src/api/tag/routes/tag.ts:7`. */
export function locateKeys(root: string, file: string, keys: readonly string[]): string {
  const path = isAbsolute(file) ? relative(root, file) : file;
  return (existsSync(join(root, path)) ? positionIn(root, path, keys) : null) ?? path;
}

/**
 * Returns the file and line at which config/ states an option, `config/server.ts:3`: that of the environment
 * before that of the project. Options that a file computes are located by the keys before them.
 */
export function locateOption(root: string, files: readonly string[], path: readonly string[]): string {
  const [key = '', ...keys] = path;
  const candidates = files.filter((file) => basename(file, extname(file)) === key).toReversed();
  for (const file of candidates) {
    const place = positionIn(root, file, keys);
    if (place !== null) return place;
  }
  return candidates.at(-1) ?? `config/${key}`;
}
