import { ATTRIBUTE_TYPE_NAMES } from '../content-types/attribute-types.js';
import type { AttributeDefinition } from '../content-types/definition.js';
import { nearest } from '../lib/nearest.js';
import type { Uid } from '../lib/uid.js';
import type { RelationKind } from './model.js';
import { attributeOf, isTypeDefinition, textOption } from './resolution.js';
import type { HolderDefinition, Resolution } from './resolution.js';

/** One end of a relation, its target and other end found. */
export interface ResolvedRelation {
  readonly relation: RelationKind;
  readonly target: Uid | null;
  readonly many: boolean;
  readonly side: 'owner' | 'inverse';
  readonly counterpart: string | null;
}

interface KindRules {
  readonly many: boolean;
  /** The kind the other end must have, by the option that names it; an option that is not there is not allowed. */
  readonly mappedBy?: readonly RelationKind[];
  readonly inversedBy?: readonly RelationKind[];
  readonly morphBy?: readonly RelationKind[];
  readonly hasTarget: boolean;
}

const RULES: Readonly<Record<RelationKind, KindRules>> = {
  oneToOne: { many: false, mappedBy: ['oneToOne'], inversedBy: ['oneToOne'], hasTarget: true },
  oneToMany: { many: true, mappedBy: ['manyToOne'], hasTarget: true },
  manyToOne: { many: false, inversedBy: ['oneToMany'], hasTarget: true },
  manyToMany: { many: true, mappedBy: ['manyToMany'], inversedBy: ['manyToMany'], hasTarget: true },
  morphOne: { many: false, morphBy: ['morphToOne', 'morphToMany'], hasTarget: true },
  morphMany: { many: true, morphBy: ['morphToOne', 'morphToMany'], hasTarget: true },
  morphToOne: { many: false, hasTarget: false },
  morphToMany: { many: true, hasTarget: false },
};

export const RELATION_KINDS = Object.keys(RULES) as readonly RelationKind[];

const END_OPTIONS = ['mappedBy', 'inversedBy', 'morphBy'] as const;
type EndOption = (typeof END_OPTIONS)[number];

/** What an end must say of the other so that the two belong together. */
const ANSWER: Readonly<Record<EndOption, EndOption | null>> = { mappedBy: 'inversedBy', inversedBy: 'mappedBy', morphBy: null };

interface End {
  readonly holder: HolderDefinition;
  readonly attribute: AttributeDefinition;
}

const hint = (meant: string | undefined): string => (meant === undefined ? '' : `. Did you mean "${meant}"?`);

const readKind = (resolution: Resolution, { holder, attribute }: End): RelationKind | null => {
  const value = textOption(attribute, 'relation');
  const kind = RELATION_KINDS.find((known) => known === value);
  if (kind !== undefined) return kind;
  const message = value === undefined ? 'a relation needs "relation", its kind' : `there is no kind of relation "${value}"${hint(nearest(value, RELATION_KINDS))}`;
  resolution.problems.add({ holder, attribute, option: 'relation' }, { code: 'unknown-relation', message, allowed: RELATION_KINDS });
  return null;
};

const readTarget = (resolution: Resolution, { holder, attribute }: End): Uid | null => {
  const target = textOption(attribute, 'target');
  const uids = resolution.types.map((type) => type.uid);
  if (target === undefined) {
    resolution.problems.add({ holder, attribute, option: 'target' }, { code: 'missing-option', message: 'a relation needs "target", the uid of a content-type', allowed: uids });
    return null;
  }
  if (resolution.type(target) !== undefined) return target;
  if (!resolution.isUnreadable(target)) {
    resolution.problems.add({ holder, attribute, option: 'target' }, { code: 'dangling-target', message: `there is no content-type ${target}${hint(nearest(target, uids))}`, allowed: uids });
  }
  return null;
};

/** The option naming the other end; null where none is set, undefined where what is set is wrong. */
const readEndOption = (resolution: Resolution, end: End, kind: RelationKind): EndOption | null | undefined => {
  const { holder, attribute } = end;
  const rules = RULES[kind];
  const set = END_OPTIONS.filter((option) => textOption(attribute, option) !== undefined);
  const [first, second] = set;
  if (first !== undefined && second !== undefined) {
    resolution.problems.add({ holder, attribute, option: second }, { code: 'ambiguous-owner', message: `"${first}" and "${second}" exclude each other: one end owns the relation (inversedBy), the other follows it (mappedBy)` });
    return undefined;
  }
  const allowed = END_OPTIONS.filter((option) => rules[option] !== undefined);
  if (first === undefined) {
    if (rules.morphBy === undefined) return null;
    resolution.problems.add({ holder, attribute }, { code: 'missing-option', message: `a ${kind} relation needs "morphBy", the attribute of its target that points here` });
    return undefined;
  }
  if (allowed.includes(first)) return first;
  resolution.problems.add({ holder, attribute, option: first }, { code: 'wrong-side', message: `a ${kind} relation cannot have "${first}"`, allowed });
  return undefined;
};

