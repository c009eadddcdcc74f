import type { ExternalDatabase, ExternalRow, ExternalValue } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { JsonValue } from '../../lib/stored-value.js';

const toText = (value: ExternalValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);

/** Returns a time as ISO 8601. Text without a zone is in UTC. */
const withZone = (text: string): string => {
  const iso = text.replace(' ', 'T');
  if (/(?:Z|[+-]\d\d:?\d\d)$/.test(iso)) return iso;
  return /[+-]\d\d$/.test(iso) ? `${iso}:00` : `${iso}Z`;
};

/** Converts a time: milliseconds of SQLite, as number or text, or UTC text of PostgreSQL. */
const toDate = (value: ExternalValue): Date =>
  /^-?\d+(?:\.0)?$/.test(toText(value)) ? new Date(Number(value)) : new Date(withZone(toText(value)));

const toIso = (value: ExternalValue): string => {
  const date = toDate(value);
  return Number.isNaN(date.getTime()) ? toText(value) : date.toISOString();
};

const toBoolean = (value: ExternalValue): boolean => ['1', 't', 'true'].includes(toText(value));

const toJson = (value: ExternalValue): JsonValue => {
  const parsed: JsonValue = JSON.parse(toText(value));
  return parsed;
};

/** Milliseconds stay unchanged, as in Strapi's responses. */
const toTimestamp = (value: ExternalValue): string =>
  typeof value === 'string' ? toIso(value) : toText(value);

/** Rounds numbers beyond 2^53, as Strapi's SQLite driver does. */
const toBigInteger = (value: ExternalValue): string =>
  typeof value === 'bigint' ? String(BigInt(Number(value))) : toText(value);

const toDay = (value: ExternalValue): string =>
  typeof value === 'string' ? value : toIso(value).slice(0, 10);

const READERS: Readonly<Record<string, (value: ExternalValue) => JsonValue>> = {
  boolean: toBoolean,
  integer: Number,
  biginteger: toBigInteger,
  float: Number,
  decimal: Number,
  json: toJson,
  blocks: toJson,
  datetime: toIso,
  timestamp: toTimestamp,
  date: toDay,
};

/** Returns the type of a custom field, judged by its column. */
const typeOfColumn = (native: string): string => {
  if (native.startsWith('json')) return 'json';
  if (native === 'boolean') return 'boolean';
  return /^(?:integer|float|double|real|numeric|decimal)/.test(native) ? 'decimal' : 'string';
};

/** Converts a stored value to its form in Strapi's exports. */
export function readValue(type: string, native: string, value: ExternalValue | undefined): JsonValue {
  if (value === null || value === undefined) return null;
  const reader = READERS[type === 'customField' ? typeOfColumn(native) : type];
  return reader === undefined ? toText(value) : reader(value);
}

/** Converts an id or a count, which each driver returns differently. */
export const readNumber = (value: ExternalValue | undefined): number => Number(value);

export const readText = (value: ExternalValue | undefined): string | null =>
  value === null || value === undefined ? null : toText(value);

/** Converts a time to ISO text. */
export const readTime = (value: ExternalValue | undefined): string | null =>
  value === null || value === undefined ? null : toIso(value);

const PAGE_SIZE = 500;

/** Query for the rows of a table. */
export interface PageQuery {
  readonly table: string;
  readonly columns: readonly string[];
  /** SQL. */
  readonly condition?: string;
}

/** Reads a table page by page, in the order of its ids. */
export async function* readPages(
  database: ExternalDatabase,
  { table, columns, condition }: PageQuery,
): AsyncGenerator<readonly ExternalRow[]> {
  const names = [...new Set(['id', ...columns])].map(quoteName).join(', ');
  let last: number | null = null;
  for (;;) {
    const conditions = [
      ...(last === null ? [] : [`"id" > ${String(last)}`]),
      ...(condition === undefined ? [] : [condition]),
    ];
    const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    const rows = await database.rows(
      `select ${names} from ${quoteName(table)}${where} order by "id" limit ${PAGE_SIZE}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) return;
    last = readNumber(rows.at(-1)?.['id']);
  }
}

/** Reads all rows of a table. Yields nothing if the table does not exist. */
export async function* readRows(database: ExternalDatabase, query: PageQuery): AsyncGenerator<ExternalRow> {
  if (!database.tables.has(query.table)) return;
  for await (const rows of readPages(database, query)) yield* rows;
}
