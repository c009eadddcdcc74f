import { ATTRIBUTE_TYPE_NAMES } from '../content-types/attribute-types.js';
import type { AttributeDefinition } from '../content-types/definition.js';
import { withSuggestion } from '../lib/nearest.js';
import type { Uid } from '../lib/uid.js';
import type { RelationKind } from './model.js';
import { findAttribute, isTypeDefinition, textOption } from './resolution.js';
import type { SchemaDefinition, Resolution } from './resolution.js';
import { defined } from '../lib/defined.js';

/** One end of a relation, with its target and other end resolved. */
export interface ResolvedRelation {
  readonly relation: RelationKind;
  readonly target: Uid | null;
  readonly many: boolean;
  readonly side: 'owner' | 'inverse';
  readonly counterpart: string | null;
}

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

const RELATION_RULES: Readonly<Record<RelationKind, RelationRules>> = {
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

/** Whether a relation names the type it refers to; polymorphic owners do not. */
export function relationHasTarget(kind: RelationKind): boolean {
  return RELATION_RULES[kind].hasTarget;
}

const INVERSE_OPTIONS = ['mappedBy', 'inversedBy', 'morphBy'] as const;
type InverseOption = (typeof INVERSE_OPTIONS)[number];

/** The option with which the other end must refer back. */
const COUNTERPART_OPTIONS: Readonly<Record<InverseOption, InverseOption | null>> = {
  mappedBy: 'inversedBy',
  inversedBy: 'mappedBy',
  morphBy: null,
};

interface AttributeRef {
  readonly schema: SchemaDefinition;
  readonly attribute: AttributeDefinition;
}

const readKind = (resolution: Resolution, { schema, attribute }: AttributeRef): RelationKind | null => {
  const value = textOption(attribute, 'relation');
  const kind = RELATION_KINDS.find((candidate) => candidate === value);
  if (kind !== undefined) return kind;
  const message =
    value === undefined
      ? 'a relation needs "relation", its kind'
      : withSuggestion(`there is no kind of relation "${value}"`, value, RELATION_KINDS);
  resolution.problems.add(
    { schema, attribute, option: 'relation' },
    { code: 'unknown-relation', message, allowed: RELATION_KINDS },
  );
  return null;
};

const readTarget = (resolution: Resolution, { schema, attribute }: AttributeRef): Uid | null => {
  const target = textOption(attribute, 'target');
  const uids = resolution.types.map((type) => type.uid);
  if (target === undefined) {
    resolution.problems.add(
      { schema, attribute, option: 'target' },
      {
        code: 'missing-option',
        message: 'a relation needs "target", the uid of a content-type',
        allowed: uids,
      },
    );
    return null;
  }
  if (resolution.type(target) !== undefined) return target;
  if (!resolution.isUnreadable(target)) {
    resolution.problems.add(
      { schema, attribute, option: 'target' },
      {
        code: 'dangling-target',
        message: withSuggestion(`there is no content-type ${target}`, target, uids),
        allowed: uids,
      },
    );
  }
  return null;
};

/** Returns the option that names the other end; null if none is set, undefined after reporting a problem. */
const readInverseOption = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
): InverseOption | null | undefined => {
  const { schema, attribute } = attributeRef;
  const rules = RELATION_RULES[kind];
  const usedOptions = INVERSE_OPTIONS.filter((option) => textOption(attribute, option) !== undefined);
  const [first, second] = usedOptions;
  if (first !== undefined && second !== undefined) {
    resolution.problems.add(
      { schema, attribute, option: second },
      {
        code: 'ambiguous-owner',
        message:
          `"${first}" and "${second}" exclude each other: ` +
          'one end owns the relation (inversedBy), the other refers to it (mappedBy)',
      },
    );
    return undefined;
  }
  const allowed = INVERSE_OPTIONS.filter((option) => rules[option] !== undefined);
  if (first === undefined) {
    if (rules.morphBy === undefined) return null;
    resolution.problems.add(
      { schema, attribute },
      {
        code: 'missing-option',
        message: `a ${kind} relation needs "morphBy", the attribute of its target that points here`,
      },
    );
    return undefined;
  }
  if (allowed.includes(first)) return first;
  resolution.problems.add(
    { schema, attribute, option: first },
    { code: 'wrong-side', message: `a ${kind} relation cannot have "${first}"`, allowed },
  );
  return undefined;
};

