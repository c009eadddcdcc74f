import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createJiti } from 'jiti';
import { readAliases, resolveAlias } from '../../config/module-loader.js';
import { packageNameOf } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import { relativePath } from '../../lib/text.js';
import {
  codeFilesIn,
  importedFiles,
  importsIn,
  importsOf,
  isMissingFile,
  reachableFrom,
  readWithoutComments,
} from '../code/source-files.js';
import type { ImportedModule } from '../code/source-files.js';
import { findPackage, readPackageFile, strapiVersion } from '../configuration.js';
import { isProvided } from '../package/packages.js';

/** An import of a package or a project file that is missing. */
export interface MissingImport extends ImportedModule {
  /** The absolute path of the file that imports it. */
  readonly file: string;
  /** The name of the package: `lodash` for `lodash/fp`. Null for a file. */
  readonly dependency: string | null;
}

/** Returns true if a file can import a package. */
export type FindsPackage = (dependency: string, file: string) => boolean;

/** True if a package is in the node_modules of a file's folder or its parents. */
export function isInstalled(dependency: string, file: string): boolean {
  return findPackage(dirname(file), dependency) !== null;
}

/** True if a module belongs to Galley itself. */
const isGalley = (name: string): boolean => name === 'galley' || name.startsWith('galley/');

/**
 * Creates the function that returns the modules that a TypeScript file imports after its types are removed.
 * Null if it cannot be compiled.
 */
const createRuntimeImports = (root: string): ((file: string) => ReadonlySet<string> | null) => {
  const { transform } = createJiti(join(root, 'package.json'));
  return (file) => {
    const code = transform({ source: readFileSync(file, 'utf8'), filename: file, ts: true });
    return code.includes('__JITI_ERROR__') ? null : new Set(importsIn(code).map(({ name }) => name));
  };
};

/** Returns the imports of missing packages and files. Imports of types need none. */
export function findMissingImports(
  root: string,
  files: readonly string[],
  findsPackage: FindsPackage,
): readonly MissingImport[] {
  const aliases = readAliases(root);
  const runtimeImports = createRuntimeImports(root);
  return files.flatMap((file) => {
    const missing = importsOf(file).flatMap((imported): readonly MissingImport[] => {
      const { name } = imported;
      if (isMissingFile(file, name, aliases)) return [{ ...imported, file, dependency: null }];
      const dependency = resolveAlias(aliases, name) === null ? packageNameOf(name) : null;
      return dependency === null || isGalley(name) || isProvided(root, name) || findsPackage(dependency, file)
        ? []
        : [{ ...imported, file, dependency }];
    });
    if (missing.length === 0 || !/\.[cm]?ts$/.test(file)) return missing;
    const loaded = runtimeImports(file);
    return loaded === null ? missing : missing.filter(({ name, isLazy }) => isLazy || loaded.has(name));
  });
}

/** Strapi's packages that work without Strapi, so that a project may depend on them. */
const STANDALONE_PACKAGES: ReadonlySet<string> = new Set([
  '@strapi/database',
  '@strapi/logger',
  '@strapi/permissions',
]);

/**
 * The packages that the server of Strapi 5 depends on, with their versions in 5.54 or an earlier release. npm
 * hoists them, so that projects import them without listing them.
 */
