/**
 * Describes a project written for Strapi without running it. Start at {@link reportProject}. plan-packages.ts
 * plans the dependencies of a converted project.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectConfig, UnappliedSetting } from '../../config/load-config.js';
import { isBuiltinProvider } from '../../config/strapi/config-values.js';
import { readAliases } from '../../config/module-loader.js';
import { byCodePoint, countNoun, relativePath } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { lineAt } from '../../lib/files.js';
import type { ContentModel } from '../../model/model.js';
import { createCodeFinder } from '../code/project-code.js';
import type { CodeFile } from '../code/project-code.js';
import { codeFilesIn, reachableFrom, readWithoutComments } from '../code/source-files.js';
import type { Aliases } from '../code/source-files.js';
import { createStrapiConfiguration } from '../configuration.js';
import { providerInstallHint, resolveProvider } from '../plugins/provider-package.js';
import { findUnavailable, findUnknownTypes } from '../unavailable.js';
import { findMissingImports, isInstalled } from './plan-packages.js';
import type { FindsPackage, MissingImport } from './plan-packages.js';
import { dependenciesOf, reportPlugins } from './plugin-report.js';
import type { PluginFiles, PluginReport } from './plugin-report.js';

/** A route that a file of the project declares. */
interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  /** `src/api/article/routes/custom.ts:4` */
  readonly place: string;
}

const PROPERTY = /\b(method|path)["']?\s*:\s*(['"`])([^'"`]*)\2/g;

/** Returns the routes of one file: each `method` with the nearest `path`. */
const routesIn = (root: string, file: string): readonly DeclaredRoute[] => {
  const text = readWithoutComments(file);
  const routes: DeclaredRoute[] = [];
  let pending: { readonly key: string; readonly value: string; readonly index: number } | null = null;
  for (const { 1: key = '', 3: value = '', index } of text.matchAll(PROPERTY)) {
    if (pending === null || pending.key === key) {
      pending = { key, value, index };
      continue;
    }
    const [method, path] = key === 'path' ? [pending.value, value] : [value, pending.value];
    routes.push({
      method: method.toUpperCase(),
      path,
      place: `${relativePath(root, file)}:${lineAt(text, pending.index)}`,
    });
    pending = null;
  }
  return routes;
};

/** Finds the routes that files declare, without core routes, which factories create. */
function findRoutes(root: string, files: readonly string[]): readonly DeclaredRoute[] {
  return files.flatMap((file) => routesIn(root, file));
}

/** A part of a project that does not run, or runs differently. */
export interface Notice {
  /** `src/index.ts:12`, or the name of a file or plugin. */
  readonly place: string;
  readonly reason: string;
}

/** The parts of a project written for Strapi, with those that run on Galley. */
export interface ProjectReport {
  /** The numbers of server code files: those that run, and all. */
  readonly files: { readonly running: number; readonly total: number };
  readonly routes: readonly DeclaredRoute[];
  readonly plugins: readonly PluginReport[];
  /** The parts that do not run, with reasons. */
  readonly notRunning: readonly Notice[];
  /** The problems that prevent the start: imports of packages and files that are missing. */
  readonly errors: readonly Notice[];
  /** The parts that run differently. */
  readonly warnings: readonly Notice[];
  /** The parts that only Strapi's admin panel and its database need. */
  readonly notNeeded: readonly Notice[];
}

/** `41 of 43 files of server code run` */
export function printRunningFiles({ files }: Pick<ProjectReport, 'files'>): string {
  const verb = files.total === 1 ? 'runs' : 'run';
  return `${files.running} of ${countNoun(files.total, 'file')} of server code ${verb}`;
}

/** Returns the reason why an import fails, with the remedy. */
const reasonOf = (dependencies: ReadonlySet<string>, { name, dependency }: MissingImport): string => {
  if (dependency === null) return `there is no file ${name}`;
  if (dependency.startsWith('@strapi/'))
    return `Galley has no ${name}. See docs/strapi.md for the modules of Strapi that code can import`;
  return dependencies.has(dependency)
    ? `${dependency} is not installed; run npm install`
    : `${dependency} is not installed; package.json does not list it: npm install ${dependency}`;
};

