import type { ModuleLoader } from '../../config/module-loader.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { describeLoadFailure } from '../../lib/source-location.js';
import type { Registries, Registry } from '../registry.js';
import { createCodeFinder } from './find-code.js';
import type { CodeFile } from './find-code.js';

/** A loaded file of server code with its exports. */
interface LoadedModule {
  readonly code: CodeFile;
  readonly exported: unknown;
}

/** The server code of a project besides what is in the registries. */
export interface ProjectCode {
  /** Listeners of content types, by uid: an object of functions. */
  readonly lifecycles: ReadonlyMap<string, LoadedModule>;
  /** Extensions of plugins, src/extensions/<plugin>/strapi-server, by the name of the plugin. */
  readonly extensions: ReadonlyMap<string, LoadedModule>;
  /** Index files of APIs, which may have `register`, `bootstrap` and `destroy`. */
  readonly apis: ReadonlyMap<string, LoadedModule>;
  /** All files that were loaded. */
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
 * @throws `project/module-load-failed`, which names the file, the line and what cannot be imported
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
