import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAliases } from '../../config/tsconfig-aliases.js';
import type { createCodeFinder } from '../code/find-code.js';
import { reachableFrom } from '../report/source-files.js';

/** Code that adds to schemas or registers custom fields. Anything else has nothing that the model shows. */
const CHANGES_SCHEMAS =
  /\battributes\b|\bcustomFields\b|\bget\(['"]content-types|\bcontentTypes\s*\[[^\]]+\]\s*=[^=]/;
/** Code that adds routes by itself. */
const ADDS_ROUTES = /\bserver\b[\s\S]{0,80}?\b(?:routes|router|api)\b/;

/** A function `register`, with the module that a change is told of. */
export interface RegisterSource {
  /** The absolute path of the module with `register`. */
  readonly file: string;
  /** The text of all modules that it consists of, as far as they belong to the project. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** Reads a module and what it imports from its own project. */
export function readRegisterSource(root: string, file: string): RegisterSource {
  const reached = [...reachableFrom([file], readAliases(root))];
  return { file, files: reached.map((path) => ({ file: path, text: readFileSync(path, 'utf8') })) };
}

export function mayChangeSchemas({ files }: RegisterSource): boolean {
  return files.some(({ text }) => CHANGES_SCHEMAS.test(text));
}

export function mayAddRoutes({ files }: RegisterSource): boolean {
  return files.some(({ text }) => ADDS_ROUTES.test(text));
}

/** Returns the modules of a project that may have a function `register`, in the order in which they run. */
export function findRegisterSources(
  root: string,
  { findApis, findModule }: Pick<ReturnType<typeof createCodeFinder>, 'findApis' | 'findModule'>,
): readonly RegisterSource[] {
  const index = findModule(join(root, 'src'), 'index');
  return [...findApis(), ...(index === undefined ? [] : [index])].map(({ file }) =>
    readRegisterSource(root, file),
  );
}
