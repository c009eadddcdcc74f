import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strapiVersion } from '../configuration/configuration-values.js';
import { readAliases } from '../../config/tsconfig-aliases.js';
import { isRecord } from '../../lib/is-record.js';
import { STANDALONE_PACKAGES, STRAPI_DEPENDENCIES } from '../package/strapi-dependencies.js';
import { readPackageFile } from '../read-package-file.js';
import { findMissingImports } from './missing-packages.js';
import type { FindsPackage } from './missing-packages.js';
import {
  codeFilesIn,
  importedFiles,
  reachableFrom,
  readWithoutComments,
  relativePath,
} from './source-files.js';

type Packages = Readonly<Record<string, string>>;

/** The packages of the project that a Strapi project becomes. */
export interface PackagePlan {
  readonly dependencies: Packages;
  readonly devDependencies: Packages;
  /** Those of them that package.json of the Strapi project does not list. */
  readonly added: readonly string[];
  /** Packages that only Strapi itself and its admin panel need, or that the new project has already. */
  readonly dropped: readonly string[];
  /** Packages of the workspace that the Strapi project stands in, which npm finds nowhere else. */
  readonly ofWorkspace: readonly string[];
}

/** Packages that store files and send messages, except those whose work Galley does without them. */
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

/** Versions that pnpm and Yarn take from the workspace. npm refuses to install anything beside them. */
const isOfWorkspace = (version: unknown): boolean =>
  /^(?:workspace|link|portal|catalog):/.test(String(version));

const packagesIn = (manifest: Readonly<Record<string, unknown>>, key: string): Packages =>
  isRecord(manifest[key]) ? (manifest[key] as Packages) : {};

const IDLE_FILE = /^(?:src\/admin|src\/plugins\/[^/]+\/admin)\/|^config\/(?:env\/\w+\/)?(?:admin|database)\./;

/** Returns the files of a project that are evaluated here, if anything imports them. */
export function serverFiles(root: string): readonly string[] {
  return ['src', 'config']
    .flatMap((folder) => codeFilesIn(join(root, folder)))
    .filter((file) => !IDLE_FILE.test(relativePath(root, file)));
}

/** The version that the package.json of the plugin of a file asks for. */
const versionOfPlugin = (root: string, dependency: string, file: string): string | undefined => {
  const folder = dirname(file);
  if (folder === root || folder === dirname(folder)) return undefined;
  return (
    packagesIn(readPackageFile(folder), 'dependencies')[dependency] ??
    versionOfPlugin(root, dependency, folder)
  );
};

const installedVersion = (folder: string, dependency: string): string | undefined => {
  const installed = join(folder, 'node_modules', dependency);
  if (existsSync(installed)) {
    const { version } = readPackageFile(installed);
    return typeof version === 'string' ? `^${version}` : undefined;
  }
  return folder === dirname(folder) ? undefined : installedVersion(dirname(folder), dependency);
};

/** The packages that `@strapi/utils` re-exports, each with the pattern of its use. */
const PASSED_ON: readonly (readonly [name: string, use: RegExp])[] = [
  ['yup', /\byup\b/],
  ['zod', /\b(?:z|validateZod)\b/],
];

const passedOnIn = (file: string): readonly string[] => {
  const text = readWithoutComments(file);
  if (!/@strapi\/utils\b|\bstrapi\.utils\b/.test(text)) return [];
  return PASSED_ON.flatMap(([name, use]) => (use.test(text) ? [name] : []));
};

/**
 * Plans the packages of the project that a Strapi project becomes: those that it lists, and those that its
 * code imports because Strapi brings them along.
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
    ...files.flatMap((file) => passedOnIn(file).map((dependency) => ({ dependency, file }))),
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

/** Returns the names of what stands beside src/ and config/ in a project and is imported from there. */
export function entriesImportedFrom(root: string): readonly string[] {
  const aliases = readAliases(root);
  const reached = reachableFrom(serverFiles(root), aliases);
  const names = importedFiles(reached, aliases).map((file) => relativePath(root, file).split('/')[0] ?? '');
  return [...new Set(names)].filter((name) => !['..', 'src', 'config', 'node_modules', ''].includes(name));
}

/** Finds packages where the code of a Strapi project will be: in the project that it becomes. */
export function findsPlannedPackage({ dependencies, devDependencies }: PackagePlan): FindsPackage {
  return (dependency) => dependency in dependencies || dependency in devDependencies;
}