const STRAPI_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@apollo/server': '4.13.0',
  '@as-integrations/koa': '1.1.1',
  '@casl/ability': '6.7.5',
  '@graphql-tools/schema': '10.0.3',
  '@graphql-tools/utils': '^10.1.3',
  '@koa/cors': '5.0.0',
  '@koa/router': '12.0.2',
  '@paralleldrive/cuid2': '2.2.2',
  '@sindresorhus/slugify': '1.1.0',
  ajv: '8.20.0',
  axios: '1.19.0',
  bcryptjs: '2.4.3',
  boxen: '5.1.2',
  'byte-size': '8.1.1',
  chalk: '4.1.2',
  chokidar: '3.6.0',
  'ci-info': '4.0.0',
  'cli-progress': '3.12.0',
  'cli-table3': '0.6.5',
  'co-body': '^6.1.0',
  commander: '8.3.0',
  configstore: '5.0.1',
  croner: '10.0.1',
  'date-fns': '2.30.0',
  debug: '4.3.4',
  delegates: '1.0.0',
  dompurify: '3.4.13',
  dotenv: '16.6.1',
  execa: '5.1.1',
  'fast-deep-equal': '3.1.3',
  'file-type': '21.3.4',
  'follow-redirects': '^1.16.0',
  'form-data': '^4.0.6',
  formidable: '^2.0.1',
  'fractional-indexing': '3.2.0',
  'fs-extra': '11.3.4',
  glob: '13.0.6',
  'global-agent': '4.1.3',
  grant: '^5.4.8',
  'grant-koa': '5.4.8',
  graphql: '^16.8.1',
  'graphql-depth-limit': '^1.1.0',
  'graphql-scalars': '1.22.2',
  handlebars: '4.7.9',
  helmet: '6.2.0',
  'http-errors': '2.0.0',
  'https-proxy-agent': '^5.0.1',
  immer: '9.0.21',
  inquirer: '9.3.8',
  invariant: '2.2.4',
  'is-docker': '2.2.1',
  'is-localhost-ip': '2.0.0',
  'json-logic-js': '2.0.5',
  jsonwebtoken: '9.0.3',
  jszip: '^3.10.1',
  'jwk-to-pem': '2.0.5',
  knex: '3.0.1',
  koa: '2.16.4',
  'koa-body': '6.0.1',
  'koa-bodyparser': '4.4.1',
  'koa-compose': '4.1.0',
  'koa-compress': '5.1.1',
  'koa-favicon': '2.1.0',
  'koa-helmet': '7.1.0',
  'koa-ip': '^2.1.3',
  'koa-passport': '6.0.0',
  'koa-range': '0.3.0',
  'koa-session': '7.0.2',
  'koa-static': '5.0.0',
  'koa2-ratelimit': '^1.1.3',
  lodash: '4.18.1',
  'markdown-it': '14.3.0',
  micromatch: '^4.0.8',
  'mime-types': '2.1.35',
  nexus: '1.3.0',
  'node-machine-id': '1.1.12',
  'node-schedule': '2.1.1',
  open: '8.4.2',
  'openapi-types': '12.1.3',
  ora: '5.4.1',
  outdent: '0.8.0',
  'p-map': '4.0.0',
  'passport-local': '1.0.0',
  'pkg-up': '3.1.0',
  pluralize: '8.0.0',
  prettier: '3.6.2',
  prismjs: '1.30.0',
  punycode: '2.3.1',
  purest: '4.0.2',
  qs: '6.15.3',
  'resolve-from': '5.0.0',
  rimraf: '6.1.3',
  'sanitize-html': '2.13.0',
  semver: '7.7.4',
  sharp: '0.35.3',
  sift: '16.0.1',
  statuses: '2.0.1',
  'stream-chain': '2.2.5',
  'stream-json': '1.9.1',
  tar: '7.5.22',
  'tar-stream': '2.2.0',
  typescript: '5.9.3',
  umzug: '3.8.1',
  undici: '6.28.1',
  'url-join': '4.0.1',
  uuid: '^9.0.1',
  winston: '3.10.0',
  ws: '8.21.2',
  yup: '0.32.9',
  zod: '4.4.3',
};

type Packages = Readonly<Record<string, string>>;

/** The packages of the project created from a Strapi project. */
export interface PackagePlan {
  readonly dependencies: Packages;
  readonly devDependencies: Packages;
  /** The packages that the package.json of the Strapi project does not list. */
  readonly added: readonly string[];
  /** Packages that only Strapi and its admin panel need, or that the new project already has. */
  readonly dropped: readonly string[];
  /** Packages of the workspace that contains the Strapi project, which npm cannot install. */
  readonly ofWorkspace: readonly string[];
}

/** True for packages that store files or send messages, except those that Galley does not need. */
const isProviderPackage = (name: string): boolean =>
  /^@strapi\/provider-(?:upload|email)-(?!local$|nodemailer$)/.test(name);

const ADMIN_PACKAGES: ReadonlySet<string> = new Set([
  'react',
  'react-dom',
  'react-router-dom',
  'styled-components',
  'better-sqlite3',
  'pg',
  'mysql2',
]);

const isOfStrapi = (name: string): boolean =>
  (name.startsWith('@strapi/') && !isProviderPackage(name)) || ADMIN_PACKAGES.has(name);

/** True for versions that pnpm and Yarn resolve in the workspace. npm rejects them. */
const isOfWorkspace = (version: unknown): boolean =>
  /^(?:workspace|link|portal|catalog):/.test(String(version));

const packagesIn = (manifest: Readonly<Record<string, unknown>>, key: string): Packages =>
  isRecord(manifest[key]) ? (manifest[key] as Packages) : {};

const IDLE_FILE = /^(?:src\/admin|src\/plugins\/[^/]+\/admin)\/|^config\/(?:env\/\w+\/)?(?:admin|database)\./;

