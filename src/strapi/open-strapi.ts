import { assignProperties } from '../lib/assign-properties.js';
import { processEnv } from '../config/strapi/create-env.js';
import { createModuleLoader } from '../config/module-loader.js';
import { providePackages } from '../config/provide-packages.js';
import type { ModuleLoader } from '../config/module-loader.js';
import { loadProjectCode } from './code/load-project-code.js';
import type { StrapiContext } from './context.js';
import { createServerState } from '../database/server-state.js';
import { createData } from './database/create-database.js';
import { createAdminTypes } from './database/memory/admin-types.js';
import { subscribeModule } from './database/lifecycles.js';
import { createProjectRoutes } from './http/create-http-plugins.js';
import type { ProjectRoutes } from './http/create-http-plugins.js';
import { runLifecycle } from './lifecycle.js';
import { strapiPackages } from './package/packages.js';
import { createAdmin } from './plugins/admin-code.js';
import { createPluginHost } from './plugins/create-host.js';
import { openPlugins } from './plugins/open-plugins.js';
import { hookFailure } from './plugins/plugin-failure.js';
import { createHooks } from './runtime/hooks.js';
import { createRuntime } from './runtime/create-runtime.js';
import { createStoreDefaults, tellUnheld } from './runtime/store-defaults.js';
import { watchAttributes } from './watch-attributes.js';

/** The server code of a project, loaded. Its functions are called in this order. */
export interface OpenStrapi {
  /** Evaluates src/index and whatever else belongs to the project's code. */
  readonly loader: ModuleLoader;
  /** Runs `register` of plugins and APIs, before that of the project. */
  readonly register: () => Promise<void>;
  /** The routes of the project, registered after `register` and before Galley's own. */
  readonly routes: ProjectRoutes;
  /** Runs `bootstrap` of plugins and APIs, before that of the project. */
  readonly bootstrap: () => Promise<void>;
  /** Starts cron tasks, after `bootstrap` of the project. */
  readonly start: () => void;
  /** Runs `destroy` of plugins and APIs, after that of the project. */
  readonly destroy: () => Promise<void>;
}

/**
 * Loads the server code of a project, and adds to `strapi` what needs open services. While the code is
 * loaded, `strapi` is global, as it stays until another application takes its place.
 *
 * @throws `project/module-load-failed`
 */
export async function openStrapi(parts: Omit<StrapiContext, 'code' | 'loader'>): Promise<OpenStrapi> {
  const { root, strapi, registries } = parts;
  const { log } = strapi;
  const read = parts.configuration.get;
  const runtime = createRuntime({ ...parts, documents: parts.projectDocuments, log, read });
  const defaultLocale = parts.access.locales.defaultCode;
  const adminTypes = createAdminTypes({
    state: createServerState(parts.database),
    defaults: createStoreDefaults(parts.config, defaultLocale),
    beforeSet: tellUnheld(log),
    webhooks: runtime.properties.webhookStore,
    warn: log.warn,
  });
  const data = createData({ ...parts, defaultLocale, adminTypes });
  assignProperties(strapi, data);
  const packages = strapiPackages(root);
  assignProperties(strapi, runtime.properties);
  assignProperties(strapi, { utils: packages['@strapi/utils'] });
  Object.assign(globalThis, { strapi });
  providePackages(root, packages);
  const loader = createModuleLoader({ root, packages });
  const code = await loadProjectCode({ root, loader, registries });
  for (const [uid, { exported }] of code.lifecycles) subscribeModule(data.db.lifecycles, uid, exported);
  const hooks = createHooks();
  const host = createPluginHost({ ...parts, loader }, loader);
  const plugins = await openPlugins({
    ...parts,
    code,
    host,
    log,
    env: processEnv,
    subscribe: (subscriber) => void data.db.lifecycles.subscribe(subscriber),
  });
  assignProperties(strapi, {
    plugin: plugins.plugin,
    plugins: plugins.plugins,
    admin: createAdmin(),
    hook: hooks.hook,
  });
  const context: StrapiContext = { ...parts, code, loader };
  const tellAddedAttributes = watchAttributes(data.contentTypes, log);
  return {
    loader,
    register: async () => {
      await plugins.run('register');
      await runLifecycle(context, 'register');
    },
    routes: createProjectRoutes(context),
    bootstrap: async () => {
      tellAddedAttributes();
      await hooks.runSync(data.contentTypes).catch((cause: unknown) => {
        throw hookFailure(root, cause);
      });
      await plugins.run('bootstrap');
      await runLifecycle(context, 'bootstrap');
    },
    start: runtime.start,
    destroy: async () => {
      runtime.stop();
      await runLifecycle(context, 'destroy');
      await plugins.run('destroy');
      await plugins.close();
      if (Reflect.get(globalThis, 'strapi') === strapi) Reflect.deleteProperty(globalThis, 'strapi');
    },
  };
}
