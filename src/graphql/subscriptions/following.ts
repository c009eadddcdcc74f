import type { ChangeFeed, ChangeListener } from '../../documents/changes/change-feed.js';

/** The feed of changes, followed as long as any subscription needs it. */
export interface Following {
  /** Once it resolves, no later change is missed. */
  readonly begin: () => Promise<void>;
  /** Once for each `begin`. */
  readonly end: () => void;
  readonly watch: ChangeFeed['watch'];
}

/** Counts who needs the feed. */
export function createFollowing(changes: ChangeFeed, listener: ChangeListener, onError: (error: unknown) => void): Following {
  let holders = 0;
  let following: Promise<() => Promise<void>> | null = null;
  return {
    begin: async () => {
      holders += 1;
      following ??= changes.follow(listener);
      const mine = following;
      try {
        await mine;
      } catch (error) {
        if (following === mine) following = null;
        throw error;
      }
    },
    end: () => {
      holders -= 1;
      if (holders > 0 || following === null) return;
      const ended = following;
      following = null;
      ended.then((stop) => stop()).catch(onError);
    },
    watch: changes.watch,
  };
}
