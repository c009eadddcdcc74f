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

/** Returns the number of links whose place in the drafts' list is before `draft`. */
const countBefore = (links: readonly CommonLink[], draft: number): number => {
  let [low, high] = [0, links.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((links[middle]?.draft ?? draft) < draft) low = middle + 1;
    else high = middle;
  }
  return low;
};

const greatest = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce(
    (most, number) => (most === null || (number !== null && number > most) ? number : most),
    null,
  );

export function createPublishedList(): PublishedList {
  /** In ascending order, by the places as they are stored. */
  const rooms: number[] = [];
  /** In ascending order, by the places in the drafts' list. */
  let placed: CommonLink[] = [];
  let lastPlaced: number | null = null;
  const moved = (stored: number): number => {
    const index = rooms.findIndex((room) => room > stored);
    return stored + (index < 0 ? rooms.length : index);
  };
  const makeRoom = (position: number): void => {
    let stored = position - rooms.length;
    while (moved(stored) < position) stored += 1;
    const index = rooms.findIndex((room) => room > stored);
    rooms.splice(index < 0 ? rooms.length : index, 0, stored);
    placed = placed.map((link) =>
      link.published >= position ? { ...link, published: link.published + 1 } : link,
    );
    if (lastPlaced !== null && lastPlaced >= position) lastPlaced += 1;
  };
  /** The place of the nearer of a stored link and one that was placed. */
  const nearer = (
    stored: CommonLink | null,
    other: CommonLink | undefined,
    isNearer: (one: number, other: number) => boolean,
  ): number | null => {
    if (stored === null) return other?.published ?? null;
    return other !== undefined && isNearer(other.draft, stored.draft)
      ? other.published
      : moved(stored.published);
  };
  return {
    place: (draft, { previous, next, last }, leaving) => {
      const index = countBefore(placed, draft);
      const { position, isTaken } = findPlace({
        previous: nearer(previous, placed[index - 1], (one, other) => one > other),
        next: nearer(next, placed[index], (one, other) => one < other),
        last: greatest([last === null ? null : moved(last), lastPlaced, ...leaving.map(moved)]),
      });
      if (isTaken) makeRoom(position);
      placed.splice(index, 0, { draft, published: position });
      lastPlaced = greatest([lastPlaced, position]);
    },
    placeOf: (draft) => {
      const link = placed[countBefore(placed, draft)];
      return link?.draft === draft ? link.published : undefined;
    },
    rooms: () => rooms,
  };
}
