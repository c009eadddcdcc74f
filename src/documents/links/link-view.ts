import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, ContentType, Link, LinkAttribute, Uid } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';

/** A possible other end of a link, and the column of the link that points there. */
export interface LinkEnd {
  readonly type: ContentType;
  readonly column: string;
  readonly field: string;
}

/**
 * Where a link says which status (or locale) it belongs to: with the `owner`'s version row, in the `link`'s own row, or nowhere
 * because neither end has any.
 */
export type Versioning = 'owner' | 'link' | 'none';

/** A link as seen from the type one of whose attributes it is. */
export interface LinkView {
  readonly attribute: LinkAttribute;
  readonly link: Link;
  /** The type whose attribute it is. */
  readonly self: ContentType;
  /** The type whose version rows hold the link. */
  readonly owner: ContentType;
  /** What the owner's rows can point at; seen from the inverse side only `self`. */
  readonly ends: readonly LinkEnd[];
  readonly statuses: Versioning;
  readonly locales: Versioning;
}

const linkEnds = (model: ContentModel, link: Link): readonly LinkEnd[] => {
  switch (link.kind) {
    case 'column': return [{ type: typeOf(model, link.target), column: link.column, field: link.field }];
    case 'table': return [{ type: typeOf(model, link.target), column: 'target_document_id', field: 'targetDocumentId' }];
    case 'morph': return link.targets.map(({ uid, column, field }) => ({ type: typeOf(model, uid), column, field }));
    default: return link satisfies never;
  }
};

const versioning = (ownerHas: boolean, linkHas: boolean): Versioning => {
  if (ownerHas) return 'owner';
  return linkHas ? 'link' : 'none';
};

const compileView = (model: ContentModel, self: ContentType, attribute: LinkAttribute, link: Link): LinkView => {
  const owner = typeOf(model, link.owner);
  const ends = linkEnds(model, link);
  return Object.freeze({
    attribute, link, self, owner,
    ends: attribute.side === 'owner' ? ends : ends.filter(({ type }) => type.uid === self.uid),
    statuses: versioning(owner.draftAndPublish, link.kind === 'table' && link.hasTargetStatus),
    locales: versioning(owner.localized, link.kind === 'table' && link.hasTargetLocale),
  });
};

/** The links of a type's own relation and media attributes. */
export function compileLinkViews(model: ContentModel, type: ContentType): readonly LinkView[] {
  return Object.values(type.attributes).flatMap((attribute) => {
    if ((attribute.family !== 'relation' && attribute.family !== 'media') || attribute.link === null) return [];
    return [compileView(model, type, attribute, attribute.link)];
  });
}

/** The type at the other end that a reference to `uid` means. */
export function peerType(view: LinkView, uid: Uid): ContentType {
  if (view.attribute.side === 'inverse') return view.owner;
  const end = view.ends.find(({ type }) => type.uid === uid);
  if (end === undefined) throw new TypeError(`${view.self.uid} ${view.attribute.name} does not point at ${uid}`);
  return end.type;
}

/** The one column by which the owner's rows point at this document; of an inverse side, or of a link with one target type. */
export function soleEnd(view: LinkView): LinkEnd {
  const [end] = view.ends;
  if (end === undefined) throw new TypeError(`${view.self.uid} ${view.attribute.name} points at nothing`);
  return end;
}

/** Whether the list is ordered on the inverse side. */
export function hasInverseOrder(link: Link): boolean {
  if (link.kind === 'morph') return false;
  return link.kind === 'table' ? link.hasInversePosition : link.position !== null;
}

/** Whether the value is the same in all locales of a document: media that are not marked as localised. */
export function isShared(view: LinkView): boolean {
  return view.self.localized && view.attribute.side === 'owner' && !view.attribute.localized;
}

/** The locale in which the other end has to exist, and to which the link belongs: the written version's, or the default one where that has none. */
export function peerLocale(peer: ContentType, written: string, fallback: string): string {
  if (!peer.localized) return NO_LOCALE;
  return written === NO_LOCALE ? fallback : written;
}
