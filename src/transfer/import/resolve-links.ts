import { getOrCreate } from '../../lib/collections.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { targetsOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, LinkAttribute } from '../../model/model.js';
import type { DocumentLink, EntityRecord, LinkEnd, LinkRecord } from '../source.js';
import type { IndexedRow, RowIndex } from './row-index.js';
import type { ImportFindings } from './import-model.js';

/** A link from its owner's side. */
interface ImportedLink {
  readonly targetType: string;
  readonly targetId: number;
  /** In the list of the inverse side. */
  readonly inversePosition: number;
}

/** A link as the export contains it. */
interface LinkRow extends ImportedLink {
  readonly owner: number;
  /** In the owner's list. */
  readonly position: number;
}

/** Compares two links by their indexes in the list. */
type Compare = (left: number, right: number) => number;

/** The links of one attribute, as lists of numbers, since an export may have millions of links. */
class LinkList {
  readonly #owners: number[] = [];
  readonly #positions: number[] = [];
  readonly #targetTypes: number[] = [];
  readonly #targets: number[] = [];
  readonly #inversePositions: number[] = [];
  readonly #typeNames: string[] = [];
  readonly #typeNumbers = new Map<string, number>();
  /** The links in the order of their owners and positions. Null: not sorted since the last addition. */
  #sorted: Uint32Array | null = null;

  add({ owner, position, targetType, targetId, inversePosition }: LinkRow): void {
    this.#owners.push(owner);
    this.#positions.push(position);
    this.#targetTypes.push(
      getOrCreate(this.#typeNumbers, targetType, () => this.#typeNames.push(targetType) - 1),
    );
    this.#targets.push(targetId);
    this.#inversePositions.push(inversePosition);
    this.#sorted = null;
  }

  /** Sorts by columns. Equal links stay in the order of the export. */
  #sort(...columns: readonly (readonly number[])[]): Uint32Array {
    const compare: Compare = (left, right) => {
      for (const column of columns) {
        const difference = (column[left] ?? 0) - (column[right] ?? 0);
        if (difference !== 0) return difference;
      }
      return left - right;
    };
    return Uint32Array.from(this.#owners, (_owner, index) => index).sort(compare);
  }

  #order(): Uint32Array {
    return (this.#sorted ??= this.#sort(this.#owners, this.#positions));
  }

  /** The links of one row in their order. */
  of(owner: number): readonly ImportedLink[] {
    const order = this.#order();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#owners[order[middle] ?? 0] ?? 0) < owner) low = middle + 1;
      else high = middle;
    }
    const links: ImportedLink[] = [];
    for (let place = low; place < order.length; place += 1) {
      const index = order[place] ?? 0;
      if (this.#owners[index] !== owner) break;
      links.push({
        targetType: this.#typeNames[this.#targetTypes[index] ?? 0] ?? '',
        targetId: this.#targets[index] ?? 0,
        inversePosition: this.#inversePositions[index] ?? 0,
      });
    }
    return links;
  }

  /** The rows that have links, in the order of their ids. */
  owners(): readonly number[] {
    const owners: number[] = [];
    for (const index of this.#order()) {
      const owner = this.#owners[index] ?? 0;
      if (owners.at(-1) !== owner) owners.push(owner);
    }
    return owners;
  }

  get size(): number {
    return this.#owners.length;
  }
}

/** The owner of a link, and what it links. */
interface OwnedLink {
  readonly owner: LinkEnd;
  readonly attribute: string;
  readonly target: LinkEnd;
}

/** Returns a link by its owner. Media links begin at the file, so their owner is the other end. */
const byOwner = ({ kind, left, right }: LinkRecord): OwnedLink => {
  const isMedia = kind === 'relation.morph' && left.type === FILE_UID && left.field === 'related';
  return isMedia
    ? {
        owner: right,
        attribute: right.field ?? '',
        target: { type: left.type, ref: left.ref, pos: right.pos ?? null },
      }
    : { owner: left, attribute: left.field ?? '', target: right };
};

/** The links of an export by owner: a content-type or component, an attribute, and a row. */
export class LinkIndex {
  readonly #lists = new Map<string, LinkList>();

  add(record: LinkRecord): void {
    const { owner, attribute, target } = byOwner(record);
    if (typeof owner.ref !== 'number' || typeof target.ref !== 'number') return;
    const isMorph = record.kind === 'relation.morph';
    getOrCreate(this.#lists, `${owner.type} ${attribute}`, () => new LinkList()).add({
      owner: owner.ref,
      targetType: target.type,
      targetId: target.ref,
      position: (isMorph ? target.pos : owner.pos) ?? 0,
      inversePosition: (isMorph ? null : target.pos) ?? 0,
    });
  }

  /** The links of one row in their order. */
  of(owner: string, attribute: string, row: number): readonly ImportedLink[] {
    return this.#lists.get(`${owner} ${attribute}`)?.of(row) ?? [];
  }

  /** The rows that have links. */
  ownersOf(owner: string, attribute: string): readonly number[] {
    return this.#lists.get(`${owner} ${attribute}`)?.owners() ?? [];
  }

  /** Every owner and attribute that has links, with their number. */
  *attributes(): Iterable<{ readonly owner: string; readonly attribute: string; readonly count: number }> {
    for (const [key, list] of this.#lists) {
      const [owner = '', attribute = ''] = key.split(' ');
      yield { owner, attribute, count: list.size };
    }
  }
}

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
  readonly findings: ImportFindings;
  /** The locale of links whose owner is not localized. */
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

/** True if a link leads to another status or locale than its owner's, where both types have them. */
const leadsToOtherVersion = (
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
  if (row === undefined) return 'the linked row no longer exists';
  if (!mayLink(attribute, link.targetType)) return `the attribute cannot link ${link.targetType} here`;
  if (!context.isAvailable(link.targetType, row.documentId)) return 'the linked document is not imported';
  const { targetType: type, targetId, inversePosition } = link;
  const resolved = { type, row, key: String(targetId), position: null, inversePosition };
  return leadsToOtherVersion(context, owner, resolved)
    ? 'the link leads to another status or locale, where it has no effect'
    : resolved;
};

/** Follows a link to a document. The link states the version if it does not follow from the owner's. */
const followDocument = (
  context: LinkContext,
  attribute: LinkAttribute,
  { type, documentId, status = 'published', locale = context.defaultLocale, ...link }: DocumentLink,
): string | ResolvedLink => {
  if (!mayLink(attribute, type)) return `the attribute cannot link ${type} here`;
  if (!context.isAvailable(type, documentId)) return 'the linked document is not imported';
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
 * Returns the distinct links of an attribute of a row or component, in order.
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
      context.findings.add({ what: `${source.uid} ${attribute.name}`, reason: resolved });
      continue;
    }
    const key = targetKey(attribute, resolved);
    const former = found.get(key);
    if (former === undefined) found.set(key, resolved);
    else if (former.key === resolved.key || former.row.documentId !== resolved.row.documentId)
      context.findings.add({ what: `${source.uid} ${attribute.name}`, reason: 'linked twice' });
  }
  return [...found.values()];
}
