import type { ChangeFeed, ChangeListener } from '../../../documents/changes/change-feed.js';

/** The change feed, which is open as long as any subscription uses it. */
export interface SharedChangeFeed {
  /** Once it resolves, no later change is missed. */
  readonly acquire: () => Promise<void>;
  /** To be called once for each `acquire`. */
  readonly release: () => void;
  readonly watch: ChangeFeed['watch'];
}

/** Opens the feed for the first user and closes it after the last. */
export function createSharedChangeFeed(
  feed: ChangeFeed,
  listener: ChangeListener,
  onError: (error: unknown) => void,
): SharedChangeFeed {
  let referenceCount = 0;
  let activeFeed: Promise<() => Promise<void>> | null = null;
  return {
    acquire: async () => {
      referenceCount += 1;
      activeFeed ??= feed.subscribe(listener);
      const acquiredFeed = activeFeed;
      try {
        await acquiredFeed;
      } catch (error) {
        if (activeFeed === acquiredFeed) activeFeed = null;
        throw error;
      }
    },
    release: () => {
      referenceCount -= 1;
      if (referenceCount > 0 || activeFeed === null) return;
      const releasedFeed = activeFeed;
      activeFeed = null;
      releasedFeed.then((stop) => stop()).catch(onError);
    },
    watch: feed.watch,
  };
}
