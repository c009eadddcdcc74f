import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { DatabaseObject } from '../database-object.js';
import { SYSTEM_TABLE } from '../revisions.js';
import { quoteName, quoteText } from '../sql-text.js';
import { KNOWN, TOTALS_TABLE, fillTotals, knownPart, totalRequirements } from '../totals.js';
import type { CountedTable, TotalExpressions, TotalOptions, TotalSupport } from '../totals.js';
import { SQLITE_NOTE, SQLITE_SEEN } from './functions.js';

const TABLE_OBJECT: DatabaseObject = Object.freeze({
  name: 'totals',
  requires: [{ table: SYSTEM_TABLE }],
  create: `CREATE TABLE IF NOT EXISTS ${TOTALS_TABLE} (
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    PRIMARY KEY ("type", "status", "locale")
  ) WITHOUT ROWID`,
  // Without it, triggers that are left would refuse every write.
  drop: '',
  parts: [TOTALS_TABLE],
});

const EVENTS = ['insert', 'delete', 'move', 'replace', 'replace_by_update'] as const;

const triggerName = (table: string, event: string): string => `cms_total_${table}_${event}`;

const rowsOf = (name: string, row: string): string =>
  `"type" = ${quoteText(name)} AND "status" = ${row}."status" AND "locale" = ${row}."locale"`;

/** Two statements: an upsert would give way to the conflict clause of whatever fires the trigger. */
const addRow = (name: string): string =>
  `UPDATE ${TOTALS_TABLE} SET "number" = "number" + 1 WHERE ${rowsOf(name, 'new')};` +
  ` INSERT INTO ${TOTALS_TABLE}` +
  ` SELECT ${quoteText(name)}, new."status", new."locale", 1 WHERE changes() = 0;`;

const removeRow = (name: string): string =>
  `UPDATE ${TOTALS_TABLE} SET "number" = "number" - 1 WHERE ${rowsOf(name, 'old')};`;

const forget = (name: string): string =>
  `DELETE FROM ${TOTALS_TABLE} WHERE "type" = ${quoteText(name)} AND "status" = '${KNOWN}';`;

/** Conditions, under each of which a new row has the place of another. */
const conflicts = ({ uniqueColumns }: CountedTable): readonly string[] => [
  '"id" = new."id"',
  '"document_id" = new."document_id" AND "locale" = new."locale" AND "status" = new."status"',
  ...uniqueColumns
    .map(quoteName)
    .map(
      (column) =>
        `new."status" = 'published' AND "status" = 'published' AND "locale" = new."locale"` +
        ` AND ${column} = new.${column}`,
    ),
];

/**
 * `OR REPLACE` deletes rows without a trigger. Where a row is in the way of a new one, totals are therefore
 * no longer known.
 */
const replaceTriggers = (
  counted: CountedTable,
): Readonly<Record<'replace' | 'replace_by_update', string>> => {
  const rows = quoteName(counted.table);
  const places = conflicts(counted);
  const exists = (condition: string): string => `EXISTS (SELECT 1 FROM ${rows} WHERE ${condition})`;
  const columns = ['id', 'document_id', 'locale', 'status', ...counted.uniqueColumns].map(quoteName);
  const others = places.map((condition) => exists(`${condition} AND "id" <> old."id"`)).join(' OR ');
  return {
    replace:
      `BEFORE INSERT ON ${rows} WHEN ${places.map(exists).join(' OR ')}` +
      ` BEGIN ${forget(counted.name)} END`,
    replace_by_update:
      `BEFORE UPDATE OF ${columns.join(', ')} ON ${rows}` +
      ` WHEN ${others} BEGIN ${forget(counted.name)} END`,
  };
};

const totalsOf = (counted: CountedTable): DatabaseObject => {
  const { name, table } = counted;
  const rows = quoteName(table);
  const isMoved = `old."status" IS NOT new."status" OR old."locale" IS NOT new."locale"`;
  const bodies: Readonly<Record<(typeof EVENTS)[number], string>> = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${addRow(name)} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${removeRow(name)} END`,
    move:
      `AFTER UPDATE OF "status", "locale" ON ${rows} WHEN ${isMoved}` +
      ` BEGIN ${removeRow(name)} ${addRow(name)} END`,
    ...replaceTriggers(counted),
  };
  return {
    name: `totals of ${name}`,
    requires: totalRequirements(counted),
    create: [
      fillTotals(counted),
      ...EVENTS.map((event) => `CREATE TRIGGER ${quoteName(triggerName(table, event))} ${bodies[event]};`),
    ].join('\n'),
    drop: EVENTS.map((event) => `DROP TRIGGER IF EXISTS ${quoteName(triggerName(table, event))};`).join('\n'),
    parts: [knownPart(name), ...EVENTS.map((event) => `${table}.${triggerName(table, event)}`)],
  };
};

export const SQLITE_TOTALS = Object.freeze<TotalSupport>({
  objectsFor: (tables) => [TABLE_OBJECT, ...tables.map(totalsOf)],
});

const SCHEMA_VERSION = sql`(select schema_version from pragma_schema_version)`;

/** The triggers vanish where another tool replaces the table. Looking through the schema takes 15 µs. */
const hasTriggers = ({ table }: TotalOptions): RawBuilder<boolean> => {
  const triggers = sql.join(EVENTS.map((event) => sql.lit(triggerName(table, event))));
  const present = sql`(select count(*) from sqlite_master
    where tbl_name = ${sql.lit(table)} and type = 'trigger' and name in (${triggers}))`;
  const subject = sql.lit(`totals of ${table}`);
  return sql<boolean>`(${sql.id(SQLITE_SEEN)}(${subject}, ${SCHEMA_VERSION})
    or ${sql.id(SQLITE_NOTE)}(${subject}, ${SCHEMA_VERSION}, ${sql.lit(EVENTS.length)} = ${present}))`;
};

const isKnown = (options: TotalOptions): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from ${sql.id(TOTALS_TABLE)}
      where "type" = ${sql.lit(options.name)} and "status" = ${sql.lit(KNOWN)})
    and ${hasTriggers(options)}`;

const total = (options: TotalOptions): RawBuilder<unknown> => {
  const { name, status, locale, counted } = options;
  const isOfLocale = locale === null ? sql`` : sql` and "locale" = ${locale}`;
  const remembered = sql`select coalesce(sum("number"), 0) from ${sql.id(TOTALS_TABLE)}
    where "type" = ${sql.lit(name)} and "status" = ${status}${isOfLocale}`;
  return sql`select iif(${isKnown(options)}, (${remembered}), (${counted}))`;
};

export const SQLITE_TOTAL_EXPRESSIONS = Object.freeze<TotalExpressions>({
  tableSql: `SELECT name FROM sqlite_master WHERE type = 'table' AND name = '${TOTALS_TABLE}'`,
  isTableMissing: (error) =>
    error instanceof Error && error.message.includes(`no such table: ${TOTALS_TABLE}`),
  total,
});
