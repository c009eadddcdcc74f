import type { AttributeDefinition, ComponentDefinition } from '../content-types/definition.js';
import type { Uid } from '../lib/uid.js';
import { textOption } from './resolution.js';
import type { Resolution } from './resolution.js';

/** The components an attribute can hold. */
const heldBy = (attribute: AttributeDefinition): readonly Uid[] => {
  const listed = attribute.type === 'dynamiczone' && Array.isArray(attribute.options['components']) ? attribute.options['components'] : [];
  const single = attribute.type === 'component' ? textOption(attribute, 'component') : undefined;
  return [...listed.filter((uid) => typeof uid === 'string'), ...(single === undefined ? [] : [single])];
};

/** Reports components that hold themselves, over however many others: such a type has no end in GraphQL, in SQL or in a form. */
export function checkComponentCycles(resolution: Resolution): void {
  const done = new Set<Uid>();
  const visit = (component: ComponentDefinition, trail: readonly Uid[]): void => {
    const path = [...trail, component.uid];
    for (const attribute of component.attributes) {
      for (const uid of heldBy(attribute)) {
        const start = path.indexOf(uid);
        const held = resolution.component(uid);
        if (start !== -1) {
          const cycle = [...path.slice(start), uid].join(' → ');
          resolution.problems.add({ holder: component, attribute }, { code: 'component-cycle', message: `the component holds itself: ${cycle}` });
        } else if (held !== undefined && !done.has(uid)) visit(held, path);
      }
    }
    done.add(component.uid);
  };
  for (const component of resolution.components) if (!done.has(component.uid)) visit(component, []);
}
