import { typeOf } from '../../model/lookup.js';
import type { ContentModel, LinkAttribute } from '../../model/model.js';
import type { LinkIndex } from './link-index.js';
import type { ImportedLink } from './link-list.js';
import type { IndexedRow, RowIndex } from './row-index.js';
import type { Tally } from './tally.js';

/** The target of a link. */
export interface ResolvedLink {
  readonly type: string;
  readonly row: IndexedRow;
  readonly link: ImportedLink;
}

export interface LinkContext {
  readonly model: ContentModel;
  readonly rows: ReadonlyMap<string, RowIndex>;
  readonly links: LinkIndex;
  readonly tally: Tally;
  /** Whether the database has the document once the import has ended. */
  readonly isAvailable: (uid: string, documentId: string) => boolean;
}

/** The version that links, or that holds the component that links. */
export interface LinkOwner {
  readonly type: string;
  readonly row: IndexedRow;
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

const mayLink = (attribute: LinkAttribute, type: string): boolean => {
  if (attribute.target !== null) return attribute.target === type;
  return attribute.link?.kind === 'morph' && attribute.link.targets.some(({ uid }) => uid === type);
};

const problemOf = (
  context: LinkContext,
  owner: LinkOwner,
  attribute: LinkAttribute,
  link: ImportedLink,
): string | ResolvedLink => {
  const row = context.rows.get(link.targetType)?.target(link.targetId);
  if (row === undefined) return 'what was linked is gone';
  if (!mayLink(attribute, link.targetType)) return `the attribute cannot link ${link.targetType} here`;
  if (!context.isAvailable(link.targetType, row.documentId)) return 'what was linked is not imported';
  const resolved = { type: link.targetType, row, link };
  return isOfOtherVersion(context, owner, resolved)
    ? 'another status or locale was linked, which nobody sees'
    : resolved;
};

/** What tells targets apart. An attribute with one target may have one for each version of it. */
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
  const found = new Map<string, ResolvedLink>();
  for (const link of context.links.of(source.uid, attribute.name, source.id)) {
    const resolved = problemOf(context, owner, attribute, link);
    if (typeof resolved === 'string') {
      context.tally.add({ what: `${source.uid} ${attribute.name}`, reason: resolved });
      continue;
    }
    const key = targetKey(attribute, resolved);
    const former = found.get(key);
    if (former === undefined) found.set(key, resolved);
    else if (former.link.targetId === link.targetId || former.row.documentId !== resolved.row.documentId)
      context.tally.add({ what: `${source.uid} ${attribute.name}`, reason: 'linked twice' });
  }
  return [...found.values()];
}
