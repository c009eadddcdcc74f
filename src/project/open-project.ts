import type { Config, ConfigOverrides } from '../config/config.js';
import { loadProjectConfig } from '../config/load-config.js';
import type { ProjectConfig } from '../config/load-config.js';
import type { Definitions, SchemaProblem } from '../model/content-types/definition.js';
import { getDialect } from '../database/get-dialect.js';
import type { Dialect } from '../database/dialect/dialect.js';
import { createError } from '../errors/catalogue.js';
import type { FileIssue } from '../errors/galley-error.js';
import { messageOf } from '../lib/source-location.js';
import { buildModel } from '../model/build-model.js';
import type { ContentModel } from '../model/model.js';
import { loadDefinitionsTolerantly, loadProjectDefinitions } from './load-project-definitions.js';
import { projectPaths } from './project-paths.js';
import type { ProjectPaths } from './project-paths.js';
import { countNoun } from '../lib/count-noun.js';

/** A project, loaded from its files. No connection is open. */
export interface Project {
  readonly root: string;
  readonly config: Config;
  /** The configuration of config/, if that is the folder of a Strapi project. */
  readonly strapiConfig: ProjectConfig['strapi'];
  readonly definitions: Definitions;
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly paths: ProjectPaths;
  /** Problems of the schema files that do not prevent the start. */
  readonly warnings: readonly SchemaProblem[];
}

const messageOfProblem = ({ message, allowed }: SchemaProblem): string =>
  `${message}${allowed.length === 0 ? '' : ` (allowed: ${allowed.join(', ')})`}`;

/** `src/api/…/schema.json:12 author: there is no type api::autor.autor (allowed: …)` */
export function printProblem(problem: SchemaProblem): string {
  const { file, line, attribute } = problem;
  return `${file}:${line}${attribute === null ? '' : ` ${attribute}`}: ${messageOfProblem(problem)}`;
}

/** Returns a mistake of a schema file as errors list it. */
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
  message: `${messageOf(error)} Plugins are left out. Once it is solved, run: cms migrate`,
  allowed: [],
});

const loadProject = async (
  root: string,
  overrides: ConfigOverrides,
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
  });
};

/**
 * Loads a project: configuration, schema files, content-types of plugins, content model.
 *
 * @throws `config/load-failed`, `config/invalid`, what `loadPluginCode` throws, and
 *   `project/invalid-schemas`, which lists every mistake in the schema files
 */
export async function openProject(root: string, overrides: ConfigOverrides = {}): Promise<Project> {
  return loadProject(root, overrides, loadProjectDefinitions);
}

/**
 * The same for a project whose packages are not installed yet: plugins whose code cannot be loaded are left
 * out, with a warning.
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
