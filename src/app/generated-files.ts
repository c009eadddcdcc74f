import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printPrismaSchema } from '../prisma-schema/print-prisma-schema.js';
import { printTypes } from '../typegen/print-types.js';
import type { Project } from './open-project.js';
import { GENERATED } from './project-paths.js';
import { loadText, writeText } from './write-text.js';

/**
 * A generated file that is out of date. `path` is relative to the project. `before` is null if the file is
 * missing.
 */
export interface GeneratedChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** The Prisma schema of the system tables, which is part of the package. */
const BASE_SCHEMA = new URL('../../prisma/base.prisma', import.meta.url);

/** Returns the text of the project's Prisma schema. */
export async function printProjectSchema({
  model,
  dialect,
}: Pick<Project, 'model' | 'dialect'>): Promise<string> {
  return printPrismaSchema({ model, support: dialect.schema, base: await readFile(BASE_SCHEMA, 'utf8') });
}

/**
 * Returns the committed generated files that are out of date. Writes nothing. The list is empty if all files
 * are current.
 */
export async function diffGenerated(project: Project): Promise<readonly GeneratedChange[]> {
  const files = [
    { path: GENERATED.schema, text: await printProjectSchema(project) },
    ...printTypes(project.model),
  ];
  const changes = await Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      before: await loadText(join(project.root, path)),
      after: text,
    })),
  );
  return changes.filter(({ before, after }) => before !== after);
}

/** Writes the files that {@link diffGenerated} returns. Returns the same list. */
export async function writeGenerated(project: Project): Promise<readonly GeneratedChange[]> {
  const changes = await diffGenerated(project);
  for (const { path, after } of changes) await writeText(join(project.root, path), after);
  return changes;
}
