/**
 * Runs code, plugins and configuration that were written for Strapi. Start at {@link openStrapi}, which loads
 * a project's code and opens the parts: `code/` finds and loads files, `database/` implements
 * `strapi.documents` and `strapi.db`, `http/` runs routes and middlewares, `mcp/` registers tools for agents,
 * `plugins/` opens plugins, and
 * `runtime/` holds cron tasks, events and the store. `package/` replaces `@strapi/strapi` and
 * `@strapi/utils`. `report/` describes a project without running it.
 */
import type { Registrations } from '../api/mcp/mcp-services.js';
import { createModuleLoader } from '../config/module-loader.js';
import type { ModuleLoader } from '../config/module-loader.js';
import { providePackages } from '../config/provide-packages.js';
import { processEnv } from '../config/strapi/load-strapi-config.js';
import { createServerState } from '../database/server-state.js';
import { assignProperties, isRecord } from '../lib/records.js';
import { loadProjectCode } from './code/project-code.js';
import { createDataProperties } from './database/create-database.js';
import { subscribeModule } from './database/lifecycles.js';
import { createAdminTypes } from './database/internal-types.js';
import { createProjectRoutes } from './http/create-project-routes.js';
import type { ProjectRoutes } from './http/create-project-routes.js';
import { createAi } from './mcp/create-ai.js';
import { strapiPackages } from './package/packages.js';
import { createAdmin } from './plugins/builtin-plugins.js';
import { openPlugins } from './plugins/open-plugins.js';
import { hookFailure } from './plugins/plugin-host.js';
import type { PluginHost } from './plugins/plugin-host.js';
import { createRuntime } from './runtime/create-runtime.js';
import type { Log } from './runtime/log.js';
import { createStoreDefaults, warnUnappliedSetting } from './runtime/store.js';
import type { StrapiContext } from './strapi.js';

/** Runs a lifecycle function of the index files of all APIs. */
async function runLifecycle(
  { code, strapi }: StrapiContext,
  name: 'register' | 'bootstrap' | 'destroy',
): Promise<void> {
  for (const { exported } of code.apis.values()) {
    const run = isRecord(exported) ? exported[name] : undefined;
    if (typeof run === 'function') await Reflect.apply(run, exported, [{ strapi }]);
  }
}

type Handler = (context: unknown) => unknown;

/** A hook of Strapi. Code registers its handlers. */
interface Hook {
  readonly register: (handler: Handler) => Hook;
  readonly delete: (handler: Handler) => Hook;
  readonly getHandlers: () => readonly Handler[];
  readonly call: (context: unknown) => Promise<void>;
}

/** `strapi.hook`, and the hooks that Strapi calls around the synchronization of its tables. */
interface Hooks {
  readonly hook: (name: string) => Hook;
  /** Calls the handlers of these hooks. Old and new content-types are equal, since migrations change them. */
  readonly runSync: (contentTypes: unknown) => Promise<void>;
}

const SYNC_HOOKS = ['strapi::content-types.beforeSync', 'strapi::content-types.afterSync'];

const createHook = (): Hook => {
  const handlers = new Set<Handler>();
  const hook: Hook = {
    register: (handler) => {
      handlers.add(handler);
      return hook;
    },
    delete: (handler) => {
      handlers.delete(handler);
      return hook;
    },
    getHandlers: () => [...handlers],
    call: async (context) => {
      for (const handler of handlers) await handler(context);
    },
  };
  return hook;
};

/** Creates the hooks of one application. */
function createHooks(): Hooks {
  const hooks = new Map<string, Hook>();
  const find = (name: string): Hook => {
    const hook = hooks.get(name) ?? createHook();
    hooks.set(name, hook);
    return hook;
  };
  return {
    hook: find,
    runSync: async (contentTypes) => {
      for (const name of SYNC_HOOKS) await find(name).call({ oldContentTypes: contentTypes, contentTypes });
    },
  };
}

type ContentTypes = Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;

/**
 * Returns a function that warns of attributes that code has added to content-types since. Strapi would create
 * columns for them; here the model is built before any code runs.
 */
export function watchAttributes(contentTypes: ContentTypes, log: Pick<Log, 'warn'>): () => void {
  const known = new Map(
    Object.entries(contentTypes).map(([uid, { attributes }]) => [uid, new Set(Object.keys(attributes))]),
  );
  return () => {
    for (const [uid, { attributes }] of Object.entries(contentTypes)) {
      const added = Object.keys(attributes).filter((name) => known.get(uid)?.has(name) === false);
      if (added.length > 0)
        log.warn(
          `Code adds attributes to ${uid} in register, which has no effect: ${added.join(', ')}. ` +
            'Write them into its schema file, or into strapi-server of src/extensions.',
        );
    }
  };
}

/** Creates the dependencies of the built-in plugins. */
function createPluginHost(
  { strapi, configuration, registries, ...parts }: Omit<StrapiContext, 'code'>,
  loader: ModuleLoader,
): PluginHost {
  const { root, config, model, database, access, accounts, documents, media } = parts;
  return {
    root,
    config,
    model,
    database,
    access,
    accounts,
    documents,
    media,
    log: strapi.log,
    store: strapi.store,
    query: (uid) => strapi.db.query(uid),
    read: configuration.get,
    service: <T>(plugin: string, name: string) => registries.services.get(`plugin::${plugin}.${name}`) as T,
    load: loader.load,
  };
}

/** The loaded server code of a project. Call its functions in this order. */
export interface OpenStrapi {
  /** Evaluates src/index and other project code. */
  readonly loader: ModuleLoader;
  /** Runs `register` of plugins and APIs, before the project's. */
  readonly register: () => Promise<void>;
  /** The routes of the project. Register them after `register` and before Galley's routes. */
  readonly routes: ProjectRoutes;
  /** Runs `bootstrap` of plugins and APIs, before the project's. */
  readonly bootstrap: () => Promise<void>;
  /** Starts cron tasks and ends registrations, after the project's `bootstrap`. */
  readonly start: () => void;
  /** The tools, prompts and resources that code registers with `strapi.ai.mcp`. */
  readonly registrations: Registrations;
  /** Runs `destroy` of plugins and APIs, after the project's. */
  readonly destroy: () => Promise<void>;
}

/**
 * Loads the server code of a project, and adds the properties to `strapi` that need open services. `strapi`
 * becomes global before the code is loaded, and stays so until another application replaces it.
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
    beforeSet: warnUnappliedSetting(log),
    webhooks: runtime.properties.webhookStore,
    warn: log.warn,
  });
  const data = createDataProperties({ ...parts, defaultLocale, adminTypes });
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
  const mcp = createAi({ ...parts, strapi });
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
    ai: mcp.ai,
  });
  const context: StrapiContext = { ...parts, code, loader };
  const warnAddedAttributes = watchAttributes(data.contentTypes, log);
  return {
    loader,
    register: async () => {
      await plugins.run('register');
      await runLifecycle(context, 'register');
    },
    routes: createProjectRoutes(context),
    bootstrap: async () => {
      warnAddedAttributes();
      await hooks.runSync(data.contentTypes).catch((cause: unknown) => {
        throw hookFailure(root, cause);
      });
      await plugins.run('bootstrap');
      await runLifecycle(context, 'bootstrap');
    },
    start: () => {
      mcp.start();
      runtime.start();
    },
    registrations: mcp.registrations,
    destroy: async () => {
      runtime.stop();
      await runLifecycle(context, 'destroy');
      await plugins.run('destroy');
      await plugins.close();
      if (Reflect.get(globalThis, 'strapi') === strapi) Reflect.deleteProperty(globalThis, 'strapi');
    },
  };
}
