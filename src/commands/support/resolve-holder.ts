import type { Definitions } from '../../content-types/definition.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { resolveComponent, resolveType } from '../../scaffold/resolve-name.js';
import type { Holder } from '../../scaffold/schema-project.js';

/**
 * The content-type or component somebody means; a name with a dot and no `::` can only be a component's.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveHolder({ types, components }: Definitions, name: string): Holder {
  if (name.includes('.') && !name.includes('::')) return resolveComponent(components, name);
  try {
    return resolveType(types, name);
  } catch (error) {
    if (isGalleyError(error) && error.code === 'cli/unknown-name' && components.some((component) => component.name === name)) return resolveComponent(components, name);
    throw error;
  }
}
