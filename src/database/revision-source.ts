import type { OpenRevisions, Revisions } from './dialect/revisions.js';
import { isGalleyError } from '../errors/galley-error.js';

/** Wait before retrying after the revisions could not be opened. */
const RETRY_MS = 10_000;

/** Says whether rows of content-types have changed. Opens what it needs when it is first asked. */
export interface RevisionSource {
  /**
   * Returns what {@link OpenRevisions} does. Null also until it is open. Code that caches something must
   * take this before reading: what is committed in between then counts as a change.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  readonly close: () => Promise<void>;
}

export interface RevisionSourceOptions {
  readonly open: () => Promise<OpenRevisions>;
  /** Told once why nothing can be cached. */
  readonly onError: (error: unknown) => void;
}

/** A source of a database that cannot tell. */
export const NO_REVISIONS: RevisionSource = Object.freeze<RevisionSource>({
  current: () => null,
  close: async () => undefined,
});

export function createRevisionSource({ open, onError }: RevisionSourceOptions): RevisionSource {
  let revisions: OpenRevisions | null = null;
  let opening: Promise<void> | null = null;
  let isTold = false;
  let nextTry = 0;
  const giveUp = (error: unknown): void => {
    // What the catalogue knows is a matter of configuration, and stays as it is.
    nextTry = isGalleyError(error) ? Number.POSITIVE_INFINITY : Date.now() + RETRY_MS;
    if (!isTold) onError(error);
    isTold = true;
  };
  const openNow = async (): Promise<void> => {
    try {
      revisions = await open();
    } catch (error) {
      giveUp(error);
    } finally {
      opening = null;
    }
  };
  return {
    current: () => {
      if (revisions === null) {
        if (opening === null && Date.now() >= nextTry) opening = openNow();
        return null;
      }
      try {
        return revisions.current();
      } catch (error) {
        giveUp(error);
        return null;
      }
    },
    close: async () => {
      nextTry = Number.POSITIVE_INFINITY;
      await opening;
      await revisions?.close();
    },
  };
}
