import type { Uid } from '../../lib/uid.js';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';
import { orderAttribute } from './attribute-shorthand.js';

const INVERSE_KIND: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  morphOne: 'morphToOne',
  morphMany: 'morphToMany',
};

/**
 * Uses the key that schema files require for the inverse: `mappedBy` in oneToMany, `inversedBy` in manyToOne.
 * Other kinds keep the given key.
 */
export function normalizeInverseKeys({ inversedBy, mappedBy, ...json }: AttributeJson): AttributeJson {
  const inverseName = inversedBy ?? mappedBy;
  if (inverseName === undefined) return json;
  if (json['relation'] === 'oneToMany') return orderAttribute({ ...json, mappedBy: inverseName });
  if (json['relation'] === 'manyToOne') return orderAttribute({ ...json, inversedBy: inverseName });
  return orderAttribute({ ...json, ...(mappedBy === undefined ? { inversedBy } : { mappedBy }) });
}

/** Returns the inverse attribute that the target needs. Null for a unidirectional relation. */
export function inverseSideOf(owner: Uid, { name, json }: NamedAttribute): NamedAttribute | null {
  const relation = INVERSE_KIND[String(json['relation'])];
  const inverseName = json['inversedBy'] ?? json['mappedBy'] ?? json['morphBy'];
  if (json['type'] !== 'relation' || relation === undefined || typeof inverseName !== 'string') return null;
  if (json['morphBy'] !== undefined) return { name: inverseName, json: { type: 'relation', relation } };
  const backReference = json['inversedBy'] === undefined ? { inversedBy: name } : { mappedBy: name };
  return {
    name: inverseName,
    json: orderAttribute({ type: 'relation', relation, target: owner, ...backReference }),
  };
}

/** True where the existing attribute is the expected inverse already. */
export function isSameRelationSide(existing: AttributeJson, expected: AttributeJson): boolean {
  return ['type', 'relation', 'target', 'inversedBy', 'mappedBy'].every(
    (key) => (existing[key] ?? null) === (expected[key] ?? null),
  );
}
