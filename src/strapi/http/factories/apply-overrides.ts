import type { Overrides, Tools } from './strapi-services.js';

/**
 * Puts what a project wrote in front of the core's methods: they are its prototype, so that `super.find()`
 * calls them, and its own where it has none, so that they can be taken from it.
 */
export function applyOverrides(base: object, overrides: Overrides | undefined, tools: Tools): object {
  const own: object = (typeof overrides === 'function' ? overrides(tools) : overrides) ?? {};
  for (const [name, method] of Object.entries(base))
    if (Reflect.get(own, name) === undefined) Reflect.set(own, name, method);
  return Object.setPrototypeOf(own, base) as object;
}
