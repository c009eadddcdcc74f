import { accountSettings } from '../config/account-settings.js';
import type { Config } from '../config/config.js';
import { createModuleLoader } from '../config/module-loader.js';
import type { ModuleLoader } from '../config/module-loader.js';
import { providePackages } from '../config/provide-packages.js';
import { processEnv } from '../config/strapi/load-strapi-config.js';
import { isRecord } from '../lib/records.js';
import { relativePath } from '../lib/text.js';
import type { ContentModel } from '../model/model.js';
import { createCodeFinder, loadProjectCode, loadProjectModule } from './code/project-code.js';
import { addBuiltinMiddlewares } from './http/builtin-middlewares.js';
import { createContentParams } from './http/content-params.js';
import { buildEntries } from './http/build-route-table.js';
import type { HttpHost } from './http/http-host.js';
import { describeEntry } from './http/route-table.js';
import type { ListedRoute } from './http/route-table.js';
import { registeredRoutes } from './http/routes.js';
import type { ProjectRoute } from './http/routes.js';
import { strapiPackages } from './package/packages.js';
import { createBuiltinPlugins, registerAdminCode } from './plugins/builtin-plugins.js';
import type { BuiltinPlugins } from './plugins/builtin-plugins.js';
import { applyExtension, loadPlugin } from './plugins/load-plugins.js';
import { isRunning, requirePlugins } from './plugins/find-plugins.js';
import { routersOf } from './plugins/plugin-definition.js';
import type { PluginDefinition } from './plugins/plugin-definition.js';
import type { PluginHost } from './plugins/plugin-host.js';
import {
  createPlaceholder,
  createHostStub,
  createStrapiStub,
  knownProperties,
  withGlobalStrapi,
} from './plugins/stubs.js';
import { findRegisterSources, mayAddRoutes } from './code/source-files.js';
import type { RecorderOptions } from './code/run-registers.js';
import { findRegisters, runRegisters } from './code/run-registers.js';
import { createRegistries } from './registry.js';
import type { Registries } from './registry.js';
import { isStrapiProject } from './report/project-report.js';

export interface ListRoutesOptions {
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly definitions: RecorderOptions['definitions'];
  readonly strapiConfig: Parameters<typeof isStrapiProject>[1];
}

interface Loading extends ListRoutesOptions {
  readonly registries: Registries;
  readonly strapi: object;
}

/** Registers the code that plugins offer to clients, after the extensions of the project have changed it. */
const registerPlugins = async (
  { root, config, model, strapiConfig, registries, strapi }: Loading,
  load: (file: string) => Promise<unknown>,
  extensions: Awaited<ReturnType<typeof loadProjectCode>>['extensions'],
): Promise<ReadonlyMap<string, PluginDefinition>> => {
  const { plugins } = strapiConfig.values;
  const settings = accountSettings(config);
  const services = (): PluginDefinition['services'] =>
    builtin.definitions.get('users-permissions')?.services ?? {};
  const host = createHostStub({
    accounts: { settings } as PluginHost['accounts'],
    service: <T>(_plugin: string, name: string) => {
      const service = services()[name];
      return (typeof service === 'function' ? Reflect.apply(service, undefined, [{ strapi }]) : service) as T;
    },
  });
  const builtin: BuiltinPlugins = createBuiltinPlugins(host, {
    graphql: createPlaceholder(),
    disabled: model.disabledPlugins,
    providers: { email: null, upload: null },
  });
  const definitions = new Map<string, PluginDefinition>(builtin.definitions);
  const files = new Map<string, string>();
  for (const plugin of requirePlugins(root, isRecord(plugins) ? plugins : {}).filter(isRunning)) {
    definitions.set(
      plugin.name,
      await loadPlugin(plugin, { root, load, tools: { strapi, env: processEnv } }),
    );
    files.set(plugin.name, relativePath(root, plugin.file));
  }
  for (const [name, { code, exported }] of extensions) {
    const definition = definitions.get(name);
    if (definition === undefined) continue;
    definitions.set(name, await applyExtension({ name, root, file: code.file }, definition, exported));
    files.set(name, files.get(name) ?? relativePath(root, code.file));
  }
  for (const [name, definition] of definitions) {
    registries.controllers.add(`plugin::${name}`, definition.controllers);
    registries.policies.add(`plugin::${name}`, definition.policies);
    registries.middlewares.add(`plugin::${name}`, definition.middlewares);
    const source = { file: files.get(name) ?? '' };
    if (name === 'users-permissions') {
      const router = builtin.users.changedRouter(definition, (controller) =>
        registries.controllers.get(`plugin::${name}.${controller}`),
      );
      registries.routes.set(`plugin::${name}.content-api`, () => router, source);
    } else registries.routes.add(`plugin::${name}`, routersOf(definition), source);
  }
  return definitions;
};

