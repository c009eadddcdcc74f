import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { evaluateModule } from '../config/evaluate-module.js';
import { fail } from '../errors/catalogue.js';
import type { NamedCode, NamedCodeRegistry } from '../graphql/extension/named-code.js';
import { isRecord } from '../lib/is-record.js';

type Kind = 'policies' | 'middlewares';

const EXTENSIONS: ReadonlySet<string> = new Set(['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts']);

const foldersIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []).filter((entry) => entry.isDirectory()).map(({ name }) => name);

const filesIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((name) => EXTENSIONS.has(extname(name)) && !name.endsWith('.d.ts')).map((name) => join(folder, name));

const nameOf = (prefix: string, file: string): readonly [string, string] => [`${prefix}::${basename(file, extname(file))}`, file];

/** `global::is-owner` of src/policies/is-owner.ts, `api::article.is-owner` of src/api/article/policies/is-owner.ts. */
const findFiles = (root: string, kind: Kind): ReadonlyMap<string, string> => {
  const apis = join(root, 'src', 'api');
  const global = filesIn(join(root, 'src', kind)).map((file) => nameOf('global', file));
  const local = foldersIn(apis).flatMap((api) => filesIn(join(apis, api, kind)).map((file) => [`api::${api}.${basename(file, extname(file))}`, file] as const));
  return new Map([...global, ...local]);
};

const load = async (root: string, file: string): Promise<unknown> => {
  const loaded = await evaluateModule(file).catch((cause: unknown) => {
    throw fail('project/broken-entry', { file: relative(root, file).split(sep).join('/'), reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  });
  return isRecord(loaded) && loaded['default'] !== undefined ? loaded['default'] : loaded;
};

/** A project's policies or middlewares: those in its folders, and those that it registers by hand, which go first. */
export interface ProjectNamedCode extends NamedCode, NamedCodeRegistry<unknown> {}

/** Finds a project's policies or middlewares; each file is evaluated when its name is first used. */
export function createNamedCode(root: string, kind: Kind): ProjectNamedCode {
  const files = findFiles(root, kind);
  const given = new Map<string, unknown>();
  const loaded = new Map<string, Promise<unknown>>();
  const names = (): readonly string[] => [...new Set([...given.keys(), ...files.keys()])].toSorted();
  const fullName = (name: string): string => {
    if (name.includes('::')) return name;
    const global = `global::${name}`;
    const local = names().filter((each) => each.startsWith('api::') && each.endsWith(`.${name}`));
    return names().includes(global) || local.length !== 1 ? global : local[0] ?? global;
  };
  return {
    names,
    set: (name, code) => {
      given.set(name.includes('::') ? name : `global::${name}`, code);
    },
    get: async (name) => {
      const full = fullName(name);
      const file = files.get(full);
      if (given.has(full) || file === undefined) return given.get(full);
      const code = loaded.get(full) ?? load(root, file);
      loaded.set(full, code);
      return code;
    },
  };
}
