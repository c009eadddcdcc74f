import type { DatabaseObject } from './migration-support.js';

/** Rows that count as one: those of a content-type in all its tables. */
export interface RevisedTables {
  /** The UID of the content-type. */
  readonly name: string;
  readonly tables: readonly string[];
}

/**
 * A number for each content-type, another one whenever its rows change. The same object as long as nothing
 * changes. A type that is missing may have changed.
 */
export type Revisions = ReadonlyMap<string, number>;

/** Notices when rows change, whoever changes them. */
export interface OpenRevisions {
  /**
   * Returns the revisions of rows that are committed now, or null where they cannot be known, so that nothing
   * may be cached. A promise only where the database has to be asked.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  /** Tells that this process has committed a write. */
  readonly noteWrite: () => void;
  readonly close: () => Promise<void>;
}

export interface RevisionOptions {
  readonly url: string;
  /** The UIDs of all content-types. */
  readonly types: readonly string[];
  /** The parts of the objects that notice changes. While one is missing, revisions are not known. */
  readonly parts: readonly string[];
  /** True if the database is asked each time, where it would otherwise tell by itself. */
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
   * Registers a listening process, or renews it. Parameters are its id, its watches and for how many
   * milliseconds from now they are valid.
   */
  readonly registerListenerSql: string;
  /** Deletes expired listeners and messages that all listeners have read. */
  readonly cleanupSql: readonly string[];
  readonly open: (url: string, handlers: ChangeFeedHandlers) => Promise<OpenChangeFeed>;
}
