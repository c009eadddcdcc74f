import type { Uid } from '../lib/ids.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from './content-types/definition.js';
import { textOption } from './resolution.js';
import type { ProblemLocation, Resolution } from './resolution.js';
import { componentTypeName, typeNameOf } from './names.js';

/** Returns the components that an attribute can contain. */
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
 * GraphQL, SQL and forms, and Strapi fails whenever it writes one. So the last step of the cycle is left
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

/** A name used by a definition, in a namespace where names are unique. */
interface NameClaim {
  readonly name: string;
  readonly location: ProblemLocation;
  readonly label: string;
  /** Claims of the same owner do not conflict. */
  readonly owner: Uid;
  readonly isBuiltin: boolean;
}

const createClaim = (
  type: ContentTypeDefinition,
  key: 'singularName' | 'pluralName' | 'collectionName',
  label: string,
  name: string = type[key],
): NameClaim => ({
  name,
  label,
  owner: type.uid,
  isBuiltin: type.origin !== 'project',
  location: { schema: type, line: type.nameLines[key] },
});

const describeOwner = ({ location, owner, isBuiltin }: NameClaim): string =>
  isBuiltin && location.schema.file === null ? `the built-in type ${owner}` : (location.schema.file ?? owner);

const reportDuplicates = (resolution: Resolution, claims: readonly NameClaim[]): void => {
  const firstClaims = new Map<string, NameClaim>();
  // Types of plugins come first, so that the file of the project is reported.
  for (const claim of claims.toSorted((left, right) => Number(right.isBuiltin) - Number(left.isBuiltin))) {
    const other = firstClaims.get(claim.name);
    if (other === undefined) firstClaims.set(claim.name, claim);
    else if (other.owner !== claim.owner) {
      resolution.problems.add(claim.location, {
        code: 'duplicate-name',
        message: `the ${claim.label} "${claim.name}" is also the ${other.label} of ${describeOwner(other)}`,
      });
    }
  }
};

/** Warns of colliding names that are therefore changed, since project code may use the usual name. */
const reportRenamed = ({ types, components, typeName, problems }: Resolution): void => {
  const named = [
    ...types.map((type) => ({
      schema: type,
      line: type.nameLines.singularName,
      preferred: typeNameOf(type),
    })),
    ...components.map((component) => ({
      schema: component,
      line: 1,
      preferred: componentTypeName(component.uid),
    })),
  ];
  for (const { schema, line, preferred } of named) {
    const name = typeName(schema.uid);
    if (name === preferred) continue;
    const other = named.find(({ schema: { uid } }) => typeName(uid) === preferred);
    problems.add(
      { schema, line },
      {
        severity: 'warning',
        code: 'duplicate-name',
        message:
          `its type name in GraphQL and TypeScript is "${name}", ` +
          `since "${preferred}" is that of ${other?.schema.uid ?? 'another type'}`,
      },
    );
  }
};

/** Reports names that must be unique and are used by two definitions. */
export function checkNames(resolution: Resolution): void {
  const { types } = resolution;
  const projectTypes = types.filter((type) => type.origin === 'project');
  reportDuplicates(
    resolution,
    projectTypes.flatMap((type) => [
      createClaim(type, 'singularName', 'singularName'),
      createClaim(type, 'pluralName', 'pluralName'),
    ]),
  );
  reportDuplicates(
    resolution,
    types.map((type) =>
      createClaim(type, 'collectionName', 'collectionName', type.collectionName.toLowerCase()),
    ),
  );
  reportRenamed(resolution);
}
