import { defined } from '../lib/assert.js';
import { withSuggestion } from '../lib/nearest.js';
import type { AttributeDefinition, ContentTypeDefinition } from './content-types/definition.js';
import { ATTRIBUTE_TYPE_NAMES } from './content-types/schema-options.js';
import type { RelationKind } from './model.js';
import { findAttribute, textOption } from './resolution.js';
import type { Resolution, SchemaDefinition } from './resolution.js';

interface RelationRules {
  readonly many: boolean;
  /**
   * For each option that names the other end: the kinds that end may have. An option that is absent here is
   * not allowed.
   */
  readonly mappedBy?: readonly RelationKind[];
  readonly inversedBy?: readonly RelationKind[];
  readonly morphBy?: readonly RelationKind[];
  readonly hasTarget: boolean;
}

export const RELATION_RULES: Readonly<Record<RelationKind, RelationRules>> = {
  oneToOne: { many: false, mappedBy: ['oneToOne'], inversedBy: ['oneToOne'], hasTarget: true },
  oneToMany: { many: true, mappedBy: ['manyToOne'], hasTarget: true },
  manyToOne: { many: false, inversedBy: ['oneToMany'], hasTarget: true },
  manyToMany: { many: true, mappedBy: ['manyToMany'], inversedBy: ['manyToMany'], hasTarget: true },
  morphOne: { many: false, morphBy: ['morphToOne', 'morphToMany'], hasTarget: true },
  morphMany: { many: true, morphBy: ['morphToOne', 'morphToMany'], hasTarget: true },
  morphToOne: { many: false, hasTarget: false },
  morphToMany: { many: true, hasTarget: false },
};

export const RELATION_KINDS = Object.keys(RELATION_RULES) as readonly RelationKind[];

/** True if a relation names the type it refers to; polymorphic owners do not. */
export function relationHasTarget(kind: RelationKind): boolean {
  return RELATION_RULES[kind].hasTarget;
}

export const INVERSE_OPTIONS = ['mappedBy', 'inversedBy', 'morphBy'] as const;
type InverseOption = (typeof INVERSE_OPTIONS)[number];

/** One end of a two-way relation, and the attribute at its other end. */
interface RelationEnd {
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
 * takes the attribute it names, regardless of that attribute's options. If several take the same one, the
 * last wins.
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

export interface AttributeRef {
  readonly schema: SchemaDefinition;
  readonly attribute: AttributeDefinition;
}

/** For messages: `api::tag.tag "articles" in src/api/tag/content-types/tag/schema.json` */
const describeAttribute = (schema: SchemaDefinition, name: string): string =>
  `${schema.uid} "${name}"${schema.file === null ? '' : ` in ${schema.file}`}`;

/** Returns why an attribute cannot be the other end, or null if it can. */
export const endMismatch = (
  { schema }: AttributeRef,
  expectedKinds: readonly RelationKind[],
  target: SchemaDefinition,
  other: AttributeDefinition,
): string | null => {
  const otherKind = textOption(other, 'relation');
  const label = describeAttribute(target, other.name);
  if (other.type !== 'relation') return `${label} is not a relation but of type ${other.type}`;
  if (!expectedKinds.some((candidate) => candidate === otherKind))
    return `${label} must be ${expectedKinds.join(' or ')}, but is ${String(otherKind)}`;
  const otherTarget = textOption(other, 'target');
  return otherTarget === undefined || otherTarget === schema.uid
    ? null
    : `${label} points at ${otherTarget}, not at ${schema.uid}`;
};

/** Returns the attribute that an option names, or null after reporting that there is none. */
export const findNamed = (
  resolution: Resolution,
  { schema, attribute }: AttributeRef,
  option: InverseOption,
  { target, consequence }: { readonly target: ContentTypeDefinition; readonly consequence: string },
): AttributeDefinition | null => {
  const name = defined(textOption(attribute, option), `The option ${option}`);
  const other = findAttribute(target, name);
  if (other !== undefined) return other;
  const relations = target.attributes
    .filter((candidate) => candidate.type === 'relation')
    .map((candidate) => candidate.name);
  resolution.problems.add(
    { schema, attribute, option },
    {
      severity: consequence === '' ? 'error' : 'warning',
      code: 'missing-inverse',
      message: withSuggestion(
        `${describeAttribute(target, name)} does not exist${consequence}`,
        name,
        relations,
      ),
      allowed: relations,
    },
  );
  return null;
};

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
      message: `the two ends do not match: ${message}`,
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
      { code: 'wrong-inverse', message: `the two ends do not match: ${mismatch}` },
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

/** Reports an inverse attribute whose options contradict those of its owner. */
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
