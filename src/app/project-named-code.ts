import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { evaluateModule } from '../config/evaluate-module.js';
import { createError } from '../errors/catalogue.js';
import type { NamedCode, NamedCodeRegistry } from '../graphql/extension/named-code.js';
import { isRecord } from '../lib/is-record.js';
import { describeLoadFailure } from '../lib/source-location.js';

type NamedCodeKind = 'policies' | 'middlewares';

const EXTENSIONS: ReadonlySet<string> = new Set(['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts']);

const listFolders = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const listModules = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => EXTENSIONS.has(extname(name)) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));

const namedFile = (prefix: string, file: string): readonly [string, string] => [
  `${prefix}::${basename(file, extname(file))}`,
  file,
];

/**
 * Returns the files of all policies or middlewares by name. src/policies/is-owner.ts is `global::is-owner`,
 * and src/api/article/policies/is-owner.ts is `api::article.is-owner`.
 */
const findFiles = (root: string, kind: NamedCodeKind): ReadonlyMap<string, string> => {
  const apis = join(root, 'src', 'api');
  const global = listModules(join(root, 'src', kind)).map((file) => namedFile('global', file));
  const local = listFolders(apis).flatMap((api) =>
    listModules(join(apis, api, kind)).map(
      (file) => [`api::${api}.${basename(file, extname(file))}`, file] as const,
    ),
  );
  return new Map([...global, ...local]);
};

const loadModule = async (root: string, file: string): Promise<unknown> => {
  const loaded = await evaluateModule(file).catch((cause: unknown) => {
    throw createError('project/module-load-failed', { ...describeLoadFailure(root, file, cause) }, { cause });
  });
  return isRecord(loaded) && loaded['default'] !== undefined ? loaded['default'] : loaded;
};

/** The policies or middlewares of a project. Registered ones take precedence over files. */
export interface ProjectNamedCode extends NamedCode, NamedCodeRegistry<unknown> {}

/** Creates the policies or middlewares of a project. A file is evaluated when its name is first used. */
export function createNamedCode(root: string, kind: NamedCodeKind): ProjectNamedCode {
  const files = findFiles(root, kind);
  const registered = new Map<string, unknown>();
  const loaded = new Map<string, Promise<unknown>>();
  const names = (): readonly string[] => [...new Set([...registered.keys(), ...files.keys()])].toSorted();
  const fullName = (name: string): string => {
    if (name.includes('::')) return name;
    const global = `global::${name}`;
    const local = names().filter((each) => each.startsWith('api::') && each.endsWith(`.${name}`));
    return names().includes(global) || local.length !== 1 ? global : (local[0] ?? global);
  };
  return {
    names,
    set: (name, code) => {
      registered.set(name.includes('::') ? name : `global::${name}`, code);
    },
    get: async (name) => {
      const resolvedName = fullName(name);
      const file = files.get(resolvedName);
      if (registered.has(resolvedName) || file === undefined) return registered.get(resolvedName);
      const code = loaded.get(resolvedName) ?? loadModule(root, file);
      loaded.set(resolvedName, code);
      return code;
    },
  };
}
