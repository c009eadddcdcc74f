export interface ChangeFeedHandlers {
  /** In the order in which the writes were committed. */
  readonly onMessage: (message: string) => void;
  /** Messages may have been missed: the connection was lost and is there again. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/** What is announced from now on, by whichever process. */
export interface OpenChangeFeed {
  /** Looks at once, where looking is needed: somebody in this process has just written. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

/** How processes over one database tell each other what they have written. Statements are the dialect's own, and read its own clock. */
export interface ChangeFeedSupport {
  /** Tells every feed the only parameter, a text of less than 8000 bytes, once the transaction is committed. Costs one look where nobody listens. */
  readonly announce: string;
  /** Rows with a column `watches`: one per process that listens. */
  readonly listeners: string;
  /** Says or repeats that a process listens: its id, its watches, and for how many milliseconds from now that is to be believed. */
  readonly listen: string;
  /** Forgets processes that are gone and announcements that everybody has heard. */
  readonly sweeps: readonly string[];
  readonly open: (url: string, handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
}
