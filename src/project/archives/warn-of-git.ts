import { execFile } from 'node:child_process';
import { basename, dirname, relative, sep } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `git check-ignore` exits with 1 for files that it does not ignore, with 128 outside of a repository. */
const NOT_IGNORED = 1;

/** True if `git add` would add a file. */
const isTakenByGit = async (path: string): Promise<boolean> => {
  try {
    await run('git', ['check-ignore', '--quiet', '--no-index', '--', basename(path)], { cwd: dirname(path) });
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === NOT_IGNORED;
  }
};

/** The line for .gitignore: the folder of an archive, or the archive in the project's own folder. */
const ignoreLine = (root: string, path: string): string => {
  const place = relative(root, path).split(sep).join('/');
  if (place.startsWith('../')) return basename(path);
  return place.includes('/') ? `/${dirname(place)}/` : `/${place}`;
};

/** Warns where git would add an archive, which holds hashes of passwords and perhaps tokens. */
export async function warnOfGit(root: string, path: string, warn: (message: string) => void): Promise<void> {
  if (!(await isTakenByGit(path))) return;
  warn(
    `\`git add\` would add ${path}, which holds the content with hashes of passwords. ` +
      `Add a line to .gitignore, and to .dockerignore: ${ignoreLine(root, path)}`,
  );
}
