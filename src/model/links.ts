import { FILE_UID, USER_UID } from './content-types/builtin-types.js';
import type { AttributeDefinition, ContentTypeDefinition } from './content-types/definition.js';
import type { Uid } from '../lib/ids.js';
import type { ColumnLink, Link, MorphLink, TableLink } from './model.js';
import { createMorphNames, typeNameOf } from './names.js';
import type { RowNames, SchemaNames } from './names.js';
import type { ResolvedRelation } from './relations.js';
import type { Resolution } from './resolution.js';
import { defined } from '../lib/assert.js';

/** The owning end of a link, with everything needed to name and store it. */
export interface OwningSide {
  readonly owner: ContentTypeDefinition;
  readonly attribute: AttributeDefinition;
  readonly many: boolean;
  readonly target: ContentTypeDefinition;
  readonly counterpart: string | null;
  /** True if the inverse side, if any, is a list. */
  readonly inverseMany: boolean;
  readonly exclusive: boolean;
}

/**
 * True if each row of the owner links at most one status and one locale of the target, so that a column is
 * sufficient.
 */
const determinesTargetVersion = (owner: ContentTypeDefinition, target: ContentTypeDefinition): boolean =>
  (owner.draftAndPublish || !target.draftAndPublish) && (owner.localized || !target.localized);

const linkBase = ({ owner, attribute, counterpart, exclusive, target }: OwningSide) => ({
  owner: owner.uid,
  ownerAttribute: attribute.name,
  inverseAttribute: counterpart,
  exclusive,
  target: target.uid,
});

const columnLink = (owningSide: OwningSide, names: RowNames): ColumnLink => ({
  kind: 'column',
  ...linkBase(owningSide),
  ...names.link(owningSide.attribute.name),
  position: owningSide.inverseMany ? names.position(owningSide.attribute.name) : null,
});

const tableLink = (owningSide: OwningSide, names: SchemaNames): TableLink => ({
  kind: 'table',
  ...linkBase(owningSide),
  ...names.linkTable(owningSide.owner, owningSide.attribute.name),
  ownerMany: owningSide.many,
  hasInversePosition: owningSide.inverseMany,
  hasTargetStatus: owningSide.target.draftAndPublish && !owningSide.owner.draftAndPublish,
  hasTargetLocale: owningSide.target.localized && !owningSide.owner.localized,
});

/** Compiles the link of an owning relation or media attribute with one target type. */
export function compileLink(
  owningSide: OwningSide,
  rowNames: RowNames,
  names: SchemaNames,
): ColumnLink | TableLink {
  return !owningSide.many && determinesTargetVersion(owningSide.owner, owningSide.target)
    ? columnLink(owningSide, rowNames)
    : tableLink(owningSide, names);
}

/**
 * Returns the owning end of a relation. A bidirectional oneToOne is exclusive: linking a target again moves
 * it away from its former owner. A bidirectional oneToMany needs no such rule, because its link belongs to
 * the many side, which holds one target at a time.
 */
export function relationOwningSide(
  resolution: Resolution,
  owner: ContentTypeDefinition,
  attribute: AttributeDefinition,
  relation: ResolvedRelation,
): OwningSide | null {
  const target = relation.target === null ? undefined : resolution.type(relation.target);
  if (target === undefined) return null;
  const { many, counterpart, relation: kind } = relation;
  const isBidirectional = counterpart !== null;
  return {
    owner,
    attribute,
    many,
    target,
    counterpart,
    inverseMany: isBidirectional && (kind === 'manyToOne' || kind === 'manyToMany'),
    exclusive: isBidirectional && kind === 'oneToOne',
  };
}

/** Returns the owning end of a media attribute, or null if the model has no file type. */
export function mediaOwningSide(
  resolution: Resolution,
  owner: ContentTypeDefinition,
  attribute: AttributeDefinition,
  many: boolean,
): OwningSide | null {
  const target = resolution.type(FILE_UID);
  return target === undefined
    ? null
    : { owner, attribute, many, target, counterpart: null, inverseMany: false, exclusive: false };
}

interface MorphTarget {
  readonly type: ContentTypeDefinition;
  readonly inverseAttribute: string | null;
}

/** Returns the types with an inverse attribute or, if there are none, those of {@link polymorphicTargets}. */
const morphTargets = (resolution: Resolution, inverses: readonly MorphTarget[]): readonly MorphTarget[] =>
  inverses.length > 0
    ? inverses
    : polymorphicTargets(resolution).map((type) => ({ type, inverseAttribute: null }));

/**
 * Returns the possible targets of a polymorphic relation without inverses: all types except built-in ones
 * other than users and files.
 */
export function polymorphicTargets(resolution: Resolution): readonly ContentTypeDefinition[] {
  const isTarget = (uid: Uid, type: ContentTypeDefinition): boolean =>
    type.origin !== 'builtin' || uid === USER_UID || uid === FILE_UID;
  return resolution.types.filter((type) => isTarget(type.uid, type));
}

/**
 * Returns the morphOne and morphMany attributes that are the inverse of a polymorphic one, at most one per
 * type.
 */
const morphInverses = (
  resolution: Resolution,
  owner: ContentTypeDefinition,
  attribute: AttributeDefinition,
): readonly MorphTarget[] =>
  resolution.types.flatMap((type) => {
    const [first, ...rest] = type.attributes.filter(
      ({ options }) => options['target'] === owner.uid && options['morphBy'] === attribute.name,
    );
    for (const other of rest) {
      const inverse = defined(first, 'the first inverse attribute').name;
      resolution.problems.add(
        { schema: type, attribute: other, option: 'morphBy' },
        {
          code: 'duplicate-inverse',
          message: `"${inverse}" of this type is already the inverse of ${owner.uid} "${attribute.name}"`,
        },
      );
    }
    return first === undefined ? [] : [{ type, inverseAttribute: first.name }];
  });

/** Compiles the link of a morphToOne or morphToMany attribute, with one column per possible target type. */
export function compileMorphLink(
  resolution: Resolution,
  owner: ContentTypeDefinition,
  attribute: AttributeDefinition,
  many: boolean,
  names: SchemaNames,
): MorphLink {
  const nameTarget = createMorphNames();
  const targets = morphTargets(resolution, morphInverses(resolution, owner, attribute));
  return {
    kind: 'morph',
    owner: owner.uid,
    ownerAttribute: attribute.name,
    inverseAttribute: null,
    exclusive: false,
    ownerMany: many,
    ...names.linkTable(owner, attribute.name),
    targets: targets.map(({ type, inverseAttribute }) => ({
      uid: type.uid,
      ...nameTarget(typeNameOf(type)),
      inverseAttribute,
    })),
  };
}

/** All links by owner and attribute. */
export interface LinkRegistry {
  readonly get: (owner: Uid, attribute: string) => Link | null;
  readonly add: (link: Link) => void;
}

export function createLinkRegistry(): LinkRegistry {
  const links = new Map<string, Link>();
  const key = (owner: Uid, attribute: string): string => `${owner} ${attribute}`;
  return {
    get: (owner, attribute) => links.get(key(owner, attribute)) ?? null,
    add: (link) => {
      links.set(key(link.owner, link.ownerAttribute), link);
    },
  };
}
