import { getOrCreate } from '../../lib/memoize.js';
import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { LinkEnd, LinkRecord } from '../strapi/source.js';

/** A link as its owner sees it. */
export interface ImportedLink {
  readonly targetType: string;
  readonly targetId: number;
  /** In the owner's list. */
  readonly position: number;
  /** In the list of the inverse side. */
  inversePosition: number;
  /** Counts the links of the export: earlier ones come first where positions are equal. */
  readonly order: number;
}

/** The owner of a link, and what it links. */
interface OwnedLink {
  readonly owner: LinkEnd;
  readonly attribute: string;
  readonly target: LinkEnd;
}

/** Files name what they are used by, so that a media attribute is the other end. */
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

const NO_LINKS: readonly ImportedLink[] = [];

/** The links of an export by owner: a content-type or component, an attribute, and a row. */
export class LinkIndex {
  readonly #links = new Map<string, Map<number, ImportedLink[]>>();
  #count = 0;

  add(record: LinkRecord): void {
    const { owner, attribute, target } = byOwner(record);
    if (typeof owner.ref !== 'number' || typeof target.ref !== 'number') return;
    this.#count += 1;
    const isMorph = record.kind === 'relation.morph';
    const byRow = getOrCreate(
      this.#links,
      `${owner.type} ${attribute}`,
      () => new Map<number, ImportedLink[]>(),
    );
    getOrCreate(byRow, owner.ref, () => []).push({
      targetType: target.type,
      targetId: target.ref,
      position: (isMorph ? target.pos : owner.pos) ?? 0,
      inversePosition: (isMorph ? null : target.pos) ?? 0,
      order: this.#count,
    });
  }

  /** The links of one row in their order. */
  of(owner: string, attribute: string, row: number): readonly ImportedLink[] {
    const links = this.#links.get(`${owner} ${attribute}`)?.get(row);
    return links === undefined
      ? NO_LINKS
      : links.toSorted((left, right) => left.position - right.position || left.order - right.order);
  }

  /** The rows that have links. */
  ownersOf(owner: string, attribute: string): readonly number[] {
    return [...(this.#links.get(`${owner} ${attribute}`)?.keys() ?? [])].toSorted((a, b) => a - b);
  }

  /** Counts the positions in the lists of the inverse side from 1, since Strapi's are no integers. */
  rankInverse(owner: string, attribute: string): void {
    const byTarget = new Map<string, ImportedLink[]>();
    for (const links of this.#links.get(`${owner} ${attribute}`)?.values() ?? [])
      for (const link of links)
        getOrCreate(byTarget, `${link.targetType} ${link.targetId}`, () => []).push(link);
    for (const links of byTarget.values()) {
      links.sort((left, right) => left.inversePosition - right.inversePosition || left.order - right.order);
      for (const [index, link] of links.entries()) link.inversePosition = index + 1;
    }
  }

  /** Every owner and attribute that has links, with their number. */
  *attributes(): Iterable<{ readonly owner: string; readonly attribute: string; readonly count: number }> {
    for (const [key, rows] of this.#links) {
      const [owner = '', attribute = ''] = key.split(' ');
      const count = [...rows.values()].reduce((sum, links) => sum + links.length, 0);
      yield { owner, attribute, count };
    }
  }

  get size(): number {
    return this.#count;
  }
}
