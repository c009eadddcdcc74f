import type { Uid } from '../lib/uid.js';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';
import { orderAttribute } from './attribute-shorthand.js';

const OTHER_KIND: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  morphOne: 'morphToOne',
  morphMany: 'morphToMany',
};

/** Whichever side a relation names its other one by, the file format knows one word for it: a list of many is mapped by the side with the one. */
export function normalizeSides({ inversedBy, mappedBy, ...json }: AttributeJson): AttributeJson {
  const other = inversedBy ?? mappedBy;
  if (other === undefined) return json;
  if (json['relation'] === 'oneToMany') return orderAttribute({ ...json, mappedBy: other });
  if (json['relation'] === 'manyToOne') return orderAttribute({ ...json, inversedBy: other });
  return orderAttribute({ ...json, ...(mappedBy === undefined ? { inversedBy } : { mappedBy }) });
}

/** The attribute the target needs so that the relation has both its sides; null where it goes one way. */
export function otherSide(owner: Uid, { name, json }: NamedAttribute): NamedAttribute | null {
  const relation = OTHER_KIND[String(json['relation'])];
  const wanted = json['inversedBy'] ?? json['mappedBy'] ?? json['morphBy'];
  if (json['type'] !== 'relation' || relation === undefined || typeof wanted !== 'string') return null;
  if (json['morphBy'] !== undefined) return { name: wanted, json: { type: 'relation', relation } };
  const back = json['inversedBy'] === undefined ? { inversedBy: name } : { mappedBy: name };
  return { name: wanted, json: orderAttribute({ type: 'relation', relation, target: owner, ...back }) };
}

/** Whether an attribute already is the other side that is wanted. */
export function isSameSide(existing: AttributeJson, wanted: AttributeJson): boolean {
  return ['type', 'relation', 'target', 'inversedBy', 'mappedBy'].every((key) => (existing[key] ?? null) === (wanted[key] ?? null));
}
