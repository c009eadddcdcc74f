/**
 * Opens the plugins of a project. Start at {@link openPlugins}. find-plugins.ts lists plugins,
 * evaluate-plugins.ts reads their content-types before the model is built, and the other files implement the
 * built-in plugins.
 */
import { isRecord } from '../../lib/records.js';
import type { StrapiContext } from '../strapi.js';
import type { Log } from '../runtime/log.js';
import { createBuiltinPlugins, registerAdminCode, openEmailProvider } from './builtin-plugins.js';
import type { BuiltinPlugins } from './builtin-plugins.js';
import { applyExtensions, loadProjectPlugins } from './load-plugins.js';
import { createPluginObject, routersOf } from './plugin-definition.js';
import type { PluginDefinition, PluginObject } from './plugin-definition.js';
import { pluginFailure } from './plugin-host.js';
import type { PluginHost } from './plugin-host.js';
import { createSigningMiddleware, openUploadProvider } from './upload-provider.js';

/** The plugins of one application. */
export interface Plugins {
  readonly plugin: (name: string) => PluginObject | undefined;
  readonly plugins: Readonly<Record<string, PluginObject>>;
  /** Runs a lifecycle function of all plugins in turn. */
  readonly run: (name: 'register' | 'bootstrap' | 'destroy') => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PluginsDependencies extends Pick<
  StrapiContext,
  'root' | 'registries' | 'configuration' | 'code' | 'graphql' | 'model' | 'strapi'
> {
  readonly host: PluginHost;
  readonly log: Log;
  readonly env: unknown;
  /** `strapi.db.lifecycles.subscribe` */
  readonly subscribe: (subscriber: Readonly<Record<string, unknown>>) => void;
}

const registerRoutes = (
  { registries: { routes, controllers }, root, code }: PluginsDependencies,
  name: string,
  definition: PluginDefinition,
  builtin: BuiltinPlugins,
): void => {
  const namespace = `plugin::${name}`;
  const file = code.extensions.get(name)?.code.file ?? root;
  if (name === 'users-permissions') {
    const controllerOf = (controller: string): unknown => controllers.get(`${namespace}.${controller}`);
    const router = (): unknown => builtin.users.changedRouter(definition, controllerOf);
    routes.set(`${namespace}.content-api`, router, { file });
    return;
  }
  routes.add(namespace, routersOf(definition), { file });
};

/** Subscribes the lifecycle listeners that a plugin or an extension adds to content-types. */
const registerTypes = (
  { subscribe }: PluginsDependencies,
  name: string,
  { contentTypes }: PluginDefinition,
): void => {
  for (const [key, type] of Object.entries(contentTypes)) {
    const lifecycles: unknown = isRecord(type) ? type['lifecycles'] : undefined;
    if (isRecord(lifecycles)) subscribe({ models: [`plugin::${name}.${key}`], ...lifecycles });
  }
};

const registerPlugin = (
  dependencies: PluginsDependencies,
  name: string,
  definition: PluginDefinition,
  builtin: BuiltinPlugins,
): void => {
  const { registries, configuration } = dependencies;
  const namespace = `plugin::${name}`;
  registries.services.add(namespace, definition.services);
  registries.controllers.add(namespace, definition.controllers);
  registries.policies.add(namespace, definition.policies);
  registries.middlewares.add(namespace, definition.middlewares);
  registerRoutes(dependencies, name, definition, builtin);
  registerTypes(dependencies, name, definition);
  const given = configuration.get(namespace);
  configuration.set(namespace, { ...definition.config, ...(isRecord(given) ? given : {}) });
};

const runAll =
  (
    definitions: ReadonlyMap<string, PluginDefinition>,
    { strapi, root }: Pick<PluginsDependencies, 'strapi' | 'root'>,
  ): Plugins['run'] =>
  async (name) => {
    for (const [plugin, definition] of definitions) {
      const run = definition[name];
      if (typeof run !== 'function') continue;
      try {
        await Reflect.apply(run, definition, [{ strapi }]);
      } catch (cause) {
        throw pluginFailure(root, { plugin, name }, cause);
      }
    }
  };

/**
 * Opens the plugins of a project: the built-in ones and those of the project, changed by its extensions.
 * Registers all their code.
 */
export async function openPlugins(dependencies: PluginsDependencies): Promise<Plugins> {
  const { root, registries, configuration, code, graphql, model, strapi, host, log, env } = dependencies;
  const upload = await openUploadProvider(host);
  const builtin = createBuiltinPlugins(host, {
    graphql,
    disabled: model.disabledPlugins,
    providers: { email: await openEmailProvider(host), upload },
  });
  if (upload !== null && (await upload['isPrivate']?.(undefined)) === true)
    strapi.documents.use(
      createSigningMiddleware({ name: String(host.read('plugin::upload.provider')), provider: upload }),
    );
  const declarations = configuration.get('plugins', {});
  const project = await loadProjectPlugins({
    root,
    declarations: isRecord(declarations) ? declarations : {},
    tools: { strapi, env },
    load: host.load,
    log,
    hasType: (uid) => Object.hasOwn(model.typesByUid, uid),
  });
  const all = new Map([...builtin.definitions, ...project]);
  const definitions = await applyExtensions(all, code, { root, log });
  registerAdminCode(registries);
  const plugins: Record<string, PluginObject> = {};
  for (const [name, definition] of definitions) {
    registerPlugin(dependencies, name, definition, builtin);
    const isBuiltin = builtin.definitions.has(name);
    const contentTypes = model.typesByUid;
    plugins[name] = createPluginObject({
      name,
      definition,
      registries,
      configuration,
      contentTypes,
      isBuiltin,
    });
  }
  return {
    plugin: (name) => (Object.hasOwn(plugins, name) ? plugins[name] : undefined),
    plugins,
    run: runAll(definitions, { strapi, root }),
    close: builtin.close,
  };
}
