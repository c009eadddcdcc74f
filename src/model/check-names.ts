import type { ContentTypeDefinition } from '../content-types/definition.js';
import type { Uid } from '../lib/uid.js';
import type { ProblemPlace } from './model-problems.js';
import { componentTypeName, typeNameOf } from './names.js';
import type { Resolution } from './resolution.js';

/** A name some definition claims, in a space where each may be claimed once. */
interface Claim {
  readonly name: string;
  readonly place: ProblemPlace;
  readonly what: string;
  /** Two claims of one owner do not clash. */
  readonly owner: Uid;
  readonly isBuiltin: boolean;
}

const claimName = (type: ContentTypeDefinition, key: 'singularName' | 'pluralName' | 'collectionName', what: string, name: string = type[key]): Claim =>
  ({ name, what, owner: type.uid, isBuiltin: type.origin === 'builtin', place: { holder: type, line: type.nameLines[key] } });

const describe = ({ place, owner, isBuiltin }: Claim): string => (isBuiltin ? `the built-in type ${owner}` : place.holder.file ?? owner);

const report = (resolution: Resolution, claims: readonly Claim[]): void => {
  const first = new Map<string, Claim>();
  // Built-in types come first, so that the project's file is the one at fault.
  for (const claim of claims.toSorted((left, right) => Number(right.isBuiltin) - Number(left.isBuiltin))) {
    const other = first.get(claim.name);
    if (other === undefined) first.set(claim.name, claim);
    else if (other.owner !== claim.owner) {
      resolution.problems.add(claim.place, { code: 'duplicate-name', message: `the ${claim.what} "${claim.name}" is also the ${other.what} of ${describe(other)}` });
    }
  }
};

/** Reports names that two definitions share where each must have its own. */
export function checkNames(resolution: Resolution): void {
  const { types, components } = resolution;
  const own = types.filter((type) => type.origin === 'project');
  report(resolution, own.flatMap((type) => [claimName(type, 'singularName', 'singularName'), claimName(type, 'pluralName', 'pluralName')]));
  report(resolution, types.map((type) => claimName(type, 'collectionName', 'collectionName', type.collectionName.toLowerCase())));
  report(resolution, [
    ...types.map((type) => claimName(type, 'singularName', 'type name', typeNameOf(type))),
    ...components.map((component): Claim => ({ name: componentTypeName(component.uid), what: 'type name', owner: component.uid, isBuiltin: false, place: { holder: component } })),
  ]);
}
