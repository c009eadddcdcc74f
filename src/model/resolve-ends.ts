import { ATTRIBUTE_TYPE_NAMES } from './content-types/attribute-types.js';
import type { ContentTypeDefinition } from './content-types/definition.js';
import type { RelationKind } from './model.js';
import type { RelationEnd } from './pair-relations.js';
import { describeAttribute, endMismatch, findNamed } from './relation-ends.js';
import type { AttributeRef } from './relation-ends.js';
import { RELATION_RULES } from './relation-rules.js';
import type { InverseOption } from './relation-rules.js';
import { textOption } from './resolution.js';
import type { Resolution } from './resolution.js';

/** The side and the counterpart of a relation, found by pairing its ends. */
export interface ResolvedEnds {
  readonly side: 'owner' | 'inverse';
  readonly counterpart: string | null;
}

/** A relation without an inverse side. */
export const ONE_WAY: ResolvedEnds = { side: 'owner', counterpart: null };

const warn = (
  resolution: Resolution,
  { schema, attribute }: AttributeRef,
  option: InverseOption,
  message: string,
): void =>
  resolution.problems.add(
    { schema, attribute, option },
    {
      severity: 'warning',
      code: 'wrong-inverse',
      message: `the two ends do not belong together: ${message}`,
    },
  );

/** Resolves an attribute with `inversedBy` that could not take the attribute it names. */
const resolveLoneOwner = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
  target: ContentTypeDefinition,
): ResolvedEnds | null => {
  const { schema, attribute } = attributeRef;
  const other = findNamed(resolution, attributeRef, 'inversedBy', { target, consequence: '' });
  if (other === null || !ATTRIBUTE_TYPE_NAMES.includes(other.type)) return null;
  const mismatch =
    other === attribute
      ? `${describeAttribute(target, other.name)} names itself`
      : (endMismatch(attributeRef, RELATION_RULES[kind].inversedBy ?? [], target, other) ??
        `${describeAttribute(target, other.name)} belongs to another relation`);
  if (other.type !== 'relation') {
    resolution.problems.add(
      { schema, attribute, option: 'inversedBy' },
      { code: 'wrong-inverse', message: `the two ends do not belong together: ${mismatch}` },
    );
    return null;
  }
  warn(resolution, attributeRef, 'inversedBy', `${mismatch}; this relation is one-way`);
  return ONE_WAY;
};

/**
 * Reports an attribute with `mappedBy` that no other owns. Strapi accepts such relations, and keeps them
 * empty.
 */
const reportUnowned = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
  target: ContentTypeDefinition,
): void => {
  const consequence = '; the relation is left out';
  const other = findNamed(resolution, attributeRef, 'mappedBy', { target, consequence });
  if (other === null || !ATTRIBUTE_TYPE_NAMES.includes(other.type)) return;
  const mismatch =
    endMismatch(attributeRef, RELATION_RULES[kind].mappedBy ?? [], target, other) ??
    `${describeAttribute(target, other.name)} must have "inversedBy": "${attributeRef.attribute.name}"`;
  warn(resolution, attributeRef, 'mappedBy', `${mismatch}${consequence}`);
};

/** Reports an inverse attribute that says something else than its owner. */
const checkInverse = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
  owner: NonNullable<RelationEnd['counterpart']>,
): void => {
  const { attribute } = attributeRef;
  const mismatch =
    textOption(attribute, 'mappedBy') === owner.attribute.name
      ? endMismatch(attributeRef, RELATION_RULES[kind].mappedBy ?? [], owner.schema, owner.attribute)
      : `${describeAttribute(owner.schema, owner.attribute.name)} has "inversedBy": "${attribute.name}", ` +
        `so this needs "mappedBy": "${owner.attribute.name}"`;
  if (mismatch !== null)
    warn(resolution, attributeRef, 'mappedBy', `${mismatch}; they are linked all the same`);
};

/** Resolves the ends of a relation that is not polymorphic. Returns null after reporting why it has none. */
export function resolveEnds(
  resolution: Resolution,
  end: RelationEnd | undefined,
  attributeRef: AttributeRef,
  { kind, target }: { readonly kind: RelationKind; readonly target: ContentTypeDefinition },
): ResolvedEnds | null {
  if (end?.counterpart !== undefined && end.counterpart !== null) {
    if (end.side === 'inverse') checkInverse(resolution, attributeRef, kind, end.counterpart);
    return { side: end.side, counterpart: end.counterpart.attribute.name };
  }
  const { attribute } = attributeRef;
  if (textOption(attribute, 'inversedBy') !== undefined)
    return resolveLoneOwner(resolution, attributeRef, kind, target);
  if (textOption(attribute, 'mappedBy') === undefined) return ONE_WAY;
  reportUnowned(resolution, attributeRef, kind, target);
  return null;
}
