import { sql } from 'kysely';
import { quoteName } from '../../dialect/sql-text.js';
import type { DatabaseObject } from '../../dialect/database-object.js';
import type { SearchedTable } from '../../dialect/search-expressions.js';
import { SQLITE_EXPRESSIONS } from '../expressions.js';

/** Returns one text of a row (`new`, `old` or a table), with a line break between its values. */
const textOf = (values: SearchedTable['texts'][number], row: string): string => {
  const { asText, kysely } = SQLITE_EXPRESSIONS;
  const texts = values.map(
    ({ column, kind }) => sql`${asText(kind, sql.id(row, column))}`.compile(kysely).sql,
  );
  return texts.length === 1
    ? texts.join()
    : texts.map((text) => `coalesce(${text}, '')`).join(` || char(10) || `);
};

/**
 * Returns a full-text index of trigrams that holds no texts itself. Its triggers use nothing but what SQLite
 * has, so that other tools can write to the table.
 */
export function searchObject({ name, table, texts }: SearchedTable): DatabaseObject {
  const [index, rows] = [quoteName(name), quoteName(table)];
  const columns = texts.map((_values, position) => `c${position}`).join(', ');
  const valuesOf = (row: string): string =>
    [`${quoteName(row)}."id"`, ...texts.map((values) => textOf(values, row))].join(', ');
  const add = `INSERT INTO ${index} (rowid, ${columns}) VALUES (${valuesOf('new')});`;
  const remove = `INSERT INTO ${index} (${index}, rowid, ${columns}) VALUES ('delete', ${valuesOf('old')});`;
  const searched = [...new Set(['id', ...texts.flat().map(({ column }) => column)])];
  const quoted = searched.map(quoteName);
  const isChanged = quoted.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const triggers: Readonly<Record<string, string>> = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${add} END`,
    update: `AFTER UPDATE OF ${quoted.join(', ')} ON ${rows} WHEN ${isChanged} BEGIN ${remove} ${add} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${remove} END`,
  };
  const triggerName = (event: string): string => `${name}_${event}`;
  return {
    name,
    requires: [{ table, columns: searched }],
    create: [
      `CREATE VIRTUAL TABLE ${index} USING fts5(${columns}, content = '', tokenize = 'trigram');`,
      // In the order of rowids: a lower one than the last has FTS5 write what it has collected.
      `INSERT INTO ${index} (rowid, ${columns}) SELECT ${valuesOf(table)} FROM ${rows} ORDER BY "id";`,
      ...Object.entries(triggers).map(
        ([event, body]) => `CREATE TRIGGER ${quoteName(triggerName(event))} ${body};`,
      ),
    ].join('\n'),
    drop: [
      ...Object.keys(triggers).map((event) => `DROP TRIGGER IF EXISTS ${quoteName(triggerName(event))};`),
      `DROP TABLE IF EXISTS ${index};`,
    ].join('\n'),
    parts: [name, ...Object.keys(triggers).map((event) => `${table}.${triggerName(event)}`)],
  };
}
