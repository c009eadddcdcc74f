import { isRecord } from '../../lib/is-record.js';

/** A named part of a plugin: services by their names, or whatever `strapi-server` exports under that key. */
type PluginPart = Record<string, unknown>;

/**
 * A plugin as its `strapi-server` exports it, before it is registered. Extensions change it, so it and its
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

const partOf = (value: unknown): PluginPart =>
  typeof value === 'object' && value !== null ? (value as PluginPart) : {};

/** Returns the routers of a plugin by their names. A bare list is that of the admin panel. */
export function routersOf({ routes }: PluginDefinition): PluginPart {
  return Array.isArray(routes) ? { admin: { routes } } : partOf(routes);
}

/** Completes what a plugin exports by the parts that it leaves out. */
export function toPluginDefinition(exported: unknown): PluginDefinition {
  const plugin = isRecord(exported) ? exported : { ...partOf(exported) };
  return {
    ...plugin,
    config: partOf(plugin['config']),
    routes: plugin['routes'] ?? {},
    controllers: partOf(plugin['controllers']),
    services: partOf(plugin['services']),
    policies: partOf(plugin['policies']),
    middlewares: partOf(plugin['middlewares']),
    contentTypes: partOf(plugin['contentTypes']),
  };
}
