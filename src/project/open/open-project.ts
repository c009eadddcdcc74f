import { join } from 'node:path';
import type { Config, ConfigOverrides } from '../../config/config.js';
import { loadProjectConfig } from '../../config/load-config.js';
import type { ProjectConfig } from '../../config/load-config.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { getDialect } from '../../database/get-dialect.js';
import { createError } from '../../errors/catalogue.js';
import type { FileIssue } from '../../errors/galley-error.js';
import { countNoun } from '../../lib/text.js';
import { messageOf } from '../../lib/caught-errors.js';
import { buildModel } from '../../model/build-model.js';
import type { Definitions, SchemaProblem } from '../../model/content-types/definition.js';
import type { ContentModel } from '../../model/model.js';
import { loadDefinitionsTolerantly, loadProjectDefinitions } from './load-project-definitions.js';

/**
 * Returns the URL of a server, such as `http://127.0.0.1:1337`. The host is localhost for a server that
 * listens on all addresses.
 */
export function serverUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the public URL of the server: the configured one, otherwise from host and port. */
export function publicUrl({ server: { url, host, port } }: Pick<Config, 'server'>): string {
  return url || serverUrl(host, port);
}

/** Returns the path under which a proxy serves the server, such as `/cms`. Usually empty. */
export function publicPathOf({ url = '' }: Pick<Config['server'], 'url'>): string {
  return url === '' ? '' : new URL(url).pathname.replace(/\/$/, '');
}

/**
 * The paths of generated files, relative to the project. They follow Prisma's conventions. All except
 * `client` are committed.
 */
export const GENERATED = {
  schema: 'prisma/schema.prisma',
  migrations: 'prisma/migrations',
  /** Ignored by git. Generated again if it is missing. */
  client: '.galley/client',
} as const;

interface ProjectPaths {
  readonly schema: string;
  readonly migrations: string;
  readonly client: string;
}

/** Returns the absolute paths of a project's generated files. */
function projectPaths(root: string): ProjectPaths {
  return {
    schema: join(root, GENERATED.schema),
    migrations: join(root, GENERATED.migrations),
    client: join(root, GENERATED.client),
  };
}

/** A project, loaded from its files. No connection is open. */
export interface Project {
  readonly root: string;
  readonly config: Config;
  /** The configuration in config/ of a Strapi project. */
  readonly strapiConfig: ProjectConfig['strapi'];
  readonly definitions: Definitions;
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly paths: ProjectPaths;
  /** Problems of the schema files that do not prevent the start. */
  readonly warnings: readonly SchemaProblem[];
  /** The command that opened the project, such as `content update`. Absent in servers. */
  readonly command?: string | undefined;
}

/** Options of loading a project. */
export interface ProjectOptions extends ConfigOverrides {
  /** The command that opens the project, for the log of writes. */
  readonly command?: string | undefined;
}

const messageOfProblem = ({ message, allowed }: SchemaProblem): string =>
  `${message}${allowed.length === 0 ? '' : ` (allowed: ${allowed.join(', ')})`}`;

/** `src/api/…/schema.json:12 author: there is no type api::autor.autor (allowed: …)` */
export function printProblem(problem: SchemaProblem): string {
  const { file, line, attribute } = problem;
  return `${file}:${line}${attribute === null ? '' : ` ${attribute}`}: ${messageOfProblem(problem)}`;
}

/** Converts a mistake in a schema file to an issue of an error. */
export function toFileIssue(problem: SchemaProblem): FileIssue {
  const { file, line, attribute } = problem;
  return { file, line, path: attribute === null ? [] : [attribute], message: messageOfProblem(problem) };
}

const pluginWarning = (error: unknown): SchemaProblem => ({
  severity: 'warning',
  code: 'plugin-not-loaded',
  file: 'config/plugins',
  line: 1,
  attribute: null,
  message: `${messageOf(error)} Plugins are omitted. After solving this, run: cms migrate`,
  allowed: [],
});

const loadProject = async (
  root: string,
  { command, ...overrides }: ProjectOptions,
  load: (root: string, strapi: ProjectConfig['strapi']) => Promise<Definitions>,
): Promise<Project> => {
  const { config, strapi } = await loadProjectConfig(root, overrides);
  const disabledPlugins = Object.keys(config.plugins).filter(
    (name) => config.plugins[name]?.enabled === false,
  );
  const { privateAttributes, strictRelations, validation } = config.api;
  const unchecked = { requiredLinks: !strictRelations, uniqueChoices: true };
  const definitions = {
    ...(await load(root, strapi)),
    disabledPlugins,
    privateAttributes,
    ...(validation === 'strapi' ? { unchecked } : {}),
  };
  const { model, problems } = buildModel(definitions);
  const mistakes = problems.filter(({ severity }) => severity === 'error');
  if (model === null || mistakes.length > 0) {
    const count = countNoun(mistakes.length, 'mistake');
    throw createError(
      'project/invalid-schemas',
      { count, problems: mistakes.map(printProblem).join('\n') },
      { details: { fileIssues: mistakes.map(toFileIssue) } },
    );
  }
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  return Object.freeze({
    root,
    config,
    strapiConfig: strapi,
    definitions,
    model,
    dialect: getDialect(config.database.provider),
    paths: projectPaths(root),
    warnings,
    ...(command === undefined ? {} : { command }),
  });
};

/**
 * Loads a project: configuration, schema files, content-types of plugins, content model.
 *
 * @throws `config/load-failed`, `config/invalid`, the errors of `loadPluginCode`, and
 *   `project/invalid-schemas`, which lists every mistake in the schema files
 */
export async function openProject(root: string, options: ProjectOptions = {}): Promise<Project> {
  return loadProject(root, options, loadProjectDefinitions);
}

/**
 * Loads a project whose packages are not installed yet. Omits plugins whose code cannot be loaded, with a
 * warning.
 *
 * @throws `config/load-failed`, `config/invalid`, `project/invalid-schemas`
 */
export async function openUninstalledProject(root: string): Promise<Project> {
  const warnings: SchemaProblem[] = [];
  const project = await loadProject(root, {}, (folder, strapi) =>
    loadDefinitionsTolerantly(folder, strapi, (error) => warnings.push(pluginWarning(error))),
  );
  return Object.freeze({ ...project, warnings: [...project.warnings, ...warnings] });
}
