import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hasErrorCode } from '../../lib/error-code.js';

const CODE_FILE = /\.(?:[cm]?[jt]sx?|graphql|gql|html)$/;

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const listFiles = async (folder: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** Returns the lines of the project's own code that hold one of the names: `src/index.ts:12`. */
export async function findMentions(root: string, names: readonly string[]): Promise<readonly string[]> {
  const pattern = new RegExp(`(?<![\\w-])(?:${names.map(escapeRegExp).join('|')})(?![\\w-])`);
  const files = (await listFiles(join(root, 'src'))).filter((file) => CODE_FILE.test(file));
  const mentions = await Promise.all(
    files.toSorted().map(async (file) => {
      const lines = (await readFile(file, 'utf8')).split('\n');
      const path = relative(root, file).split(sep).join('/');
      return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
    }),
  );
  return mentions.flat();
}
