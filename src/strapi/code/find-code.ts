import { existsSync, readdirSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { prefersTypeScript } from '../../config/strapi/prefers-typescript.js';
import { registeredName } from '../../lib/registered-name.js';

/** What a file of server code is, by its place in the project. */
type CodeKind =
  | 'controller'
  | 'service'
  | 'routes'
  | 'policy'
  | 'middleware'
  | 'lifecycles'
  | 'api'
  | 'extension';

/** A file of server code that Strapi loads by its place. */
export interface CodeFile {
  readonly kind: CodeKind;
  /** The uid under which it is registered, or the name of the API or plugin. */
  readonly name: string;
  /** The absolute path. */
  readonly file: string;
  /** A file of the same name that the file takes precedence over. */
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

/** Finds the server code of one project by the places that Strapi knows. */
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

  const codeOfApi = (folder: string): readonly CodeFile[] => {
    const directory = join(root, 'src', 'api', folder);
    const api = registeredName(folder);
    const index = findModule(directory, 'index');
    const named = KINDS.flatMap(([kind, place]) =>
      modulesIn(join(directory, place)).map(({ key, ...module }) => ({
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

  const findExtensions = (): readonly CodeFile[] =>
    foldersIn(join(root, 'src', 'extensions')).flatMap((plugin) => {
      const module = findModule(join(root, 'src', 'extensions', plugin), 'strapi-server');
      return module === undefined
        ? []
        : [{ kind: 'extension' as const, name: plugin, file: module.file, shadowed: module.shadowed }];
    });

  const findAll = (): readonly CodeFile[] => [
    ...KINDS.filter(([kind]) => kind === 'policy' || kind === 'middleware').flatMap(([kind, place]) =>
      modulesIn(join(root, 'src', place)).map(({ key, ...module }) => ({
        kind,
        name: `global::${key}`,
        ...module,
      })),
    ),
    ...findExtensions(),
    ...foldersIn(join(root, 'src', 'api')).flatMap(codeOfApi),
  ];

  return { findAll, findExtensions, findModule, modulesIn };
}
