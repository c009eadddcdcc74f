import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { SchemaChange } from '../../model/content-types/definition.js';
import type { StrapiConfiguration } from '../configuration.js';
import type { Registries, Registry } from '../registry.js';

/** A part of a plugin, such as its services by name. */
type PluginPart = Record<string, unknown>;

/**
 * A plugin as exported by its `strapi-server`, before it is registered. Extensions change it, so it and its
 * parts are mutable.
 */
export interface PluginDefinition {
  register?: unknown;
  bootstrap?: unknown;
  destroy?: unknown;
  config: PluginPart;
  routes: unknown;
  controllers: PluginPart;
  services: PluginPart;
  policies: PluginPart;
  middlewares: PluginPart;
  contentTypes: PluginPart;
  [key: string]: unknown;
}

const toPluginPart = (value: unknown): PluginPart =>
  typeof value === 'object' && value !== null ? (value as PluginPart) : {};

/** Returns the routers of a plugin by name. A list of routes belongs to the admin panel. */
export function routersOf({ routes }: PluginDefinition): PluginPart {
  return Array.isArray(routes) ? { admin: { routes } } : toPluginPart(routes);
}

/** Adds the missing parts to the exports of a plugin. */
export function toPluginDefinition(exported: unknown): PluginDefinition {
  const plugin = isRecord(exported) ? exported : { ...toPluginPart(exported) };
  return {
    ...plugin,
    config: toPluginPart(plugin['config']),
    routes: plugin['routes'] ?? {},
    controllers: toPluginPart(plugin['controllers']),
    services: toPluginPart(plugin['services']),
    policies: toPluginPart(plugin['policies']),
    middlewares: toPluginPart(plugin['middlewares']),
    contentTypes: toPluginPart(plugin['contentTypes']),
  };
}

/** Copies plain objects and lists. Keeps functions, which may be defaults of attributes. */
const copyDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyDeep);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyDeep(item)]));
};

/**
 * Copies the content-types of a plugin. Extensions change them, and the modules of packages are evaluated
 * once per process.
 */
export function copyTypes(types: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copyDeep({ ...types }) as Record<string, unknown>;
}

type Schema = Readonly<Record<string, unknown>>;

/** The module that changes a schema. */
interface ChangingModule {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
}

const attributesOf = (schema: Schema): Schema => (isRecord(schema['attributes']) ? schema['attributes'] : {});

const changedKeys = (before: Schema, after: Schema): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );

/** Returns the first line that mentions a name, else 1. */
const lineOf = (text: string, name: string): number => {
  const index = text.split(/\n/).findIndex((line) => line.split(/[^\w$-]+/).includes(name));
  return Math.max(index, 0) + 1;
};

/** Returns the differences between two states of a content-type's schema. Null if there are none. */
export function findSchemaChange(
  uid: string,
  { before, after }: { readonly before: Schema; readonly after: Schema },
  { file, text }: ChangingModule,
): SchemaChange | null {
  const attributes = attributesOf(after);
  const names = changedKeys(attributesOf(before), attributes);
  const keys = changedKeys(before, after).filter((key) => key !== 'attributes');
  if (names.length + keys.length === 0) return null;
  return {
    uid,
    file,
    lines: Object.fromEntries(names.map((name) => [name, lineOf(text, name)])),
    attributes: Object.fromEntries(names.map((name) => [name, attributes[name] ?? null])),
    settings: Object.fromEntries(keys.map((key) => [key, after[key]])),
  };
}

/** One plugin, returned by `strapi.plugin(name)`. */
export interface PluginObject {
  readonly service: (name: string) => unknown;
  readonly controller: (name: string) => unknown;
  readonly policy: (name: string) => unknown;
  readonly middleware: (name: string) => unknown;
  readonly contentType: (name: string) => unknown;
  readonly config: (path: string, otherwise?: unknown) => unknown;
  readonly services: PluginPart;
  readonly controllers: PluginPart;
  readonly policies: PluginPart;
  readonly middlewares: PluginPart;
  readonly contentTypes: PluginPart;
  routes: unknown;
}

export interface PluginObjectOptions {
  readonly name: string;
  readonly definition: PluginDefinition;
  readonly registries: Registries;
  readonly configuration: StrapiConfiguration;
  readonly contentTypes: Readonly<Record<string, unknown>>;
  /** True for built-in plugins, for which an unknown service is an error rather than undefined. */
  readonly isBuiltin: boolean;
}

/** Returns the values of a namespace by short name. Setting one replaces it in the registry. */
const registeredValues = (registry: Registry, namespace: string): PluginPart => {
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

const pluginTypes = (types: Readonly<Record<string, unknown>>, namespace: string): PluginPart => {
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
          available: Object.keys(registeredValues(services, namespace)).join(', '),
        });
      return services.get(uid);
    },
    controller: lookUp(controllers),
    policy: lookUp(policies),
    middleware: lookUp(middlewares),
    contentType: (key) => contentTypes[`${namespace}.${key}`],
    config: (path, otherwise) => configuration.get([namespace, path], otherwise),
    get services() {
      return registeredValues(services, namespace);
    },
    get controllers() {
      return registeredValues(controllers, namespace);
    },
    get policies() {
      return registeredValues(policies, namespace);
    },
    get middlewares() {
      return registeredValues(middlewares, namespace);
    },
    get contentTypes() {
      return pluginTypes(contentTypes, namespace);
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
