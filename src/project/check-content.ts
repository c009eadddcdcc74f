import { join } from 'node:path';
import { createModuleLoader } from '../config/module-loader.js';
import type { ModuleLoader } from '../config/module-loader.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/records.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import type { ContentType } from '../model/model.js';
import { createCodeFinder, loadProjectModule } from '../strapi/code/project-code.js';
import { RULES } from '../transfer/checks/check.js';
import type { ContentCheck } from '../transfer/checks/check.js';
import { runChecks } from '../transfer/checks/run-checks.js';
import type { CheckOptions, CheckReport } from '../transfer/checks/run-checks.js';
import type { MediaStores } from './open/content-stores.js';
import { projectCodeError } from './open/extensions.js';
import type { Project } from './open/open-project.js';
import { relativePath } from '../lib/text.js';

/** The folder of a project's checks. */
const FOLDER = 'src/checks';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Returns the reason why an export is not a check. Null: it is one. */
const problemOf = (exported: unknown, names: ReadonlySet<string>, project: Project): string | null => {
  if (!isRecord(exported) || typeof exported['check'] !== 'function')
    return 'its default export must be a check, as defineCheck returns it';
  const { name, level, types } = exported;
  if (typeof name !== 'string' || !NAME.test(name))
    return 'the name of its check must consist of lower-case words with hyphens between them';
  if (names.has(name)) return `there is another rule ${name}`;
  if (level !== undefined && level !== 'warning' && level !== 'error')
    return `the level of ${name} must be warning or error`;
  if (types === undefined) return null;
  if (!Array.isArray(types)) return `the types of ${name} must be a list`;
  const unknown = types.find((uid) => !Object.hasOwn(project.model.typesByUid, String(uid)));
  return unknown === undefined ? null : `${name} names the unknown content-type ${String(unknown)}`;
};

/** Returns a check whose errors name its file. */
const located = (root: string, file: string, check: ContentCheck): ContentCheck => ({
  ...check,
  check: async (document, version) => {
    try {
      return await check.check(document, version);
    } catch (error) {
      throw projectCodeError({ root, file, name: check.name }, error);
    }
  },
});

/**
 * Loads the checks of a project: the default exports of src/checks.
 *
 * @throws `project/module-load-failed`
 */
async function loadChecks(
  project: Project,
  openLoader: ModuleLoader | undefined,
): Promise<readonly ContentCheck[]> {
  const { root } = project;
  const modules = createCodeFinder(root).modulesIn(join(root, FOLDER));
  if (modules.length === 0) return [];
  const loader = openLoader ?? createModuleLoader({ root });
  const names = new Set<string>(Object.keys(RULES));
  const checks: ContentCheck[] = [];
  for (const { file: path } of modules) {
    const file = relativePath(root, path);
    const exported = await loadProjectModule({ root, loader }, path);
    const reason = problemOf(exported, names, project);
    if (reason !== null) throw createError('project/module-load-failed', { file, reason });
    const check = exported as ContentCheck;
    names.add(check.name);
    checks.push(located(root, file, check));
  }
  return checks;
}

/** Returns the types that a check of a whole site examines: those of the project, and the media library. */
export function checkedTypes({ model }: Pick<Project, 'model'>): readonly ContentType[] {
  return model.types.filter(({ origin, uid }) => origin === 'project' || uid === FILE_UID);
}

/** The content to check. */
interface CheckedContent extends MediaStores {
  /** The loader of an open app, which shares modules with the rules. Default: a new one. */
  readonly loader?: ModuleLoader;
}

/**
 * Checks content by the built-in rules, the rules in src/checks, and the levels in cms.config. The stores may
 * be those of the project's database or of a remote server.
 *
 * @throws `config/invalid`, `project/module-load-failed`, `project/code-failed`
 */
export async function checkContent(
  project: Project,
  { loader, ...stores }: CheckedContent,
  options: CheckOptions,
): Promise<CheckReport> {
  const { config } = project;
  const { content: settings, server, api, upload } = config;
  const addresses = {
    links: settings.links,
    serverUrl: server.url ?? '',
    apiPrefix: api.rest.prefix,
    fileBases: upload.provider === 's3' ? [upload.s3.baseUrl] : [],
  };
  const checks = await loadChecks(project, loader);
  return runChecks({ ...stores, addresses, levels: settings.checks, checks }, options);
}
