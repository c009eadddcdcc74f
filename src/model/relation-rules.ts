import type { RelationKind } from './model.js';

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
export type InverseOption = (typeof INVERSE_OPTIONS)[number];
