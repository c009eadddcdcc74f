import { findPlace } from '../links/apply/place-links.js';

/** A link that both versions of a document have: its places in the drafts' and in the published list. */
export interface CommonLink {
  readonly draft: number;
  readonly published: number;
}

/** What is stored around the place of a link. */
export interface Surroundings {
  /** The nearest links in the drafts' list that are published, too. */
  readonly previous: CommonLink | null;
  readonly next: CommonLink | null;
  /** The last place in the published list, of those that stay. */
  readonly last: number | null;
}

/** A list of links of published versions, as links get into it one after the other. */
export interface PublishedList {
  /**
   * Places the link that has the place `draft` in the drafts' list.
   *
   * @param leaving the places of stored links that are removed only after this one is placed
   */
  readonly place: (draft: number, around: Surroundings, leaving: readonly number[]) => void;
  readonly placeOf: (draft: number) => number | undefined;
  /** Places from which on stored links make room: each moves by one for every room at or before its place. */
  readonly rooms: () => readonly number[];
}

const nearest = (
  candidates: readonly CommonLink[],
  isNearer: (one: CommonLink, other: CommonLink) => boolean,
): CommonLink | null =>
  candidates.reduce<CommonLink | null>(
    (best, candidate) => (best === null || isNearer(candidate, best) ? candidate : best),
    null,
  );

export function createPublishedList(): PublishedList {
  /** In ascending order, by the places as they are stored. */
  let rooms: readonly number[] = [];
  let placed: readonly CommonLink[] = [];
  const moved = (stored: number): number => stored + rooms.filter((room) => room <= stored).length;
  const movedLink = (link: CommonLink | null): readonly CommonLink[] =>
    link === null ? [] : [{ ...link, published: moved(link.published) }];
  const makeRoom = (position: number): void => {
    let stored = position - rooms.length;
    while (moved(stored) < position) stored += 1;
    rooms = [...rooms, stored].toSorted((one, other) => one - other);
    placed = placed.map((link) =>
      link.published >= position ? { ...link, published: link.published + 1 } : link,
    );
  };
  return {
    place: (draft, { previous, next, last }, leaving) => {
      const before = placed.filter((link) => link.draft < draft);
      const after = placed.filter((link) => link.draft > draft);
      const lasts = [
        ...(last === null ? [] : [moved(last)]),
        ...leaving.map(moved),
        ...placed.map(({ published }) => published),
      ];
      const { position, isTaken } = findPlace({
        previous:
          nearest([...movedLink(previous), ...before], (one, other) => one.draft > other.draft)?.published ??
          null,
        next:
          nearest([...movedLink(next), ...after], (one, other) => one.draft < other.draft)?.published ?? null,
        last: lasts.length === 0 ? null : Math.max(...lasts),
      });
      if (isTaken) makeRoom(position);
      placed = [...placed, { draft, published: position }];
    },
    placeOf: (draft) => placed.find((link) => link.draft === draft)?.published,
    rooms: () => rooms,
  };
}
