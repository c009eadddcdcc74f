export interface ChangeFeedHandlers {
  /** In the order in which the writes were committed. */
  readonly onMessage: (message: string) => void;
  /** The connection was lost and is open again. Messages may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/** Receives the messages that any process announces from now on. */
export interface OpenChangeFeed {
  /** Reads new messages now, where the feed polls. Called after a write in this process. */
  readonly pollNow: () => void;
  readonly close: () => Promise<void>;
}

/** Announcements of writes between the processes of one database. Times are those of the database. */
export interface ChangeFeedSupport {
  /**
   * The SQL that announces messages to all feeds when the transaction commits: texts of less than 8000 bytes
   * each, in a JSON array, which is its only parameter. Without a listener it costs one lookup.
   */
  readonly announceSql: string;
  /** Selects a row with a column `watches` per listening process. */
  readonly listenersSql: string;
  /**
   * Registers a listening process, or renews it. Parameters are its id, its watches and for how many
   * milliseconds from now they are valid.
   */
  readonly registerListenerSql: string;
  /** Deletes expired listeners and messages that all listeners have read. */
  readonly cleanupSql: readonly string[];
  readonly open: (url: string, handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
}
