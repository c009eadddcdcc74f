import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readAliases, resolveAlias } from '../../config/module-loader.js';
import { blankComments, lineAt } from '../../lib/files.js';
import type { createCodeFinder } from './project-code.js';

/** Matches code that may change schemas or register custom fields. Other code does not affect the model. */
const CHANGES_SCHEMAS =
  /\battributes\b|\bcustomFields\b|\bget\(['"]content-types|\bcontentTypes\s*\[[^\]]+\]\s*=[^=]/;
/** Matches code that may add routes. */
const ADDS_ROUTES = /\bserver\b[\s\S]{0,80}?\b(?:routes|router|api)\b/;

/** A function `register`, as the source files that it consists of. */
export interface RegisterSource {
  /** The absolute path of the module with `register`. */
  readonly file: string;
  /** The texts of the module and of its imports within the project. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** Reads a module and its imports within the project. */
export function readRegisterSource(root: string, file: string): RegisterSource {
  const reached = [...reachableFrom([file], readAliases(root))];
  return { file, files: reached.map((path) => ({ file: path, text: readFileSync(path, 'utf8') })) };
}

/** True if a function `register` may change schemas, judged by its text. */
export function mayChangeSchemas({ files }: RegisterSource): boolean {
  return files.some(({ text }) => CHANGES_SCHEMAS.test(text));
}

/** True if a function `register` may add routes, judged by its text. */
export function mayAddRoutes({ files }: RegisterSource): boolean {
  return files.some(({ text }) => ADDS_ROUTES.test(text));
}

/** Returns the modules of a project that may export `register`, in the order in which they run. */
export function findRegisterSources(
  root: string,
  { findApis, findModule }: Pick<ReturnType<typeof createCodeFinder>, 'findApis' | 'findModule'>,
): readonly RegisterSource[] {
  const index = findModule(join(root, 'src'), 'index');
  return [...findApis(), ...(index === undefined ? [] : [index])].map(({ file }) =>
    readRegisterSource(root, file),
  );
}

export type Aliases = ReturnType<typeof readAliases>;

/** A module that a file imports, with the line. */
export interface ImportedModule {
  readonly name: string;
  readonly line: number;
  /** True if the module is loaded only when something calls the code around it. */
  readonly isLazy: boolean;
}

const IGNORED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'types', '__tests__']);
const CODE = /\.[cm]?[jt]sx?$/;
const NO_CODE = /\.(?:d|test|spec)\.[cm]?[jt]sx?$/;
const EXTENSIONS = ['', '.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '.json'];

/** The text before the name of a module: `import … from`, `export … from`, `require(` or `import(`. */
const BEFORE_NAME = [
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\bfrom\s*)?/,
  /\brequire\(\s*/,
  /\bimport\(\s*/,
];
const IMPORT = new RegExp(
  `(?:${BEFORE_NAME.map(({ source }) => source).join('|')})(['"\`])([^'"\`\\n]+)\\1`,
  'gm',
);

/** Returns the code files below a folder, without tests and declarations. */
export function codeFilesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return IGNORED_FOLDERS.has(entry.name) || entry.name.startsWith('.') ? [] : codeFilesIn(path);
    return CODE.test(entry.name) && !NO_CODE.test(entry.name) ? [path] : [];
  });
}

/** Returns the text of a file with spaces in place of comments. */
export function readWithoutComments(file: string): string {
  return blankComments(readFileSync(file, 'utf8'));
}

const STRINGS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/** True if a position is inside braces. */
const isNested = (text: string, index: number): boolean => {
  let depth = 0;
  for (const char of text.slice(0, index).replaceAll(STRINGS, ''))
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
  return depth > 0;
};

/** Returns the imports of a text, except those of types. Comments must be blanked. */
export function importsIn(text: string): readonly ImportedModule[] {
  return [...text.matchAll(IMPORT)].map((match) => ({
    name: match[2] ?? '',
    line: lineAt(text, match.index + match[0].length),
    isLazy: match[0].startsWith('import(') || (match[0].startsWith('require') && isNested(text, match.index)),
  }));
}

/** Returns the imports of a file, except those of types. */
export function importsOf(file: string): readonly ImportedModule[] {
  return importsIn(readWithoutComments(file));
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Returns the path in the project that an import names, without its extension. Null for a package. */
const pathOfImport = (file: string, name: string, aliases: Aliases): string | null =>
  name.startsWith('.') ? resolve(dirname(file), name) : resolveAlias(aliases, name);

/** Returns the file that an import names. Null for a package, or if the file does not exist. */
const resolveImport = (file: string, name: string, aliases: Aliases): string | null => {
  const path = pathOfImport(file, name, aliases);
  if (path === null) return null;
  const withoutExtension = path.replace(/\.[cm]?js$/, '');
  return (
    [path, withoutExtension, join(path, 'index')]
      .flatMap((base) => EXTENSIONS.map((extension) => `${base}${extension}`))
      .find(isFile) ?? null
  );
};

/** True if an import names a file of the project that does not exist. */
export function isMissingFile(file: string, name: string, aliases: Aliases): boolean {
  const path = pathOfImport(file, name, aliases);
  return path !== null && !existsSync(path) && resolveImport(file, name, aliases) === null;
}

/** Returns the project files that files import: code and data. */
export function importedFiles(files: Iterable<string>, aliases: Aliases): readonly string[] {
  return [...files].flatMap((file) =>
    importsOf(file).flatMap(({ name }) => resolveImport(file, name, aliases) ?? []),
  );
}

/** Returns the files and everything that they import from the project. */
export function reachableFrom(entries: readonly string[], aliases: Aliases): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || !CODE.test(file)) continue;
    reached.add(file);
    for (const { name } of importsOf(file)) {
      const imported = resolveImport(file, name, aliases);
      if (imported !== null) waiting.push(imported);
    }
  }
  return reached;
}