/** Returns files that cannot be loaded, because they or files that they import lack an import. */
const brokenFiles = (
  files: readonly string[],
  missing: readonly MissingImport[],
  aliases: Aliases,
): ReadonlySet<string> => {
  const causes = new Set(missing.filter(({ isLazy }) => !isLazy).map(({ file }) => file));
  if (causes.size === 0) return causes;
  return new Set(
    files.filter((file) => [...reachableFrom([file], aliases)].some((reached) => causes.has(reached))),
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

const unknownTypes = (root: string, files: readonly string[], model: ContentModel): readonly Notice[] =>
  files.flatMap((file) => {
    const text = readWithoutComments(file);
    return findUnknownTypes(model, text).map(({ index, reason }) => ({
      place: `${relativePath(root, file)}:${lineAt(text, index)}`,
      reason,
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
    : [{ place: 'src/admin', reason: `${countNoun(count, 'file')} of the admin panel` }];
};

const migrationNotices = (root: string): readonly Notice[] => {
  const folder = join(root, 'database', 'migrations');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  return files.map((name) => ({
    place: `database/migrations/${name}`,
    reason: "changes the tables of Strapi's database, which differ here",
  }));
};

/** Returns the notice about a setting without effect. */
export function toNotice({ place, path, reason }: UnappliedSetting): Notice {
  return { place, reason: `${path} ${reason}` };
}

/** Returns the notices about providers in config/plugins that are not installed. */
const missingProviders = (
  root: string,
  { values }: ProjectConfig['strapi'],
  findsPackage: FindsPackage,
): readonly Notice[] => {
  const { get } = createStrapiConfiguration({ ...values });
  return (['email', 'upload'] as const).flatMap((kind) => {
    const name = get(`plugins.${kind}.config.provider`);
    const options = get(`plugins.${kind}.config.providerOptions`);
    if (typeof name !== 'string' || isBuiltinProvider(kind, name, options)) return [];
    const names = [name, `@strapi/provider-${kind}-${name}`];
    if (names.some((each) => findsPackage(each, join(root, 'package.json')))) return [];
    if (resolveProvider(root, { kind, name }) !== null) return [];
    const reason = `"${name}" is not installed: ${providerInstallHint({ kind, name })}`;
    return [{ place: `config: plugins.${kind}.config.provider`, reason }];
  });
};

const CONFIG_NOTICES: Readonly<Record<string, string>> = {
  admin: 'settings of the admin panel, which strapi.config.get reads alone',
  database: 'DATABASE_URL or cms.config.* names the database',
};

const IDLE_CONFIG = /^config\/(?:env\/\w+\/)?(?:admin|database)\./;

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
    ...code.map(({ file }) => file).filter((file) => plugins.idleReason(file) === undefined),
    ...(index === undefined ? [] : [index.file]),
    ...plugins.entries,
    ...config.files.map((file) => join(root, file)),
  ];
};

const isAdminFile = (root: string, file: string): boolean =>
  /^src\/(?:admin|plugins\/[^/]+\/admin)\//.test(relativePath(root, file));

/** True if a project has files of a Strapi project, in config/ or among its code, besides src/index. */
export function isStrapiProject(root: string, config: ProjectConfig['strapi']): boolean {
  return config.files.length > 0 || createCodeFinder(root).findAll().length > 0;
}

interface ReportOptions {
  readonly config: ProjectConfig['strapi'];
  /** Null if the schemas are invalid. */
  readonly model: ContentModel | null;
  /** True if the project's code finds a package. By default, if it is installed. */
  readonly findsPackage?: FindsPackage | undefined;
}

/** Reports the parts of a project that run here. Reads its files and evaluates none. */
export function reportProject(
  root: string,
  { config, model, findsPackage = isInstalled }: ReportOptions,
): ProjectReport {
  const code = createCodeFinder(root).findAll();
  const index = createCodeFinder(root).findModule(join(root, 'src'), 'index');
  const all = codeFilesIn(join(root, 'src')).filter((file) => !isAdminFile(root, file));
  const declarations = isRecord(config.values['plugins']) ? config.values['plugins'] : {};
  const plugins = reportPlugins(
    root,
    declarations,
    code.filter(({ kind }) => kind === 'extension'),
  );
  const aliases = readAliases(root);
  const running = reachableFrom(entriesOf(root, code, { config, plugins }), aliases);
  const shadowed = shadowedFiles(root, [
    ...code,
    ...(index === undefined ? [] : [{ kind: 'api' as const, name: 'index', ...index }]),
  ]);
  const idle = all.filter((file) => !running.has(file));
  const counted = all.filter((file) => !shadowed.has(file));
  // Imports of config/admin and config/database are not needed here.
  const needed = [...running]
    .toSorted(byCodePoint)
    .filter((file) => !IDLE_CONFIG.test(relativePath(root, file)));
  const missing = findMissingImports(root, needed, findsPackage);
  const broken = brokenFiles([...running], missing, aliases);
  const files = counted.filter((file) => running.has(file) && !broken.has(file));
  const dependencies = new Set(dependenciesOf(root));
  const noticesOf = (imports: readonly MissingImport[]): readonly Notice[] =>
    imports.map((imported) => ({
      place: `${relativePath(root, imported.file)}:${imported.line}`,
      reason: reasonOf(dependencies, imported),
    }));
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
        reason: plugins.idleReason(file) ?? shadowed.get(file) ?? 'no file that runs imports it',
      })),
      ...migrationNotices(root),
      ...missingProviders(root, config, findsPackage),
      ...config.ignored.map(toNotice),
    ],
    errors: noticesOf(missing.filter(({ isLazy }) => !isLazy)),
    warnings: [
      ...noticesOf(missing.filter(({ isLazy }) => isLazy)),
      ...unavailableCalls(root, needed),
      ...config.skipped
        .filter(({ file }) => !IDLE_CONFIG.test(file))
        .map(({ file, reason }) => ({
          place: file,
          reason: `cannot be evaluated, so nothing reads it: ${reason}`,
        })),
      ...(model === null ? [] : unknownTypes(root, needed, model)),
    ],
    notNeeded: [...adminNotices(root), ...configNotices(config)],
  };
}
