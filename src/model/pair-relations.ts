import type { AttributeDefinition, ContentTypeDefinition } from './content-types/definition.js';
import { RELATION_KINDS, RELATION_RULES } from './relation-rules.js';
import { findAttribute, textOption } from './resolution.js';
import type { Resolution } from './resolution.js';

/** One end of a two-way relation, and the attribute at its other end. */
export interface RelationEnd {
  readonly side: 'owner' | 'inverse';
  /** Null: another relation has taken the other end, so this one is one-way. */
  readonly counterpart: {
    readonly schema: ContentTypeDefinition;
    readonly attribute: AttributeDefinition;
  } | null;
}

/** Ends by attribute. One-way relations and those that nothing owns are not in it. */
export type RelationEnds = ReadonlyMap<AttributeDefinition, RelationEnd>;

/** Returns the attribute that `inversedBy` names. Null: there is none that could be the other end. */
const namedInverse = (
  resolution: Resolution,
  type: ContentTypeDefinition,
  attribute: AttributeDefinition,
): RelationEnd['counterpart'] => {
  const kind = RELATION_KINDS.find((candidate) => candidate === textOption(attribute, 'relation'));
  if (kind === undefined || RELATION_RULES[kind].inversedBy === undefined) return null;
  const name = textOption(attribute, 'inversedBy');
  const schema = resolution.type(textOption(attribute, 'target') ?? '');
  const inverse = name === undefined || schema === undefined ? undefined : findAttribute(schema, name);
  if (schema === undefined || inverse === undefined || inverse === attribute) return null;
  return inverse.type === 'relation' && textOption(inverse, 'target') === type.uid
    ? { schema, attribute: inverse }
    : null;
};

/**
 * Pairs the ends of two-way relations as Strapi does: an attribute with `inversedBy` owns the relation and
 * takes the attribute it names, whatever that says of itself. If several take the same one, the last wins.
 */
export function pairRelations(resolution: Resolution): RelationEnds {
  const ends = new Map<AttributeDefinition, RelationEnd>();
  for (const type of resolution.types) {
    for (const attribute of type.attributes.filter((candidate) => candidate.type === 'relation')) {
      const counterpart = namedInverse(resolution, type, attribute);
      if (counterpart === null) continue;
      ends.set(attribute, { side: 'owner', counterpart });
      ends.set(counterpart.attribute, { side: 'inverse', counterpart: { schema: type, attribute } });
    }
  }
  const isMutual = (attribute: AttributeDefinition, { side, counterpart }: RelationEnd): boolean => {
    const other = counterpart === null ? undefined : ends.get(counterpart.attribute);
    return other?.side !== side && other?.counterpart?.attribute === attribute;
  };
  return new Map(
    [...ends].flatMap(([attribute, end]): (readonly [AttributeDefinition, RelationEnd])[] => {
      if (isMutual(attribute, end)) return [[attribute, end]];
      return end.side === 'owner' ? [[attribute, { side: 'owner', counterpart: null }]] : [];
    }),
  );
}
