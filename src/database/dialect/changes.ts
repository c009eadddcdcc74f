import type { DatabaseObject } from './migration-support.js';

/** Tables that share one revision: those of a content-type. */
export interface RevisedTables {
  /** The UID of the content-type. */
  readonly name: string;
  readonly tables: readonly string[];
}

/**
 * A number for each content-type, which differs after each change of its rows. The same object as long as
 * nothing changes. A missing type may have changed.
 */
export type Revisions = ReadonlyMap<string, number>;

/** Detects changes of rows by any process. */
export interface OpenRevisions {
  /**
   * Returns the revisions of the committed rows, or null if they are unknown; nothing may be cached then.
   * Returns a promise only if it has to query the database.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  /** Reports that this process has committed a write. */
  readonly noteWrite: () => void;
  readonly close: () => Promise<void>;
}

export interface RevisionOptions {
  readonly url: string;
  /** The UIDs of all content-types. */
  readonly types: readonly string[];
  /** The parts of the objects that notice changes. While one is missing, revisions are not known. */
  readonly parts: readonly string[];
  /** True if each call queries a database that would otherwise send notifications. */
  readonly isStrict: boolean;
  readonly onError: (error: unknown) => void;
}

/** Database-specific detection of changed rows. */
export interface RevisionSupport {
  /** Returns the objects in the database that detect changes. */
  readonly objectsFor: (types: readonly RevisedTables[]) => readonly DatabaseObject[];
  readonly open: (options: RevisionOptions) => Promise<OpenRevisions>;
}

/** A table that every migrated database has. */
export const SYSTEM_TABLE = 'cms_state';

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
   * Registers a listening process, or renews it. Parameters are its id, its watches and the
   * milliseconds for which they are valid.
   */
  readonly registerListenerSql: string;
  /** Deletes expired listeners and messages that all listeners have read. */
  readonly cleanupSql: readonly string[];
  readonly open: (url: string, handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
}
