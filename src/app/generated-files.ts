import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printPrismaSchema } from '../prisma-schema/print-prisma-schema.js';
import { printTypes } from '../typegen/print-types.js';
import type { Project } from './open-project.js';
import { GENERATED } from './project-paths.js';
import { loadText, writeText } from './write-text.js';

/** A generated file as it is and as it should be. `path` is relative to the project; null: there is none. */
export interface GeneratedChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** The system tables, which stand in the package itself. */
const BASE_SCHEMA = new URL('../../prisma/base.prisma', import.meta.url);

/** The text of the project's Prisma schema. */
export async function printProjectSchema({ model, dialect }: Pick<Project, 'model' | 'dialect'>): Promise<string> {
  return printPrismaSchema({ model, dialect, base: await readFile(BASE_SCHEMA, 'utf8') });
}

/** The generated files that are committed and not as the content-types ask, sorted as they are printed; none: all is well. Writes nothing. */
export async function diffGenerated(project: Project): Promise<readonly GeneratedChange[]> {
  const files = [{ path: GENERATED.schema, text: await printProjectSchema(project) }, ...printTypes(project.model)];
  const changes = await Promise.all(files.map(async ({ path, text }) => ({ path, before: await loadText(join(project.root, path)), after: text })));
  return changes.filter(({ before, after }) => before !== after);
}

/** Writes what {@link diffGenerated} finds, and returns it. */
export async function writeGenerated(project: Project): Promise<readonly GeneratedChange[]> {
  const changes = await diffGenerated(project);
  for (const { path, after } of changes) await writeText(join(project.root, path), after);
  return changes;
}
