/**
 * Finds and loads the server code of a project. Start at {@link loadProjectCode}. source-files.ts follows
 * imports; run-registers.ts evaluates `register` before the model is built.
 */
import { existsSync, readdirSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { ModuleLoader } from '../../config/module-loader.js';
import { prefersTypeScript } from '../../config/strapi/load-strapi-config.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { registeredName } from '../../lib/names.js';
import { describeLoadFailure } from '../../lib/caught-errors.js';
import type { Registries, Registry } from '../registry.js';

/** The kind of a server code file, derived from its path in the project. */
type CodeKind =
  | 'controller'
  | 'service'
  | 'routes'
  | 'policy'
  | 'middleware'
  | 'lifecycles'
  | 'schema'
  | 'api'
  | 'extension';

/** A file of server code that Strapi loads by its path. */
export interface CodeFile {
  readonly kind: CodeKind;
  /** The registered uid, or the name of the API or plugin. */
  readonly name: string;
  /** The absolute path. */
  readonly file: string;
  /** The file of the same name that this file takes precedence over. */
  readonly shadowed: string | null;
}

const EXTENSIONS = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts'];

const KINDS: readonly (readonly [CodeKind, string])[] = [
  ['routes', 'routes'],
  ['controller', 'controllers'],
  ['service', 'services'],
  ['policy', 'policies'],
  ['middleware', 'middlewares'],
];

const entriesOf = (folder: string): readonly Dirent[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(({ name }) => !name.startsWith('.'))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    : [];

const foldersIn = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const isModule = (name: string): boolean =>
  EXTENSIONS.includes(extname(name)) && !/\.(?:d|test|spec)\.[cm]?[jt]s$/.test(name);

/** A module of a folder, by its name without extension. */
interface NamedModule {
  readonly key: string;
  readonly file: string;
  readonly shadowed: string | null;
}

interface Folders {
  readonly foldersIn: (folder: string) => readonly string[];
  readonly modulesIn: (folder: string) => readonly NamedModule[];
}

/** Finds the schemas that modules define. JSON files of the same name take precedence. */
const findSchemaModules = (root: string, { foldersIn: folders, modulesIn }: Folders): readonly CodeFile[] => {
  const toCode = (name: string, folder: string, { key, file, shadowed }: NamedModule): readonly CodeFile[] =>
    existsSync(join(folder, `${key}.json`)) ? [] : [{ kind: 'schema', name, file, shadowed }];
  const ofTypes = folders(join(root, 'src', 'api')).flatMap((api) =>
    folders(join(root, 'src', 'api', api, 'content-types')).flatMap((type) => {
      const folder = join(root, 'src', 'api', api, 'content-types', type);
      const module = modulesIn(folder).find(({ key }) => key === 'schema');
      const name = `api::${registeredName(api)}.${registeredName(type)}`;
      return module === undefined ? [] : toCode(name, folder, module);
    }),
  );
  const ofComponents = folders(join(root, 'src', 'components')).flatMap((category) => {
    const folder = join(root, 'src', 'components', category);
    return modulesIn(folder).flatMap((module) =>
      toCode(`${category}.${module.key}`.toLowerCase(), folder, module),
    );
  });
  return [...ofTypes, ...ofComponents];
};

/** Finds the code in one folder of src/api. */
const findApiCode = (root: string, folder: string, modulesIn: Folders['modulesIn']): readonly CodeFile[] => {
  const findModule = (subfolder: string, name: string): NamedModule | undefined =>
    modulesIn(subfolder).find(({ key }) => key === name);
  const directory = join(root, 'src', 'api', folder);
  const api = registeredName(folder);
  const index = findModule(directory, 'index');
  const named = KINDS.flatMap(([kind, subfolder]) =>
    modulesIn(join(directory, subfolder)).map(({ key, ...module }) => ({
      kind,
      name: `api::${api}.${registeredName(key)}`,
      ...module,
    })),
  );
  const lifecycles = foldersIn(join(directory, 'content-types')).flatMap((type) => {
    const module = findModule(join(directory, 'content-types', type), 'lifecycles');
    const name = `api::${api}.${registeredName(type)}`;
    return module === undefined
      ? []
      : [{ kind: 'lifecycles' as const, name, file: module.file, shadowed: module.shadowed }];
  });
  const { file, shadowed } = index ?? {};
  return file === undefined
    ? [...named, ...lifecycles]
    : [{ kind: 'api', name: api, file, shadowed: shadowed ?? null }, ...named, ...lifecycles];
};

/** Creates the functions that find the server code of a project at Strapi's paths. */
export function createCodeFinder(root: string) {
  const isTypeScript = prefersTypeScript(root);
  const rank = (file: string): number =>
    (/\.[cm]?ts$/.test(file) === isTypeScript ? 0 : EXTENSIONS.length) + EXTENSIONS.indexOf(extname(file));

  const modulesIn = (folder: string): readonly NamedModule[] => {
    const files = entriesOf(folder)
      .filter((entry) => entry.isFile() && isModule(entry.name))
      .map(({ name }) => name);
    const keys = new Set(files.map((name) => basename(name, extname(name))));
    return [...keys].map((key) => {
      const names = files.filter((name) => basename(name, extname(name)) === key);
      const [first = '', second] = names.toSorted((a, b) => rank(a) - rank(b));
      return { key, file: join(folder, first), shadowed: second === undefined ? null : join(folder, second) };
    });
  };

  const findModule = (folder: string, name: string): NamedModule | undefined =>
    modulesIn(folder).find(({ key }) => key === name);

  const findSchemas = (): readonly CodeFile[] => findSchemaModules(root, { foldersIn, modulesIn });

  const apiCode = (folder: string): readonly CodeFile[] => findApiCode(root, folder, modulesIn);

  const findExtensions = (): readonly CodeFile[] =>
    foldersIn(join(root, 'src', 'extensions')).flatMap((plugin) => {
      const module = findModule(join(root, 'src', 'extensions', plugin), 'strapi-server');
      return module === undefined
        ? []
        : [{ kind: 'extension' as const, name: plugin, file: module.file, shadowed: module.shadowed }];
    });

  /** Finds the index files of APIs, which may export `register`. */
  const findApis = (): readonly CodeFile[] =>
    foldersIn(join(root, 'src', 'api'))
      .flatMap(apiCode)
      .filter(({ kind }) => kind === 'api');

  const findAll = (): readonly CodeFile[] => [
    ...KINDS.filter(([kind]) => kind === 'policy' || kind === 'middleware').flatMap(([kind, subfolder]) =>
      modulesIn(join(root, 'src', subfolder)).map(({ key, ...module }) => ({
        kind,
        name: `global::${key}`,
        ...module,
      })),
    ),
    ...findExtensions(),
    ...foldersIn(join(root, 'src', 'api')).flatMap(apiCode),
    ...findSchemas(),
  ];

  return { findAll, findApis, findExtensions, findSchemas, findModule, modulesIn };
}

/** A loaded file of server code with its exports. */
interface LoadedModule {
  readonly code: CodeFile;
  readonly exported: unknown;
}

/** The server code of a project that is not in the registries. */
export interface ProjectCode {
  /** Lifecycle listeners by the uids of content-types: objects of functions. */
  readonly lifecycles: ReadonlyMap<string, LoadedModule>;
  /** Extensions of plugins, src/extensions/<plugin>/strapi-server, by plugin name. */
  readonly extensions: ReadonlyMap<string, LoadedModule>;
  /** Index files of APIs, which may export `register`, `bootstrap` and `destroy`. */
  readonly apis: ReadonlyMap<string, LoadedModule>;
  /** All loaded files. */
  readonly files: readonly CodeFile[];
}

interface LoadOptions {
  readonly root: string;
  readonly loader: ModuleLoader;
  readonly registries: Registries;
}

/**
 * Evaluates a file of the project.
 *
 * @throws `project/module-load-failed`, with the file, the line and the import that fails
 */
export async function loadProjectModule(
  { root, loader }: Pick<LoadOptions, 'root' | 'loader'>,
  file: string,
): Promise<unknown> {
  return loader.load(file).catch((cause: unknown) => {
    throw createError('project/module-load-failed', { ...describeLoadFailure(root, file, cause) }, { cause });
  });
}

const registryOf = (registries: Registries, { kind }: CodeFile): Registry | undefined =>
  ({
    controller: registries.controllers,
    service: registries.services,
    routes: registries.routes,
    policy: registries.policies,
    middleware: registries.middlewares,
    lifecycles: undefined,
    api: undefined,
    schema: undefined,
    extension: undefined,
  })[kind];

const byName = (
  modules: readonly LoadedModule[],
  kind: CodeFile['kind'],
): ReadonlyMap<string, LoadedModule> =>
  new Map(modules.filter(({ code }) => code.kind === kind).map((module) => [module.code.name, module]));

/** Loads the server code of a project into the registries. */
export async function loadProjectCode({ root, loader, registries }: LoadOptions): Promise<ProjectCode> {
  const files = createCodeFinder(root).findAll();
  const others: LoadedModule[] = [];
  for (const code of files) {
    const exported = await loadProjectModule({ root, loader }, code.file);
    const registry = registryOf(registries, code);
    if (registry === undefined) others.push({ code, exported });
    else if (!isRecord(exported) || Object.keys(exported).length > 0)
      registry.set(code.name, exported, { file: code.file });
  }
  return {
    lifecycles: byName(others, 'lifecycles'),
    extensions: byName(others, 'extension'),
    apis: byName(others, 'api'),
    files,
  };
}
