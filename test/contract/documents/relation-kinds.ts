/** Kinds of content type: without drafts and locales, with drafts, with locales, and with both. */
export const KINDS = ['plain', 'drafted', 'translated', 'both'] as const;
export type Kind = (typeof KINDS)[number];
const SHAPES = ['oneToOne', 'manyToOne', 'manyToMany'] as const;
type Shape = (typeof SHAPES)[number];

export type Status = 'draft' | 'published';

/** A relation between two types. `shape` is its kind seen from the owner. */
export interface Relation {
  readonly shape: Shape;
  readonly owner: Kind;
  readonly target: Kind;
}

export const hasDrafts = (kind: Kind): boolean => kind === 'drafted' || kind === 'both';
export const isLocalized = (kind: Kind): boolean => kind === 'translated' || kind === 'both';

export const RELATIONS: readonly Relation[] = SHAPES.flatMap((shape) =>
  KINDS.flatMap((owner) => KINDS.map((target) => ({ shape, owner, target }))),
);

export const ownAttribute = ({ shape, target }: Relation): string => `${shape}_${target}`;
export const inverseAttribute = ({ shape, owner }: Relation): string => `from_${shape}_${owner}`;

export type Side = 'owner' | 'inverse';

export type ReferenceOperation =
  | { readonly kind: 'set'; readonly targets: readonly string[] }
  | { readonly kind: 'change'; readonly connect: readonly string[]; readonly disconnect: readonly string[] };

export const isMany = ({ shape }: Relation, side: Side): boolean =>
  shape === 'manyToMany' || (shape === 'manyToOne' && side === 'inverse');
