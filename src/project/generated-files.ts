import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { printPrismaSchema } from '../generate/prisma-schema/print-prisma-schema.js';
import { byCodePoint } from '../lib/text.js';
import { printFileSchemas } from '../generate/typegen/print-file-schemas.js';
import { printTypes, SERVER_TYPES } from '../generate/typegen/print-types.js';
import type { GeneratedFile } from '../generate/typegen/print-types.js';
import { SHARED_NAMES } from '../generate/typegen/print-attributes.js';
import type { SharedTexts } from '../generate/typegen/print-attributes.js';
import type { Project } from './open/open-project.js';
import { GENERATED } from './open/open-project.js';
import { loadText, writeText } from './write-text.js';

/**
 * A generated file that is out of date. `path` is relative to the project, or absolute for a copy in another
 * folder. `before` is null if the file is missing.
 */
export interface GeneratedChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** The Prisma schema of the system tables, which is part of the package. */
const BASE_SCHEMA = new URL('../../prisma/base.prisma', import.meta.url);

/** Declarations that are the same for all projects. The build copies them into the folder of the code. */
const DECLARATIONS = new URL('../generate/typegen/declarations/', import.meta.url);

/** Returns the files of the project's types/ folder. */
export async function printProjectTypes({
  model,
}: Pick<Project, 'model'>): Promise<readonly GeneratedFile[]> {
  const texts = await Promise.all(
    SHARED_NAMES.map(
      async (name) => [name, await readFile(new URL(`${name}.d.ts`, DECLARATIONS), 'utf8')] as const,
    ),
  );
  return printTypes(model, Object.fromEntries(texts) as SharedTexts);
}

/** Returns the text of the project's Prisma schema. */
export async function printProjectSchema({
  model,
  dialect,
}: Pick<Project, 'model' | 'dialect'>): Promise<string> {
  return printPrismaSchema({ model, support: dialect.schema, base: await readFile(BASE_SCHEMA, 'utf8') });
}

export interface GenerateOptions {
  /** Absolute path of another folder for the types of a front end. Null for none. */
  readonly typesTo?: string | null;
}

/** Returns the generated files with their absolute or relative paths. */
const printGenerated = async (
  project: Project,
  { typesTo = null }: GenerateOptions,
): Promise<readonly GeneratedFile[]> => {
  const types = await printProjectTypes(project);
  const copies =
    typesTo === null
      ? []
      : types
          .filter(({ path }) => path !== SERVER_TYPES)
          .map(({ path, text }) => ({ path: join(typesTo, basename(path)), text }));
  return [
    { path: GENERATED.schema, text: await printProjectSchema(project) },
    ...[...types, ...printFileSchemas()].toSorted((left, right) => byCodePoint(left.path, right.path)),
    ...copies,
  ];
};

/**
 * Returns the committed generated files that are out of date. Writes nothing. The list is empty if all files
 * are current.
 */
export async function diffGenerated(
  project: Project,
  options: GenerateOptions = {},
): Promise<readonly GeneratedChange[]> {
  const files = await printGenerated(project, options);
  const changes = await Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      before: await loadText(resolve(project.root, path)),
      after: text,
    })),
  );
  return changes.filter(({ before, after }) => before !== after);
}

/** Writes the files that {@link diffGenerated} returns. Returns the same list. */
export async function writeGenerated(
  project: Project,
  options: GenerateOptions = {},
): Promise<readonly GeneratedChange[]> {
  const changes = await diffGenerated(project, options);
  for (const { path, after } of changes) await writeText(resolve(project.root, path), after);
  return changes;
}