/** Returns the files of a project that Galley evaluates if they are imported. */
export function serverFiles(root: string): readonly string[] {
  return ['src', 'config']
    .flatMap((folder) => codeFilesIn(join(root, folder)))
    .filter((file) => !IDLE_FILE.test(relativePath(root, file)));
}

/** Returns the version that the package.json of a file's plugin requires. */
const versionOfPlugin = (root: string, dependency: string, file: string): string | undefined => {
  const folder = dirname(file);
  if (folder === root || folder === dirname(folder)) return undefined;
  return (
    packagesIn(readPackageFile(folder), 'dependencies')[dependency] ??
    versionOfPlugin(root, dependency, folder)
  );
};

const installedVersion = (folder: string, dependency: string): string | undefined => {
  const installed = findPackage(folder, dependency);
  const version = installed === null ? undefined : readPackageFile(installed)['version'];
  return typeof version === 'string' ? `^${version}` : undefined;
};

/** The packages that `@strapi/utils` re-exports, each with a pattern of its use. */
const REEXPORTED: readonly (readonly [name: string, use: RegExp])[] = [
  ['yup', /\byup\b/],
  ['zod', /\b(?:z|validateZod)\b/],
];

const reexportsIn = (file: string): readonly string[] => {
  const text = readWithoutComments(file);
  if (!/@strapi\/utils\b|\bstrapi\.utils\b|\badd(?:Query|Input)Params\b/.test(text)) return [];
  return REEXPORTED.flatMap(([name, use]) => (use.test(text) ? [name] : []));
};

/**
 * Plans the packages of the project created from a Strapi project: those that it lists, and those that its
 * code imports because Strapi depends on them.
 */
export function planPackages(root: string): PackagePlan {
  const manifest = readPackageFile(root);
  const [listed, listedForDevelopment] = ['dependencies', 'devDependencies'].map((key) =>
    packagesIn(manifest, key),
  ) as [Packages, Packages];
  const files = serverFiles(root);
  const strapi = strapiVersion(manifest);
  const versionOf = (dependency: string, file: string): string | undefined =>
    listed[dependency] ??
    listedForDevelopment[dependency] ??
    versionOfPlugin(root, dependency, file) ??
    (STANDALONE_PACKAGES.has(dependency) ? strapi : undefined) ??
    (dependency.startsWith('@strapi/') ? undefined : installedVersion(root, dependency)) ??
    STRAPI_DEPENDENCIES[dependency];
  const isKept = (dependency: string): boolean =>
    !isOfStrapi(dependency) && (dependency in listed || dependency in listedForDevelopment);
  const imported = [
    ...findMissingImports(root, files, isKept).flatMap(({ dependency, file }) =>
      dependency === null || (dependency.startsWith('@strapi/') && !STANDALONE_PACKAGES.has(dependency))
        ? []
        : [{ dependency, file }],
    ),
    ...files.flatMap((file) => reexportsIn(file).map((dependency) => ({ dependency, file }))),
  ];
  const needed = Object.fromEntries(
    imported.flatMap(({ dependency, file }) => {
      const version = isKept(dependency) ? undefined : versionOf(dependency, file);
      return version === undefined ? [] : [[dependency, version] as const];
    }),
  );
  const installable = (packages: Packages): Packages =>
    Object.fromEntries(
      Object.entries(packages).filter(([name, version]) => !isOfStrapi(name) && !isOfWorkspace(version)),
    );
  const all = { ...listed, ...listedForDevelopment };
  return {
    dependencies: { ...installable(listed), ...needed },
    devDependencies: installable(listedForDevelopment),
    added: Object.keys(needed).filter((name) => !(name in all)),
    dropped: Object.keys(all).filter((name) => isOfStrapi(name) && !(name in needed)),
    ofWorkspace: Object.keys(all).filter((name) => !isOfStrapi(name) && isOfWorkspace(all[name])),
  };
}

/** Returns the files and folders next to src/ and config/ that the project's code imports. */
export function findImportedEntries(root: string): readonly string[] {
  const aliases = readAliases(root);
  const reached = reachableFrom(serverFiles(root), aliases);
  const names = importedFiles(reached, aliases).map((file) => relativePath(root, file).split('/')[0] ?? '');
  return [...new Set(names)].filter((name) => !['..', 'src', 'config', 'node_modules', ''].includes(name));
}

/** Returns a function that is true for packages of the planned project. */
export function createPlannedPackageFinder({ dependencies, devDependencies }: PackagePlan): FindsPackage {
  return (dependency) => dependency in dependencies || dependency in devDependencies;
}
