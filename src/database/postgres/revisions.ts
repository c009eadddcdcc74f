import type { Client } from 'pg';
import { SYSTEM_TABLE } from '../dialect/changes.js';
import type {
  OpenRevisions,
  RevisedTables,
  RevisionOptions,
  RevisionSupport,
  Revisions,
} from '../dialect/changes.js';
import type { DatabaseObject } from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { ListeningConnection } from './notifications.js';
import { POSTGRES_OBJECTS } from './migrations.js';

/** Each schema of a database has a separate channel. Triggers name it in the same way. */
const CHANNEL = "'galley_revisions_' || md5(current_schema())";

/** Message announcing changes of all types. */
const EVERY_TYPE = '';

class MissingTriggers extends Error {
  override readonly name = 'MissingTriggers';
}

/** Asserts that all triggers are there. They vanish where another tool replaces a table. */
const assertComplete = async (client: Client, parts: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ readonly part: string }>(POSTGRES_OBJECTS.partsSql);
  const existing = new Set(rows.map(({ part }) => part));
  const missing = parts.filter((part) => !existing.has(part));
  if (missing.length > 0) throw new MissingTriggers(`The database lacks ${missing.join(', ')}`);
};

/** Counts the announcements on the listening connection. While it is lost, no revision is known. */
class Announcements {
  readonly #types: readonly string[];
  #revisions: Revisions = new Map();
  #last = 0;
  #isListening = true;

  constructor(types: readonly string[]) {
    this.#types = types;
    this.onMessage(EVERY_TYPE);
  }

  readonly onMessage = (type: string): void => {
    this.#last += 1;
    const changed = type === EVERY_TYPE ? this.#types : [type];
    const revisions = new Map(this.#revisions);
    for (const each of changed) revisions.set(each, this.#last);
    this.#revisions = revisions;
  };

  readonly onLost = (): void => {
    this.#isListening = false;
  };

  readonly onGap = (): void => {
    this.onMessage(EVERY_TYPE);
    this.#isListening = true;
  };

  readonly current = (): Revisions | null => (this.#isListening ? this.#revisions : null);
}

/** Shares round trips: each caller waits for one that begins after its call. */
const createSettle = (settle: () => Promise<void>): (() => Promise<boolean>) => {
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  const start = (): Promise<boolean> => {
    running = settle()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
  const startNext = (): Promise<boolean> => {
    next = null;
    return start();
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(startNext);
    return next;
  };
};

/**
 * PostgreSQL notifies a listening connection of the types that a committed transaction changed. After a write
 * of this process, and always in strict mode, a round trip makes sure that all notifications have arrived.
 */
async function openPostgresRevisions(options: RevisionOptions): Promise<OpenRevisions> {
  const { url, types, parts, isStrict, onError } = options;
  const announcements = new Announcements(types);
  const connection = await ListeningConnection.open({
    url,
    channel: CHANNEL,
    applicationName: 'galley revisions',
    purpose: 'Cached responses',
    check: (client) => assertComplete(client, parts),
    onMessage: announcements.onMessage,
    onLost: announcements.onLost,
    onGap: announcements.onGap,
    onError,
  });
  const settle = createSettle(connection.settle);
  let hasWritten = false;
  let settling: Promise<boolean> | null = null;
  const settled = async (pending: Promise<boolean>): Promise<Revisions | null> => {
    const isKnown = await pending;
    if (settling === pending) settling = null;
    return isKnown ? announcements.current() : null;
  };
  return {
    current: () => {
      if (hasWritten || isStrict) {
        hasWritten = false;
        settling = settle();
      }
      return settling === null ? announcements.current() : settled(settling);
    },
    noteWrite: () => {
      hasWritten = true;
    },
    close: connection.close,
  };
}

const FUNCTION = 'cms_announce_revision';
const TRIGGER = 'cms_revision';

/** A transaction announces each type once, when it commits. */
const ANNOUNCE: DatabaseObject = Object.freeze({
  name: 'revisions',
  requires: [{ table: SYSTEM_TABLE }],
  create: `
CREATE OR REPLACE FUNCTION ${FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('galley_revisions_' || pg_catalog.md5(TG_TABLE_SCHEMA), TG_ARGV[0]);
  RETURN NULL;
END $$;`,
  // Without it, remaining triggers would reject every write.
  drop: '',
  afterMigration: `SELECT pg_notify('galley_revisions_' || md5(current_schema()), ${quoteText(EVERY_TYPE)})`,
  parts: [`${FUNCTION}()`],
});

const revisionsOf = ({ name, tables }: RevisedTables): DatabaseObject => ({
  name: `revisions of ${name}`,
  requires: [{ table: SYSTEM_TABLE }, ...tables.map((table) => ({ table }))],
  create: tables
    .map(
      (table) =>
        `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quoteName(table)}` +
        ` FOR EACH STATEMENT EXECUTE FUNCTION ${FUNCTION}(${quoteText(name)});`,
    )
    .join('\n'),
  drop: tables.map((table) => `DROP TRIGGER IF EXISTS ${TRIGGER} ON ${quoteName(table)};`).join('\n'),
  parts: tables.map((table) => `${table}.${TRIGGER}`),
});

export const POSTGRES_REVISIONS = Object.freeze<RevisionSupport>({
  objectsFor: (types) => [ANNOUNCE, ...types.map(revisionsOf)],
  open: openPostgresRevisions,
});
