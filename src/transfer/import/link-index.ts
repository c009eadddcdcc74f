import { getOrCreate } from '../../lib/memoize.js';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { LinkEnd, LinkRecord } from '../source.js';
import { LinkList } from './link-list.js';
import type { ImportedLink } from './link-list.js';

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
