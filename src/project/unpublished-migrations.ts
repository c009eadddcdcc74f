import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GENERATED } from './project-paths.js';

const run = promisify(execFile);

/** Lists files below prisma/migrations with git. Null where the project is in no repository. */
const listFiles = async (root: string, flags: readonly string[]): Promise<readonly string[] | null> => {
  try {
    const { stdout } = await run('git', ['ls-files', '-z', ...flags, '--', GENERATED.migrations], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\0').filter((path) => path !== '');
  } catch {
    return null;
  }
};

/** `prisma/migrations/20260131_tags/migration.sql` is of `20260131_tags`. */
const migrationOf = (path: string): string => path.slice(GENERATED.migrations.length + 1).split('/')[0] ?? '';

/**
 * Returns the migrations that git has neither been told of nor told to ignore, so that no other checkout has
 * them. Returns none without a repository, since it is then unknown how the project is published.
 */
export async function findUnpublishedMigrations(root: string): Promise<ReadonlySet<string>> {
  const [untracked, tracked] = await Promise.all([
    listFiles(root, ['--others', '--exclude-standard']),
    listFiles(root, ['--cached']),
  ]);
  if (untracked === null || tracked === null) return new Set();
  const known = new Set(tracked.map(migrationOf));
  return new Set(untracked.map(migrationOf).filter((name) => !known.has(name)));
}
