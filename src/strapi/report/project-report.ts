import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ProjectConfig, UnappliedSetting } from '../../config/load-config.js';
import { isBuiltinProvider } from '../../config/strapi/builtin-providers.js';
import { readAliases, resolveAlias } from '../../config/tsconfig-aliases.js';
import { isRecord } from '../../lib/is-record.js';
import { lineAt } from '../../lib/source-text.js';
import { createStrapiConfiguration } from '../configuration/strapi-configuration.js';
import { createCodeFinder } from '../code/find-code.js';
import type { CodeFile } from '../code/find-code.js';
import { PROVIDED_NAMES } from '../package/packages.js';
import { installProvider, resolveProvider } from '../plugins/provider-package.js';
import { findUnavailable } from '../unavailable.js';
import { dependenciesOf, reportPlugins } from './plugin-report.js';
import type { PluginFiles, PluginReport } from './plugin-report.js';
import { findRoutes } from './route-report.js';
import type { OwnRoute } from './route-report.js';
import {
  codeFilesIn,
  importsOf,
  packageOf,
  reachableFrom,
  readWithoutComments,
  relativePath,
} from './source-files.js';

/** Something of a project that does not run, or not as in Strapi. */
export interface Notice {
  /** `src/index.ts:12`, or the name of a file or plugin. */
  readonly place: string;
  readonly reason: string;
}

/** What a project written for Strapi has, and what of it runs here. */
export interface ProjectReport {
  /** Files of server code that run, of all. */
  readonly files: { readonly running: number; readonly total: number };
  readonly routes: readonly OwnRoute[];
  readonly plugins: readonly PluginReport[];
  /** What does not run, and why. */
  readonly notRunning: readonly Notice[];
  /** What runs with a difference, or stops the start. */
  readonly warnings: readonly Notice[];
  /** What only Strapi's admin panel and its database need. */
  readonly notNeeded: readonly Notice[];
}

/** Packages that are Strapi itself, and whose types are all that server code uses of them. */
const isStrapiPackage = (name: string): boolean =>
  name === 'galley' || PROVIDED_NAMES.includes(name) || name.startsWith('@strapi/');

const isInstalled = (root: string, name: string): boolean => {
  if (existsSync(join(root, 'node_modules', name))) return true;
  try {
    createRequire(join(root, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
};

const missingPackages = (root: string, files: readonly string[]): readonly Notice[] => {
  const dependencies = new Set(dependenciesOf(root));
  const aliases = readAliases(root);
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ name, line }) => {
      const dependency = resolveAlias(aliases, name) === null ? packageOf(name) : null;
      if (dependency === null || isStrapiPackage(dependency) || isInstalled(root, dependency)) return [];
      const remedy = dependencies.has(dependency)
        ? 'run npm install'
        : `package.json does not list it: npm install ${dependency}`;
      return [
        {
          place: `${relativePath(root, file)}:${line}`,
          reason: `${dependency} is not installed; ${remedy}`,
        },
      ];
    }),
  );
};

const unavailableCalls = (root: string, files: readonly string[]): readonly Notice[] =>
  files.flatMap((file) => {
    const text = readWithoutComments(file);
    return findUnavailable(text).map(({ index, name, remedy }) => ({
      place: `${relativePath(root, file)}:${lineAt(text, index)}`,
      reason: `there is no ${name}. ${remedy}`,
    }));
  });

const shadowedFiles = (root: string, code: readonly CodeFile[]): ReadonlyMap<string, string> =>
  new Map(
    code.flatMap(({ file, shadowed }) =>
      shadowed === null ? [] : [[shadowed, `${relativePath(root, file)} runs instead`] as const],
    ),
  );

const adminNotices = (root: string): readonly Notice[] => {
  const count = codeFilesIn(join(root, 'src', 'admin')).length;
  return count === 0
    ? []
    : [{ place: 'src/admin', reason: `${count} ${count === 1 ? 'file' : 'files'} of the admin panel` }];
};

const migrationNotices = (root: string): readonly Notice[] => {
  const folder = join(root, 'database', 'migrations');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  return files.map((name) => ({
    place: `database/migrations/${name}`,
    reason: "changes the tables of Strapi's database, which differ here",
  }));
};

