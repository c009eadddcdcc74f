import { FILE_UID, USER_UID } from '../content-types/builtin/registry.js';
import type { AttributeDefinition, ContentTypeDefinition } from '../content-types/definition.js';
import type { Uid } from '../lib/uid.js';
import type { ColumnLink, Link, MorphLink, TableLink } from './model.js';
import { createMorphNames, typeNameOf } from './names.js';
import type { RowNames, SchemaNames } from './names.js';
import type { ResolvedRelation } from './relations.js';
import type { Resolution } from './resolution.js';

/** The owner's end of a link, with what is needed to name and store it. */
export interface OwnerEnd {
  readonly owner: ContentTypeDefinition;
  readonly attribute: AttributeDefinition;
  readonly many: boolean;
  readonly target: ContentTypeDefinition;
  readonly counterpart: string | null;
  /** Whether the inverse side, if there is one, is a list. */
  readonly inverseMany: boolean;
  readonly exclusive: boolean;
}

/** Whether a row of the owner stands for one status and one locale of the target at most, so that a column can say all there is to say. */
const coversVersions = (owner: ContentTypeDefinition, target: ContentTypeDefinition): boolean =>
  (owner.draftAndPublish || !target.draftAndPublish) && (owner.localized || !target.localized);

const baseOf = ({ owner, attribute, counterpart, exclusive, target }: OwnerEnd) => ({
  owner: owner.uid, ownerAttribute: attribute.name, inverseAttribute: counterpart, exclusive, target: target.uid,
});

const columnLink = (end: OwnerEnd, names: RowNames): ColumnLink => ({
  kind: 'column',
  ...baseOf(end),
  ...names.link(end.attribute.name),
  position: end.inverseMany ? names.position(end.attribute.name) : null,
});

const tableLink = (end: OwnerEnd, names: SchemaNames): TableLink => ({
  kind: 'table',
  ...baseOf(end),
  ...names.linkTable(end.owner, end.attribute.name),
  ownerMany: end.many,
  hasInversePosition: end.inverseMany,
  hasTargetStatus: end.target.draftAndPublish && !end.owner.draftAndPublish,
  hasTargetLocale: end.target.localized && !end.owner.localized,
});

/** The link of an owning relation or media attribute with one target type. */
export function compileLink(end: OwnerEnd, rows: RowNames, names: SchemaNames): ColumnLink | TableLink {
  return !end.many && coversVersions(end.owner, end.target) ? columnLink(end, rows) : tableLink(end, names);
}

/**
 * The owning end of a relation. A bidirectional oneToOne is exclusive: a target linked anew is taken from its former owner.
 * A bidirectional oneToMany needs no such rule: its link belongs to the many side, which holds one target at a time.
 */
export function relationEnd(resolution: Resolution, owner: ContentTypeDefinition, attribute: AttributeDefinition, relation: ResolvedRelation): OwnerEnd | null {
  const target = relation.target === null ? undefined : resolution.type(relation.target);
  if (target === undefined) return null;
  const { many, counterpart, relation: kind } = relation;
  const isBidirectional = counterpart !== null;
  return {
    owner, attribute, many, target, counterpart,
    inverseMany: isBidirectional && (kind === 'manyToOne' || kind === 'manyToMany'),
    exclusive: isBidirectional && kind === 'oneToOne',
  };
}

/** The owning end of a media attribute, or null where the model has no file type. */
export function mediaEnd(resolution: Resolution, owner: ContentTypeDefinition, attribute: AttributeDefinition, many: boolean): OwnerEnd | null {
  const target = resolution.type(FILE_UID);
  return target === undefined ? null : { owner, attribute, many, target, counterpart: null, inverseMany: false, exclusive: false };
}

interface MorphEnd {
  readonly type: ContentTypeDefinition;
  readonly inverseAttribute: string | null;
}

/** The types that point back; where none does, everything a project may want to point at. */
const morphTargets = (resolution: Resolution, inverses: readonly MorphEnd[]): readonly MorphEnd[] => {
  if (inverses.length > 0) return inverses;
  const isTarget = (uid: Uid, type: ContentTypeDefinition): boolean => type.origin === 'project' || uid === USER_UID || uid === FILE_UID;
  return resolution.types.filter((type) => isTarget(type.uid, type)).map((type) => ({ type, inverseAttribute: null }));
};

/** The morphOne and morphMany attributes that follow a polymorphic one; of several in one type only the first can. */
const morphInverses = (resolution: Resolution, owner: ContentTypeDefinition, attribute: AttributeDefinition): readonly MorphEnd[] =>
  resolution.types.flatMap((type) => {
    const [first, ...rest] = type.attributes.filter(({ options }) => options['target'] === owner.uid && options['morphBy'] === attribute.name);
    for (const other of rest) {
      resolution.problems.add({ holder: type, attribute: other, option: 'morphBy' }, { code: 'duplicate-inverse', message: `"${first?.name ?? ''}" of this type already follows ${owner.uid} "${attribute.name}"` });
    }
    return first === undefined ? [] : [{ type, inverseAttribute: first.name }];
  });

export function compileMorphLink(resolution: Resolution, owner: ContentTypeDefinition, attribute: AttributeDefinition, many: boolean, names: SchemaNames): MorphLink {
  const nameTarget = createMorphNames();
  const targets = morphTargets(resolution, morphInverses(resolution, owner, attribute));
  return {
    kind: 'morph', owner: owner.uid, ownerAttribute: attribute.name, inverseAttribute: null, exclusive: false, ownerMany: many,
    ...names.linkTable(owner, attribute.name),
    targets: targets.map(({ type, inverseAttribute }) => ({ uid: type.uid, ...nameTarget(typeNameOf(type)), inverseAttribute })),
  };
}

/** All links by owner and attribute. */
export interface LinkBook {
  readonly of: (owner: Uid, attribute: string) => Link | null;
  readonly put: (link: Link) => void;
}

export function createLinkBook(): LinkBook {
  const links = new Map<string, Link>();
  const key = (owner: Uid, attribute: string): string => `${owner} ${attribute}`;
  return {
    of: (owner, attribute) => links.get(key(owner, attribute)) ?? null,
    put: (link) => {
      links.set(key(link.owner, link.ownerAttribute), link);
    },
  };
}
