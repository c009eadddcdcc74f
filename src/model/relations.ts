import { ATTRIBUTE_TYPE_NAMES } from './content-types/schema-options.js';
import type { AttributeDefinition, ContentTypeDefinition } from './content-types/definition.js';
import { withSuggestion } from '../lib/nearest.js';
import type { Uid } from '../lib/ids.js';
import type { RelationKind } from './model.js';
import {
  INVERSE_OPTIONS,
  ONE_WAY,
  RELATION_KINDS,
  RELATION_RULES,
  endMismatch,
  findNamed,
  resolveEnds,
} from './relation-ends.js';
import type { AttributeRef, RelationEnds, ResolvedEnds } from './relation-ends.js';
import { isTypeDefinition, textOption } from './resolution.js';
import type { SchemaDefinition, Resolution } from './resolution.js';
import { defined } from '../lib/assert.js';

/** One end of a relation, with its target and other end resolved. */
export interface ResolvedRelation extends ResolvedEnds {
  readonly relation: RelationKind;
  readonly target: Uid | null;
  readonly many: boolean;
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
        severity: 'warning',
        code: 'dangling-target',
        message: withSuggestion(`there is no content-type ${target}; the relation is left out`, target, uids),
        allowed: uids,
      },
    );
  }
  return null;
};

/** True if the options that name the other end fit the kind of relation. */
const hasAllowedOptions = (
  resolution: Resolution,
  { schema, attribute }: AttributeRef,
  kind: RelationKind,
): boolean => {
  const rules = RELATION_RULES[kind];
  const usedOptions = INVERSE_OPTIONS.filter((option) => textOption(attribute, option) !== undefined);
  const owns = usedOptions.includes('inversedBy');
  const wrong = usedOptions.find((option) => rules[option] === undefined && !(option === 'mappedBy' && owns));
  if (wrong !== undefined) {
    resolution.problems.add(
      { schema, attribute, option: wrong },
      {
        code: 'wrong-side',
        message: `a ${kind} relation cannot have "${wrong}"`,
        allowed: INVERSE_OPTIONS.filter((option) => rules[option] !== undefined),
      },
    );
    return false;
  }
  if (owns && usedOptions.includes('mappedBy'))
    resolution.problems.add(
      { schema, attribute, option: 'mappedBy' },
      {
        severity: 'warning',
        code: 'ambiguous-owner',
        message:
          '"mappedBy" and "inversedBy" exclude each other: one end owns the relation (inversedBy), the ' +
          'other refers to it (mappedBy); "mappedBy" is ignored',
      },
    );
  return true;
};

/** Resolves a morphOne or morphMany attribute, whose owner is the polymorphic attribute of its target. */
const resolveMorphInverse = (
  resolution: Resolution,
  attributeRef: AttributeRef,
  kind: RelationKind,
  target: ContentTypeDefinition,
): ResolvedEnds | null => {
  const { schema, attribute } = attributeRef;
  if (textOption(attribute, 'morphBy') === undefined) {
    resolution.problems.add(
      { schema, attribute },
      {
        code: 'missing-option',
        message: `a ${kind} relation needs "morphBy", the attribute of its target that points here`,
      },
    );
    return null;
  }
  const other = findNamed(resolution, attributeRef, 'morphBy', { target, consequence: '' });
  if (other === null || !ATTRIBUTE_TYPE_NAMES.includes(other.type)) return null;
  const mismatch = endMismatch(attributeRef, RELATION_RULES[kind].morphBy ?? [], target, other);
  if (mismatch === null) return { side: 'inverse', counterpart: other.name };
  resolution.problems.add(
    { schema, attribute, option: 'morphBy' },
    { code: 'wrong-inverse', message: `the two ends do not match: ${mismatch}` },
  );
  return null;
};

/**
 * Relations inside components are stored in JSON, so they cannot be bidirectional. Returns whether the
 * relation is to be kept, as a one-way relation.
 */
const checkInComponent = (
  resolution: Resolution,
  { schema, attribute }: AttributeRef,
  kind: RelationKind,
): boolean => {
  const usedOption = INVERSE_OPTIONS.find((option) => textOption(attribute, option) !== undefined);
  const { hasTarget, morphBy } = RELATION_RULES[kind];
  if (!hasTarget) return true;
  const canBeKept = morphBy === undefined && (usedOption ?? 'inversedBy') === 'inversedBy';
  if (canBeKept && usedOption === undefined) return true;
  const message =
    usedOption === undefined
      ? `a component cannot hold a ${kind} relation`
      : `a component's relation must be one-way: it cannot have "${usedOption}"`;
  resolution.problems.add(
    { schema, attribute, option: usedOption ?? 'relation' },
    {
      severity: 'warning',
      code: 'component-relation',
      message: `${message}; the ${canBeKept ? 'option is ignored' : 'relation is left out'}`,
      allowed: RELATION_KINDS.filter((candidate) => RELATION_RULES[candidate].morphBy === undefined),
    },
  );
  return canBeKept;
};

/** Resolves a relation attribute. Returns null after reporting why there is none. */
export function resolveRelation(
  resolution: Resolution,
  ends: RelationEnds,
  schema: SchemaDefinition,
  attribute: AttributeDefinition,
): ResolvedRelation | null {
  const attributeRef = { schema, attribute };
  const relation = readKind(resolution, attributeRef);
  if (relation === null) return null;
  const { many, hasTarget, morphBy } = RELATION_RULES[relation];
  if (!isTypeDefinition(schema)) {
    if (!checkInComponent(resolution, attributeRef, relation)) return null;
    if (!hasTarget) return { relation, target: null, many, ...ONE_WAY };
    const componentTarget = readTarget(resolution, attributeRef);
    return componentTarget === null ? null : { relation, target: componentTarget, many, ...ONE_WAY };
  }
  if (!hasTarget) return { relation, target: null, many, ...ONE_WAY };
  const target = readTarget(resolution, attributeRef);
  if (!hasAllowedOptions(resolution, attributeRef, relation) || target === null) return null;
  const type = defined(resolution.type(target), 'The target of a relation');
  const resolved =
    morphBy === undefined
      ? resolveEnds(resolution, ends.get(attribute), attributeRef, { kind: relation, target: type })
      : resolveMorphInverse(resolution, attributeRef, relation, type);
  return resolved === null ? null : { relation, target, many, ...resolved };
}