/** Why the attribute named as the other end is not one; null where it is. */
const counterpartFault = (end: End, kind: RelationKind, option: EndOption, other: AttributeDefinition, target: Uid): string | null => {
  const expected = RULES[kind][option] ?? [];
  const otherKind = textOption(other, 'relation');
  const place = `${target} "${other.name}"`;
  if (other.type !== 'relation') return `${place} is no relation but of type ${other.type}`;
  if (!expected.some((known) => known === otherKind)) return `${place} must be ${expected.join(' or ')}, but is ${String(otherKind)}`;
  const answer = ANSWER[option];
  if (answer === null) return null;
  if (textOption(other, 'target') !== end.holder.uid) return `${place} points at ${String(textOption(other, 'target'))}, not at ${end.holder.uid}`;
  const named = textOption(other, answer);
  if (named === end.attribute.name) return null;
  return named === undefined ? `${place} must say "${answer}": "${end.attribute.name}"` : `${place} says "${answer}": "${named}", not "${end.attribute.name}"`;
};

const findCounterpart = (resolution: Resolution, end: End, kind: RelationKind, option: EndOption, target: Uid): string | null => {
  const { holder, attribute } = end;
  const name = textOption(attribute, option) ?? '';
  const type = resolution.type(target);
  const other = type === undefined ? undefined : attributeOf(type, name);
  const place = { holder, attribute, option };
  if (other === undefined) {
    const relations = (type?.attributes ?? []).filter((known) => known.type === 'relation').map((known) => known.name);
    resolution.problems.add(place, { code: 'missing-inverse', message: `${target} has no attribute "${name}"${hint(nearest(name, relations))}`, allowed: relations });
    return null;
  }
  // An attribute of an unknown type is reported where it stands.
  if (!ATTRIBUTE_TYPE_NAMES.includes(other.type)) return null;
  const fault = counterpartFault(end, kind, option, other, target);
  if (fault === null) return name;
  resolution.problems.add(place, { code: 'wrong-inverse', message: `the two ends do not belong together: ${fault}` });
  return null;
};

/** Relations inside components are kept in the owner's JSON: nothing there can point back or hold targets of several types. */
const isAllowedInComponent = (resolution: Resolution, end: End, kind: RelationKind): boolean => {
  const { holder, attribute } = end;
  const set = END_OPTIONS.find((option) => textOption(attribute, option) !== undefined);
  if (set === undefined && RULES[kind].hasTarget && RULES[kind].morphBy === undefined) return true;
  const message = set === undefined ? `a component cannot hold a ${kind} relation` : `a component's relation must be one-way: it cannot have "${set}"`;
  const allowed = RELATION_KINDS.filter((known) => RULES[known].hasTarget && RULES[known].morphBy === undefined);
  resolution.problems.add({ holder, attribute, option: set ?? 'relation' }, { code: 'component-relation', message, allowed });
  return false;
};

/** Finds what a relation attribute points at. Null where that failed and is reported. */
export function resolveRelation(resolution: Resolution, holder: HolderDefinition, attribute: AttributeDefinition): ResolvedRelation | null {
  const end = { holder, attribute };
  const relation = readKind(resolution, end);
  if (relation === null) return null;
  if (!isTypeDefinition(holder) && !isAllowedInComponent(resolution, end, relation)) return null;
  const { many, hasTarget } = RULES[relation];
  if (!hasTarget) return { relation, target: null, many, side: 'owner', counterpart: null };
  const target = readTarget(resolution, end);
  const option = readEndOption(resolution, end, relation);
  if (target === null || option === undefined) return null;
  if (option === null) return { relation, target, many, side: 'owner', counterpart: null };
  const counterpart = findCounterpart(resolution, end, relation, option, target);
  return counterpart === null ? null : { relation, target, many, side: option === 'inversedBy' ? 'owner' : 'inverse', counterpart };
}
