import { targetsOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, LinkAttribute } from '../../model/model.js';
import type { DocumentLink, EntityRecord } from '../source.js';
import type { LinkIndex } from './link-index.js';
import type { ImportedLink } from './link-list.js';
import type { IndexedRow, RowIndex } from './row-index.js';
import type { Tally } from './tally.js';

/** The target of a link. */
export interface ResolvedLink {
  readonly type: string;
  readonly row: IndexedRow;
  /** Key that distinguishes links to several rows of one document. */
  readonly key: string;
  /** In the owner's list. Null: after the one before it. */
  readonly position: number | null;
  /** In the list of the inverse side. */
  readonly inversePosition: number | null;
}

export interface LinkContext {
  readonly model: ContentModel;
  readonly rows: ReadonlyMap<string, RowIndex>;
  readonly links: LinkIndex;
  readonly tally: Tally;
  /** The locale of links whose owner has none to tell it. */
  readonly defaultLocale: string;
  /** True if the database has the document once the import has ended. */
  readonly isAvailable: (uid: string, documentId: string) => boolean;
}

/** The version that links, or that holds the component that links. */
export interface LinkOwner {
  readonly type: string;
  readonly row: IndexedRow;
  /** The version's links, if its record includes them. */
  readonly links?: EntityRecord['links'];
}

/** Links of a version that is made of another one are those of the other one. */
const isOfOtherVersion = (
  { model }: LinkContext,
  owner: LinkOwner,
  { type, row }: Pick<ResolvedLink, 'type' | 'row'>,
): boolean => {
  const [ownerType, targetType] = [typeOf(model, owner.type), typeOf(model, type)];
  const hasOtherStatus =
    ownerType.draftAndPublish && targetType.draftAndPublish && owner.row.status !== row.status;
  return hasOtherStatus || (ownerType.localized && targetType.localized && owner.row.locale !== row.locale);
};

const mayLink = (attribute: LinkAttribute, type: string): boolean => targetsOf(attribute).includes(type);

/** Follows a link between rows. Returns the resolved link, or a message if the link is invalid. */
const followRow = (
  context: LinkContext,
  owner: LinkOwner,
  attribute: LinkAttribute,
  link: ImportedLink,
): string | ResolvedLink => {
  const row = context.rows.get(link.targetType)?.target(link.targetId);
  if (row === undefined) return 'what was linked is gone';
  if (!mayLink(attribute, link.targetType)) return `the attribute cannot link ${link.targetType} here`;
  if (!context.isAvailable(link.targetType, row.documentId)) return 'what was linked is not imported';
  const { targetType: type, targetId, inversePosition } = link;
  const resolved = { type, row, key: String(targetId), position: null, inversePosition };
  return isOfOtherVersion(context, owner, resolved)
    ? 'another status or locale was linked, which nobody sees'
    : resolved;
};

/** Follows a link to a document, which has its version where the owner's cannot tell it. */
const followDocument = (
  context: LinkContext,
  attribute: LinkAttribute,
  { type, documentId, status = 'published', locale = context.defaultLocale, ...link }: DocumentLink,
): string | ResolvedLink => {
  if (!mayLink(attribute, type)) return `the attribute cannot link ${type} here`;
  if (!context.isAvailable(type, documentId)) return 'what was linked is not imported';
  const { position, inversePosition = null } = link;
  const row = { documentId, status, locale, isDraft: status === 'draft' };
  return { type, row, key: `${status} ${locale}`, position, inversePosition };
};

/**
 * Returns a key that distinguishes the targets of an attribute. An attribute with one target may have one for
 * each version of it.
 */
const targetKey = (attribute: LinkAttribute, { type, row }: ResolvedLink): string => {
  const stored = attribute.link?.kind === 'table' ? attribute.link : null;
  const version = [
    stored?.hasTargetStatus === true ? row.status : '',
    stored?.hasTargetLocale === true ? row.locale : '',
  ];
  return (attribute.many ? [type, row.documentId, ...version] : version).join(' ');
};

/**
 * Returns what an attribute of a row or component links, in order and each once.
 *
 * @param source the uid of the content-type or component, and the id of its row
 */
export function resolveLinks(
  context: LinkContext,
  owner: LinkOwner,
  attribute: LinkAttribute,
  source: { readonly uid: string; readonly id: number },
): readonly ResolvedLink[] {
  const followed =
    owner.links === undefined
      ? context.links
          .of(source.uid, attribute.name, source.id)
          .map((link) => followRow(context, owner, attribute, link))
      : (owner.links[attribute.name] ?? []).map((link) => followDocument(context, attribute, link));
  const found = new Map<string, ResolvedLink>();
  for (const resolved of followed) {
    if (typeof resolved === 'string') {
      context.tally.add({ what: `${source.uid} ${attribute.name}`, reason: resolved });
      continue;
    }
    const key = targetKey(attribute, resolved);
    const former = found.get(key);
    if (former === undefined) found.set(key, resolved);
    else if (former.key === resolved.key || former.row.documentId !== resolved.row.documentId)
      context.tally.add({ what: `${source.uid} ${attribute.name}`, reason: 'linked twice' });
  }
  return [...found.values()];
}
