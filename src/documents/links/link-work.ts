import type { LinkOperation } from '../../validation/input.js';
import type { LinkEntry } from './link-entry.js';
import type { LinkView } from './link-view.js';

/** One relation or media attribute in one write: what is wanted of it, and what the database said about it. */
export interface LinkWork {
  readonly view: LinkView;
  /** Null: only published along with the rest, or copied to a new locale. */
  readonly operation: LinkOperation | null;
  /** Links of this document's own versions (owner's side), or that point at it (inverse side). */
  readonly entries: LinkEntry[];
  /**
   * Links that give way: other documents' to a target that may have one owner only, or, written from the inverse side, those of an owner
   * that may have one target only.
   */
  readonly rivals: LinkEntry[];
  /** Owner's side: the last place in the list of each target's inverse side. */
  readonly lastInverse: Map<string, number>;
  /** Inverse side: the last place in the list of each owner's version. */
  readonly lastOwn: Map<number, number>;
  /** Inverse side: the last place in this document's list. Null where the whole list was asked for. */
  lastHere: number | null;
}

export function createLinkWork(view: LinkView, operation: LinkOperation | null): LinkWork {
  return { view, operation, entries: [], rivals: [], lastInverse: new Map(), lastOwn: new Map(), lastHere: null };
}

/** Whether the operation only adds to the end of the list or takes out of it, so that the rest of the list need not be known. */
export function isAppending({ view, operation }: LinkWork): boolean {
  return view.attribute.many && operation?.kind === 'change' && operation.connect.every(({ position }) => position.at === 'end');
}
