import type { NamedCode, NamedCodeRegistry } from '../api/graphql/extension/named-code.js';
import type { Registry } from '../strapi/registry.js';

/** The policies or middlewares of a project. */
export interface ProjectNamedCode extends NamedCode, NamedCodeRegistry<unknown> {}

/**
 * Lets GraphQL refer to the policies or middlewares of a project. src/policies/is-owner.ts is
 * `global::is-owner`, and src/api/article/policies/is-owner.ts is `api::article.is-owner`.
 */
export function createNamedCode(registry: Registry): ProjectNamedCode {
  const fullName = (name: string): string => {
    if (name.includes('::')) return name;
    const global = `global::${name}`;
    if (registry.has(global)) return global;
    const local = registry.keys().filter((each) => each.startsWith('api::') && each.endsWith(`.${name}`));
    return local.length === 1 ? (local[0] ?? global) : global;
  };
  return {
    names: () => registry.keys().toSorted(),
    set: (name, code) => registry.set(name.includes('::') ? name : `global::${name}`, code),
    get: async (name) => registry.get(fullName(name)),
  };
}
