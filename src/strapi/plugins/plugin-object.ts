import { createError } from '../../errors/catalogue.js';
import type { StrapiConfiguration } from '../configuration/strapi-configuration.js';
import type { Registries, Registry } from '../registry.js';
import type { PluginDefinition } from './plugin-definition.js';

type Values = Record<string, unknown>;

/** One plugin, as `strapi.plugin(name)` returns it. */
export interface PluginObject {
  readonly service: (name: string) => unknown;
  readonly controller: (name: string) => unknown;
  readonly policy: (name: string) => unknown;
  readonly middleware: (name: string) => unknown;
  readonly contentType: (name: string) => unknown;
  readonly config: (path: string, otherwise?: unknown) => unknown;
  readonly services: Values;
  readonly controllers: Values;
  readonly policies: Values;
  readonly middlewares: Values;
  readonly contentTypes: Values;
  routes: unknown;
}

export interface PluginObjectOptions {
  readonly name: string;
  readonly definition: PluginDefinition;
  readonly registries: Registries;
  readonly configuration: StrapiConfiguration;
  readonly contentTypes: Readonly<Record<string, unknown>>;
  /** True if Galley brings the plugin along, so that what it lacks is an error rather than undefined. */
  readonly isBuiltin: boolean;
}

/** The values of a namespace by their short names. Setting one replaces it for everybody. */
const valuesOf = (registry: Registry, namespace: string): Values => {
  const prefix = `${namespace}.`;
  const values = {};
  for (const uid of registry.keys())
    if (uid.startsWith(prefix))
      Object.defineProperty(values, uid.slice(prefix.length), {
        enumerable: true,
        configurable: true,
        get: () => registry.get(uid),
        set: (value: unknown) => {
          registry.extend(uid, () => value);
        },
      });
  return values;
};

const typesOf = (types: Readonly<Record<string, unknown>>, namespace: string): Values => {
  const prefix = `${namespace}.`;
  return Object.fromEntries(
    Object.entries(types).flatMap(([uid, type]) =>
      uid.startsWith(prefix) ? [[uid.slice(prefix.length), type] as const] : [],
    ),
  );
};

/** Creates the object of one plugin over the registries. It also has the other members of the definition. */
export function createPluginObject({
  name,
  definition,
  registries,
  configuration,
  contentTypes,
  isBuiltin,
}: PluginObjectOptions): PluginObject {
  const namespace = `plugin::${name}`;
  const { services, controllers, policies, middlewares } = registries;
  const lookUp = (registry: Registry) => (key: string) => registry.get(`${namespace}.${key}`);
  const plugin: PluginObject = {
    service: (key) => {
      const uid = `${namespace}.${key}`;
      if (isBuiltin && !services.has(uid))
        throw createError('project/unknown-service', {
          name: `${name}.${key}`,
          available: Object.keys(valuesOf(services, namespace)).join(', '),
        });
      return services.get(uid);
    },
    controller: lookUp(controllers),
    policy: lookUp(policies),
    middleware: lookUp(middlewares),
    contentType: (key) => contentTypes[`${namespace}.${key}`],
    config: (path, otherwise) => configuration.get([namespace, path], otherwise),
    get services() {
      return valuesOf(services, namespace);
    },
    get controllers() {
      return valuesOf(controllers, namespace);
    },
    get policies() {
      return valuesOf(policies, namespace);
    },
    get middlewares() {
      return valuesOf(middlewares, namespace);
    },
    get contentTypes() {
      return typesOf(contentTypes, namespace);
    },
    get routes() {
      return definition.routes;
    },
    set routes(routes) {
      definition.routes = routes;
    },
  };
  const { provider } = definition;
  return provider === undefined ? plugin : Object.assign(plugin, { provider });
}
