import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../../app/open-project.js';

/** The SQL of migrations by name, each under its name. */
export async function loadPendingSql({ paths }: Pick<Project, 'paths'>, names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map(async (name) => `-- ${name}\n${await readFile(join(paths.migrations, name, 'migration.sql'), 'utf8')}`));
  return texts.join('\n');
}