/** Returns why two attributes are not the two ends of a relation, or null if they are. */
const counterpartMismatch = (
  attributeRef: AttributeRef,
  kind: RelationKind,
  option: InverseOption,
  other: AttributeDefinition,
  target: Uid,
): string | null => {
  const expected = RELATION_RULES[kind][option] ?? [];
  const otherKind = textOption(other, 'relation');
  const label = `${target} "${other.name}"`;
  if (other.type !== 'relation') return `${label} is not a relation but of type ${other.type}`;
  if (!expected.some((candidate) => candidate === otherKind))
    return `${label} must be ${expected.join(' or ')}, but is ${String(otherKind)}`;
  const counterpartOption = COUNTERPART_OPTIONS[option];
  if (counterpartOption === null) return null;
  if (textOption(other, 'target') !== attributeRef.schema.uid)
    return `${label} points at ${String(textOption(other, 'target'))}, not at ${attributeRef.schema.uid}`;
  const namedAttribute = textOption(other, counterpartOption);
  if (namedAttribute === attributeRef.attribute.name) return null;
  return namedAttribute === undefined
    ? `${label} must have "${counterpartOption}": "${attributeRef.attribute.name}"`
    : `${label} has "${counterpartOption}": "${namedAttribute}", not "${attributeRef.attribute.name}"`;
};

const findCounterpart = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
  option: InverseOption,
  target: Uid,
): string | null => {
  const { schema, attribute } = attributeRef;
  const name = defined(textOption(attribute, option), `The option ${option}`);
  const type = resolution.type(target);
  const other = type === undefined ? undefined : findAttribute(type, name);
  const location = { schema, attribute, option };
  if (other === undefined) {
    const relations = (type?.attributes ?? [])
      .filter((candidate) => candidate.type === 'relation')
      .map((candidate) => candidate.name);
    resolution.problems.add(location, {
      code: 'missing-inverse',
      message: withSuggestion(`${target} has no attribute "${name}"`, name, relations),
      allowed: relations,
    });
    return null;
  }
  // The unknown type is already reported for that attribute.
  if (!ATTRIBUTE_TYPE_NAMES.includes(other.type)) return null;
  const mismatch = counterpartMismatch(attributeRef, kind, option, other, target);
  if (mismatch === null) return name;
  resolution.problems.add(location, {
    code: 'wrong-inverse',
    message: `the two ends do not belong together: ${mismatch}`,
  });
  return null;
};

/** Relations inside components are stored in JSON, so they cannot be bidirectional or polymorphic. */
const isAllowedInComponent = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
): boolean => {
  const { schema, attribute } = attributeRef;
  const usedOption = INVERSE_OPTIONS.find((option) => textOption(attribute, option) !== undefined);
  if (
    usedOption === undefined &&
    RELATION_RULES[kind].hasTarget &&
    RELATION_RULES[kind].morphBy === undefined
  )
    return true;
  const message =
    usedOption === undefined
      ? `a component cannot hold a ${kind} relation`
      : `a component's relation must be one-way: it cannot have "${usedOption}"`;
  const allowed = RELATION_KINDS.filter(
    (candidate) => RELATION_RULES[candidate].hasTarget && RELATION_RULES[candidate].morphBy === undefined,
  );
  resolution.problems.add(
    { schema, attribute, option: usedOption ?? 'relation' },
    { code: 'component-relation', message, allowed },
  );
  return false;
};

/** Resolves a relation attribute. Returns null after reporting a problem. */
export function resolveRelation(
  resolution: Resolution,
  schema: SchemaDefinition,
  attribute: AttributeDefinition,
): ResolvedRelation | null {
  const attributeRef = { schema, attribute };
  const relation = readKind(resolution, attributeRef);
  if (relation === null) return null;
  if (!isTypeDefinition(schema) && !isAllowedInComponent(resolution, attributeRef, relation)) return null;
  const { many, hasTarget } = RELATION_RULES[relation];
  if (!hasTarget) return { relation, target: null, many, side: 'owner', counterpart: null };
  const target = readTarget(resolution, attributeRef);
  const option = readInverseOption(resolution, attributeRef, relation);
  if (target === null || option === undefined) return null;
  if (option === null) return { relation, target, many, side: 'owner', counterpart: null };
  const counterpart = findCounterpart(resolution, attributeRef, relation, option, target);
  return counterpart === null
    ? null
    : { relation, target, many, side: option === 'inversedBy' ? 'owner' : 'inverse', counterpart };
}