/** Returns the routes that code adds in `register`. */
const addedRoutes = async (
  { root, config, definitions, strapiConfig: { values } }: ListRoutesOptions,
  loader: Pick<ModuleLoader, 'load'>,
  plugins: ReadonlyMap<string, PluginDefinition>,
): Promise<readonly ProjectRoute[]> => {
  const declarations = isRecord(values['plugins']) ? values['plugins'] : {};
  const registers = await findRegisters(findRegisterSources(root, createCodeFinder(root)), {
    plugins: requirePlugins(root, declarations).filter(isRunning),
    definitions: plugins,
    load: (file) => loadProjectModule({ root, loader }, file),
    isIncluded: mayAddRoutes,
  });
  const { prefix } = config.api.rest;
  const known = knownProperties(root, values);
  return (await runRegisters(registers, { root, definitions, known, prefix })).routes;
};

const withProjectPath =
  (root: string) =>
  (route: ProjectRoute): ProjectRoute => {
    const { file } = route.origin;
    if (file === undefined) return route;
    return {
      ...route,
      origin: { ...route.origin, file: file.startsWith(root) ? relativePath(root, file) : file },
    };
  };

/**
 * Lists the routes that files of the project and its plugins declare, those that code adds in `register`, and
 * the handling of core routes, as the server finds them at its start. Evaluates the code and opens nothing.
 */
export async function listStrapiRoutes(options: ListRoutesOptions): Promise<readonly ListedRoute[]> {
  const { root, config, model, strapiConfig } = options;
  if (!isStrapiProject(root, strapiConfig)) return [];
  const { typesByUid } = model;
  const strapi = createStrapiStub(root, strapiConfig.values, {
    contentType: (uid: string) => typesByUid[uid],
    contentTypes: typesByUid,
    getModel: (uid: string) => typesByUid[uid],
    plugin: () => createPlaceholder(),
    service: () => createPlaceholder(),
    documents: createPlaceholder(),
    db: createPlaceholder(),
    query: createPlaceholder(),
  });
  const registries = createRegistries(() => strapi);
  const packages = strapiPackages(root);
  providePackages(root, packages);
  const { load } = createModuleLoader({ root, packages });
  return withGlobalStrapi(strapi, async () => {
    const code = await loadProjectCode({ root, loader: { load }, registries });
    registerAdminCode(registries);
    const plugins = await registerPlugins({ ...options, registries, strapi }, load, code.extensions);
    const added = await addedRoutes(options, { load }, plugins);
    const { prefix } = config.api.rest;
    addBuiltinMiddlewares(registries);
    const logger = { warn: () => undefined };
    const contentParams = createContentParams(() => undefined);
    const known = { root, strapi, model, prefix, logger, contentParams, ...registries, loadModule: load };
    const host = known as unknown as HttpHost;
    const routes = [...added, ...registeredRoutes(registries.routes, prefix)].map(withProjectPath(root));
    const entries = buildEntries(host, routes, {
      readBody: async () => undefined,
      passOn: () => async () => undefined,
      onProblem: () => undefined,
    });
    return entries.map(describeEntry);
  });
}
