import type { AttributeDefinition, ComponentDefinition } from './content-types/definition.js';
import type { Uid } from '../lib/uid.js';
import { textOption } from './resolution.js';
import type { Resolution } from './resolution.js';

/** The components that an attribute can contain. */
const componentsOf = (attribute: AttributeDefinition): readonly Uid[] => {
  const listed =
    attribute.type === 'dynamiczone' && Array.isArray(attribute.options['components'])
      ? attribute.options['components']
      : [];
  const single = attribute.type === 'component' ? textOption(attribute, 'component') : undefined;
  return [...listed.filter((uid) => typeof uid === 'string'), ...(single === undefined ? [] : [single])];
};

/** True if an attribute would let a component contain itself. */
export type ClosesCycle = (attribute: AttributeDefinition, component: Uid) => boolean;

/**
 * Warns of components that contain themselves, directly or through others. Such a type would be infinite in
 * GraphQL, SQL and forms, and Strapi fails whenever it writes one. So the last step of the circle is left
 * out.
 */
export function checkComponentCycles(resolution: Resolution): ClosesCycle {
  const visited = new Set<Uid>();
  const closing = new Map<AttributeDefinition, Set<Uid>>();
  const visit = (component: ComponentDefinition, trail: readonly Uid[]): void => {
    const path = [...trail, component.uid];
    for (const attribute of component.attributes) {
      for (const uid of componentsOf(attribute)) {
        const start = path.indexOf(uid);
        const nested = resolution.component(uid);
        if (start !== -1) {
          const cycle = [...path.slice(start), uid].join(' → ');
          resolution.problems.add(
            { schema: component, attribute },
            {
              severity: 'warning',
              code: 'component-cycle',
              message: `the component contains itself: ${cycle}; the last step is left out`,
            },
          );
          closing.set(attribute, (closing.get(attribute) ?? new Set()).add(uid));
        } else if (nested !== undefined && !visited.has(uid)) visit(nested, path);
      }
    }
    visited.add(component.uid);
  };
  for (const component of resolution.components) if (!visited.has(component.uid)) visit(component, []);
  return (attribute, uid) => closing.get(attribute)?.has(uid) ?? false;
}
