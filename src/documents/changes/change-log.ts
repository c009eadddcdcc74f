import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { isRecord } from '../../lib/records.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { WriteAction } from '../hooks.js';

/** A committed write of any process. */
export interface DocumentChange {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The written locale. Null for types that are not localised, and if all locales were deleted. */
  readonly locale: string | null;
  /** `published`: the published version was written, and the draft if the type has drafts. */
  readonly status: VersionStatus | null;
  /** If a version was removed: the keys of the watches that matched it. */
  readonly watches: readonly string[];
}

/** The cache tags that a committed write of any process makes stale. */
interface TagChange {
  readonly action: 'tags';
  readonly tags: readonly string[];
}

/** Prints a change as the message of a row. {@link parseMessage} reads it. */
const printChange = ({ action, type, documentId, locale, status, watches }: DocumentChange): string =>
  JSON.stringify({
    action,
    type,
    documentId,
    locale,
    status,
    ...(watches.length === 0 ? {} : { watches }),
  });

/**
 * A row that names no change: changes before a `start` may be missing, and cache tags before a `startTags`. A
 * `reset` is a change of unknown documents, such as the import of an archive.
 */
type Marker = 'start' | 'startTags' | 'reset';

const MARKERS: readonly string[] = ['start', 'startTags', 'reset'] satisfies readonly Marker[];

type LogTarget = Pick<Transaction, 'execute'>;

/** Adds rows right before the commit. Returns the number of rows; none if nobody listens. */
const addRows = (
  { dialect }: Pick<Database, 'dialect'>,
  tx: LogTarget,
  messages: readonly string[],
  tagMessages: readonly string[] = [],
): Promise<number> =>
  tx.execute(dialect.changeFeed.announceSql, [JSON.stringify(messages), JSON.stringify(tagMessages)]);

/** Adds a marker to the log of changes, if any process listens. */
export async function logMarker(
  database: Pick<Database, 'dialect'>,
  tx: LogTarget,
  action: Marker,
): Promise<void> {
  await addRows(database, tx, [JSON.stringify({ action })]);
}

/**
 * Adds changes and cache tags to the log, right before the commit of their transaction. Tags are added only
 * while they are recorded. Returns false if they are not.
 */
export async function logChanges(
  database: Pick<Database, 'dialect'>,
  tx: LogTarget,
  changes: readonly DocumentChange[],
  tags: readonly string[],
): Promise<boolean> {
  const tagMessages = tags.length === 0 ? [] : [JSON.stringify({ action: 'tags', tags })];
  const added = await addRows(database, tx, changes.map(printChange), tagMessages);
  return added > changes.length;
}

/** Names a row. The time recognizes rows of a restored copy of the database, where ids are used again. */
export interface Position {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The position before the first row. */
const BEGINNING: Position = { id: 0, at: 0 };

const EVENT_ID = /^([1-9]\d{0,14})-([0-9a-z]{1,10})$/;
const RADIX = 36;

/** Prints a position as the id of an event. */
export function printPosition({ id, at }: Position): string {
  return `${id}-${at.toString(RADIX)}`;
}

/** Parses the id of an event. Null: it is none. */
export function parsePosition(text: string): Position | null {
  const [, id, at] = EVENT_ID.exec(text) ?? [];
  return id === undefined || at === undefined ? null : { id: Number(id), at: parseInt(at, RADIX) };
}

/** A row of the log. */
export interface LoggedChange {
  readonly position: Position;
  readonly message: DocumentChange | TagChange | Marker;
}

/** Parses the message of a row. Those of unknown form, which a newer release wrote, are resets. */
const parseMessage = (text: string): LoggedChange['message'] => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || typeof value['action'] !== 'string') return 'reset';
  const { action } = value;
  if (MARKERS.includes(action)) return action as Marker;
  if (action === 'tags' && Array.isArray(value['tags'])) return { action, tags: value['tags'] as string[] };
  if (typeof value['type'] !== 'string' || typeof value['documentId'] !== 'string') return 'reset';
  return {
    ...(value as unknown as DocumentChange),
    watches: Array.isArray(value['watches']) ? (value['watches'] as string[]) : [],
  };
};

/** Rows that one statement reads, so that a large import does not block requests. */
const PAGE = 500;

/** The changes of all processes, in the order of their commits. */
export interface ChangeLog {
  /** Returns the position of the last row. */
  readonly latest: () => Promise<Position>;
  /** Returns the next rows, the oldest first. Null: the log lacks the row at the position. */
  readonly readAfter: (position: Position) => Promise<readonly LoggedChange[] | null>;
}

/** Creates the reader of the rows that announce-changes.ts adds. */
export function createChangeLog({
  dialect: { expressions },
  readTexts,
}: Pick<Database, 'dialect' | 'readTexts'>): ChangeLog {
  const { json } = expressions;
  const record = json.object([
    ['id', json.value('integer', sql.ref('id'))],
    ['at', json.value('bigint', sql.ref('created_at'))],
    ['message', json.value('text', sql.ref('message'))],
  ]);
  const read = async (clauses: ReturnType<typeof sql>): Promise<readonly LoggedChange[]> => {
    const statement = sql`select ${json.text(record)} from cms_changes ${clauses}`.compile(
      expressions.kysely,
    );
    const texts = await readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
    return texts.flatMap((text) => {
      if (text === null) return [];
      const { id, at, message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
      return [{ position: { id: Number(id), at: Number(at) }, message: parseMessage(String(message)) }];
    });
  };
  return {
    latest: async () => (await read(sql`order by id desc limit 1`))[0]?.position ?? BEGINNING,
    readAfter: async ({ id, at }) => {
      const from = expressions.parameter('integer', id);
      const rows = await read(sql`where id >= ${from} order by id limit ${sql.lit(PAGE + 1)}`);
      if (id === BEGINNING.id) return rows;
      const [first, ...others] = rows;
      return first?.position.id === id && first.position.at === at ? others : null;
    },
  };
}
