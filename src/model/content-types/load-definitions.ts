/**
 * The folder content-types reads and parses schema files. This file loads them; parse-definitions.ts begins
 * the parsing.
 */
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { byCodePoint } from '../../lib/text.js';
import { registeredName } from '../../lib/names.js';
import { NO_PLUGIN_CODE } from './definition.js';
import type { ControllerActions, Definitions, PluginCode, SchemaProblem } from './definition.js';
import { parseDefinitions } from './parse-definitions.js';
import type { SourceFile } from './parse-definitions.js';

/** A file of src/api/<api>/routes. */
interface RouteFile {
  readonly api: string;
  readonly text: string;
}

const HANDLER = /\bhandler["']?\s*:\s*(['"`])([\w:.-]*\w)\1(?!\s*[+.])/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g;

/** Returns the uid of an action: `api::article.article.top` for `article.top` of the API `article`. */
const fullName = (api: string, handler: string): string =>
  handler.includes('::') ? handler : `api::${registeredName(api)}.${handler}`;

/**
 * Finds the actions that files of routes name, without running them: roles and tokens may be granted these.
 * Handlers that are functions, or whose names are computed, are not found.
 */
export function parseControllerActions(files: readonly RouteFile[]): readonly ControllerActions[] {
  const actions = new Map<string, Set<string>>();
  for (const { api, text } of files)
    for (const [, , handler = ''] of text.replace(COMMENT, '').matchAll(HANDLER)) {
      const name = fullName(api, handler);
      const dot = name.lastIndexOf('.');
      const uid = name.slice(0, dot);
      actions.set(uid, (actions.get(uid) ?? new Set()).add(name.slice(dot + 1)));
    }
  return [...actions]
    .map(([uid, found]) => ({ uid, actions: [...found].toSorted(byCodePoint) }))
    .toSorted((left, right) => byCodePoint(left.uid, right.uid));
}

const ABSENT_CODES = ['ENOENT', 'ENOTDIR'];

const isAbsent = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  ABSENT_CODES.includes(error.code);

const namesIn = async (root: string, folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(join(root, folder))).toSorted(byCodePoint).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};

interface ReadSourceResult {
  readonly source: SourceFile | null;
  readonly problem: SchemaProblem | null;
}

/** Returns the warning about a type folder without schema.json. */
const missingFile = (path: string): SchemaProblem => ({
  severity: 'warning',
  code: 'missing-file',
  file: path,
  line: 1,
  attribute: null,
  message: 'the folder has no schema.json and is ignored',
  allowed: [],
});

const readSource = async (root: string, path: string): Promise<ReadSourceResult> => {
  try {
    return { source: { path, text: await readFile(join(root, path), 'utf8') }, problem: null };
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return { source: null, problem: error.code === 'ENOENT' ? missingFile(path) : null };
  }
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Returns paths `<folder>/<owner>/content-types/<type>/schema.json`, which may not exist. */
const typePaths = async (root: string, folder: string): Promise<readonly string[]> => {
  const owners = await namesIn(root, folder);
  const paths = await Promise.all(
    owners.map(async (owner) => {
      const types = await namesIn(root, `${folder}/${owner}/content-types`);
      return types.map((type) => `${folder}/${owner}/content-types/${type}/schema.json`);
    }),
  );
  return paths.flat();
};

const componentPaths = async (root: string): Promise<readonly string[]> => {
  const categories = await namesIn(root, 'src/components');
  const paths = await Promise.all(
    categories.map(async (category) => {
      const names = await namesIn(root, `src/components/${category}`);
      return names
        .filter((name) => name.endsWith('.json'))
        .map((name) => `src/components/${category}/${name}`);
    }),
  );
  return paths.flat();
};

const MODULES: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts']);

const routeFiles = async (root: string): Promise<readonly RouteFile[]> => {
  const files = await Promise.all(
    (await namesIn(root, 'src/api')).map(async (api) => {
      const names = await namesIn(root, `src/api/${api}/routes`);
      return names
        .filter((name) => MODULES.has(extname(name)) && !name.includes('.d.'))
        .map(async (name) => ({
          api,
          text: await readFile(join(root, 'src/api', api, 'routes', name), 'utf8'),
        }));
    }),
  );
  return Promise.all(files.flat());
};

/**
 * Loads the schema files of a project: content-types in `src/api`, components in `src/components`, and
 * extensions of plugins' types in `src/extensions`. Missing folders are treated as empty. `plugins` provides
 * the definitions of content-types by code.
 */
export async function loadDefinitions(
  root: string,
  plugins: PluginCode = NO_PLUGIN_CODE,
): Promise<Definitions> {
  const paths = await Promise.all([
    typePaths(root, 'src/api'),
    componentPaths(root),
    typePaths(root, 'src/extensions'),
  ]);
  const files = await Promise.all(paths.flat().map((path) => readSource(root, path)));
  const definitions = parseDefinitions(
    files.flatMap(({ source }) => source ?? []),
    plugins,
  );
  const modules = new Set(plugins.schemas.map(({ file }) => folderOf(file)));
  return {
    ...definitions,
    controllerActions: [...parseControllerActions(await routeFiles(root)), ...plugins.actions],
    problems: [
      ...files.flatMap(({ problem }) =>
        problem === null || modules.has(folderOf(problem.file)) ? [] : problem,
      ),
      ...definitions.problems,
    ],
  };
}