/** `config/server.ts:3`, and of the option its name. */
export function noticeOf({ place, path, reason }: UnappliedSetting): Notice {
  return { place, reason: `${path} ${reason}` };
}

/** Packages that config/plugins names as providers and that are not installed. */
const missingProviders = (root: string, { values }: ProjectConfig['strapi']): readonly Notice[] => {
  const { get } = createStrapiConfiguration({ ...values });
  return (['email', 'upload'] as const).flatMap((kind) => {
    const name = get(`plugins.${kind}.config.provider`);
    const options = get(`plugins.${kind}.config.providerOptions`);
    if (typeof name !== 'string' || isBuiltinProvider(kind, name, options)) return [];
    if (resolveProvider(root, { kind, name }) !== null) return [];
    const reason = `"${name}" is not installed: ${installProvider({ kind, name })}`;
    return [{ place: `config: plugins.${kind}.config.provider`, reason }];
  });
};

const CONFIG_NOTICES: Readonly<Record<string, string>> = {
  admin: 'settings of the admin panel, which strapi.config.get reads alone',
  database: 'DATABASE_URL or cms.config.* names the database',
};

const configNotices = ({ files }: ProjectConfig['strapi']): readonly Notice[] =>
  files.flatMap((file) => {
    const reason = CONFIG_NOTICES[/([\w-]+)\.\w+$/.exec(file)?.[1] ?? ''];
    return reason === undefined ? [] : [{ place: file, reason }];
  });

const entriesOf = (
  root: string,
  code: readonly CodeFile[],
  { config, plugins }: { readonly config: ProjectConfig['strapi']; readonly plugins: PluginFiles },
): string[] => {
  const index = createCodeFinder(root).findModule(join(root, 'src'), 'index');
  return [
    ...code.map(({ file }) => file).filter((file) => plugins.whyIdle(file) === undefined),
    ...(index === undefined ? [] : [index.file]),
    ...plugins.entries,
    ...config.files.map((file) => join(root, file)),
  ];
};

const isAdminFile = (root: string, file: string): boolean =>
  /^src\/(?:admin|plugins\/[^/]+\/admin)\//.test(relativePath(root, file));

/** Whether a project has files of a Strapi project, in config/ or among its code, besides src/index. */
export function isStrapiProject(root: string, config: ProjectConfig['strapi']): boolean {
  return config.files.length > 0 || createCodeFinder(root).findAll().length > 0;
}

/** Reports what of a project runs here. Reads its files and evaluates none. */
export function reportProject(root: string, config: ProjectConfig['strapi']): ProjectReport {
  const code = createCodeFinder(root).findAll();
  const index = createCodeFinder(root).findModule(join(root, 'src'), 'index');
  const all = codeFilesIn(join(root, 'src')).filter((file) => !isAdminFile(root, file));
  const declarations = isRecord(config.values['plugins']) ? config.values['plugins'] : {};
  const plugins = reportPlugins(
    root,
    declarations,
    code.filter(({ kind }) => kind === 'extension'),
  );
  const running = reachableFrom(entriesOf(root, code, { config, plugins }), readAliases(root));
  const shadowed = shadowedFiles(root, [
    ...code,
    ...(index === undefined ? [] : [{ kind: 'api' as const, name: 'index', ...index }]),
  ]);
  const idle = all.filter((file) => !running.has(file));
  const counted = all.filter((file) => !shadowed.has(file));
  const files = counted.filter((file) => running.has(file));
  // What config/admin and config/database import is not needed here.
  const needed = [...running].filter(
    (file) => !/^config\/(?:env\/\w+\/)?(?:admin|database)\./.test(relativePath(root, file)),
  );
  return {
    files: { running: files.length, total: counted.length },
    routes: findRoutes(
      root,
      code.filter(({ kind }) => kind === 'routes').map(({ file }) => file),
    ),
    plugins: plugins.plugins,
    notRunning: [
      ...idle.map((file) => ({
        place: relativePath(root, file),
        reason: plugins.whyIdle(file) ?? shadowed.get(file) ?? 'no file that runs imports it',
      })),
      ...migrationNotices(root),
      ...missingProviders(root, config),
      ...config.ignored.map(noticeOf),
    ],
    warnings: [...missingPackages(root, needed), ...unavailableCalls(root, needed)],
    notNeeded: [...adminNotices(root), ...configNotices(config)],
  };
}
