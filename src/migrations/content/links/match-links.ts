import { ownsLink } from '../../../generate/prisma-schema/schema-context.js';
import type { Attribute, ContentModel, ContentType, Link, LinkAttribute, Uid } from '../../../model/model.js';
import type { ModelMatch } from '../content-transition.js';

/** A link with the type and attribute that own it. */
export interface OwnedLink {
  readonly link: Link;
  readonly owner: ContentType;
  readonly attribute: LinkAttribute;
}

/** A type that a link points to. */
interface LinkTarget {
  readonly uid: Uid;
  readonly column: string;
  readonly inverseAttribute: string | null;
}

/** The links to one type that become links of another after the migration. */
export interface LinkOrigin {
  readonly before: OwnedLink;
  readonly target: LinkTarget;
  /** True if the former target owns the links after the migration. */
  readonly isReversed: boolean;
  /** The column that holds the other end after the migration. */
  readonly to: string;
}

/** A link after the migration, with the former links that it adopts. */
export interface MatchedLink {
  readonly after: OwnedLink;
  readonly origins: readonly LinkOrigin[];
}

/** Finds types and attributes of the other model. */
interface Counterparts {
  readonly typeAfter: (before: Uid) => ContentType | null;
  readonly typeBefore: (after: Uid) => ContentType | null;
  readonly attributeAfter: (type: Uid, name: string) => Attribute | null;
  /** Returns the attribute before the migration; null if it is new. */
  readonly attributeBefore: (type: Uid, name: string) => Attribute | null;
}

/** Returns the target types of a link, with the columns that hold them. */
export function targetsOf(link: Link): readonly LinkTarget[] {
  if (link.kind === 'morph') return link.targets;
  const column = link.kind === 'column' ? link.column : 'target_document_id';
  return [{ uid: link.target, column, inverseAttribute: link.inverseAttribute }];
}

export const isLinkAttribute = (attribute: Attribute | null): attribute is LinkAttribute =>
  attribute !== null && 'link' in attribute;

/** Returns all links of a model. */
export function ownedLinks({ types }: ContentModel): readonly OwnedLink[] {
  return types.flatMap((owner) =>
    Object.values(owner.attributes).flatMap((attribute): readonly OwnedLink[] =>
      isLinkAttribute(attribute) && attribute.link !== null && ownsLink(owner, attribute)
        ? [{ link: attribute.link, owner, attribute }]
        : [],
    ),
  );
}

/** Indexes the match of two models by type and attribute. */
export function counterpartsOf({ types }: ModelMatch): Counterparts {
  const matchBefore = new Map(types.map((type) => [type.before.uid, type]));
  const matchAfter = new Map(types.flatMap((type) => (type.after === null ? [] : [[type.after.uid, type]])));
  return {
    typeAfter: (uid) => matchBefore.get(uid)?.after ?? null,
    typeBefore: (uid) => matchAfter.get(uid)?.before ?? null,
    attributeAfter: (type, name) =>
      matchBefore.get(type)?.attributes.find(({ before }) => before?.name === name)?.after ?? null,
    attributeBefore: (type, name) =>
      matchAfter.get(type)?.attributes.find(({ after }) => after?.name === name)?.before ?? null,
  };
}

/** One end of a link after the migration, with the link that its attribute belonged to before. */
interface FormerEnd {
  readonly before: OwnedLink;
  readonly type: Uid;
  /** True if the attribute owned its link. */
  readonly isOwner: boolean;
}

/** Matches links of two models by the attributes at either end and the types that they link. */
export function matchLinks(
  linksBefore: readonly OwnedLink[],
  linksAfter: readonly OwnedLink[],
  counterparts: Counterparts,
): readonly MatchedLink[] {
  const formerEnd = (typeAfter: Uid, name: string | null): FormerEnd | null => {
    const type = counterparts.typeBefore(typeAfter);
    const attribute = name === null ? null : counterparts.attributeBefore(typeAfter, name);
    if (type === null || !isLinkAttribute(attribute) || attribute.link === null) return null;
    const { owner, ownerAttribute } = attribute.link;
    const link = linksBefore.find(
      (candidate) => candidate.owner.uid === owner && candidate.attribute.name === ownerAttribute,
    );
    if (link === undefined) return null;
    return { before: link, type: type.uid, isOwner: ownsLink(type, attribute) };
  };

  /** The former links of the attribute that owns the link after the migration. */
  const ownerOrigins = ({ link, owner, attribute }: OwnedLink): readonly LinkOrigin[] => {
    const end = formerEnd(owner.uid, attribute.name);
    if (end === null) return [];
    const newColumn = (uidBefore: Uid): string | undefined =>
      targetsOf(link).find(({ uid }) => uid === counterparts.typeAfter(uidBefore)?.uid)?.column;
    return targetsOf(end.before.link).flatMap((target): readonly LinkOrigin[] => {
      const to = newColumn(end.isOwner ? target.uid : end.before.owner.uid);
      const isRelevant = end.isOwner || target.uid === end.type;
      return to === undefined || !isRelevant
        ? []
        : [{ before: end.before, target, isReversed: !end.isOwner, to }];
    });
  };

  /** The former links of an attribute at the other end of the link after the migration. */
  const inverseOrigins = ({ owner }: OwnedLink, { uid, column, inverseAttribute }: LinkTarget) => {
    const end = formerEnd(uid, inverseAttribute);
    if (end === null) return [];
    return targetsOf(end.before.link).flatMap((target): readonly LinkOrigin[] => {
      const otherEnd = end.isOwner ? target.uid : end.before.owner.uid;
      const isRelevant = end.isOwner || target.uid === end.type;
      return counterparts.typeAfter(otherEnd)?.uid !== owner.uid || !isRelevant
        ? []
        : [{ before: end.before, target, isReversed: end.isOwner, to: column }];
    });
  };

  return linksAfter.map((link): MatchedLink => {
    const origins = [
      ...ownerOrigins(link),
      ...targetsOf(link.link).flatMap((target) => inverseOrigins(link, target)),
    ];
    const isRepeated = (origin: LinkOrigin, index: number): boolean =>
      origins.findIndex(
        (other) =>
          other.before === origin.before &&
          other.target.column === origin.target.column &&
          other.isReversed === origin.isReversed,
      ) !== index;
    return { after: link, origins: origins.filter((origin, index) => !isRepeated(origin, index)) };
  });
}

/** True if a link adopts the links of another one to one of its targets. */
export function takesOver({ origins }: MatchedLink, before: OwnedLink, target: LinkTarget): boolean {
  return origins.some((origin) => origin.before === before && origin.target.column === target.column);
}
