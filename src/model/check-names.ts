import type { ContentTypeDefinition } from '../content-types/definition.js';
import type { Uid } from '../lib/uid.js';
import type { ProblemLocation } from './model-problems.js';
import { componentTypeName, typeNameOf } from './names.js';
import type { Resolution } from './resolution.js';

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

/** Reports names that must be unique and are used by two definitions. */
export function checkNames(resolution: Resolution): void {
  const { types, components } = resolution;
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
  reportDuplicates(resolution, [
    ...types.map((type) => createClaim(type, 'singularName', 'type name', typeNameOf(type))),
    ...components.map((component): NameClaim => ({
      name: componentTypeName(component.uid),
      label: 'type name',
      owner: component.uid,
      isBuiltin: false,
      location: { schema: component },
    })),
  ]);
}
