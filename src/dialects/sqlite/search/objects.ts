import { sql } from 'kysely';
import { quoteName } from '../../sql-text.js';
import type { DatabaseObject } from '../../database-object.js';
import type { SearchedTable } from '../../search-expressions.js';
import { SQLITE_EXPRESSIONS } from '../expressions.js';
import { pairsColumn, pairsSql, textsWithPairs } from './pairs.js';

/**
 * Bytes of what is collected before it is written. With its own megabyte, FTS5 takes twice as long to index
 * all rows, since it merges what it wrote again and again.
 */
const [COLLECTED, COLLECTED_OF_FTS5] = [64 * 1024 * 1024, 1024 * 1024];

/** Texts as one, with a line break between them. */
const joined = (texts: readonly string[]): string =>
  texts.length < 2
    ? texts.join() || `''`
    : texts.map((text) => `coalesce(${text}, '')`).join(` || char(10) || `);

/** The text of the index, of a row: `new`, `old` or a table. */
const textOf = (values: SearchedTable['texts'][number], row: string): string => {
  const { asText, kysely } = SQLITE_EXPRESSIONS;
  const texts = values.map(
    ({ column, kind }) => sql`${asText(kind, sql.id(row, column))}`.compile(kysely).sql,
  );
  return joined(texts);
};

/**
 * Returns a full-text index of trigrams, of letters and of pairs of letters, that holds no texts itself. Its
 * triggers use nothing but what SQLite has, so that other tools can write to the table.
 */
export function searchObject({ name, table, texts }: SearchedTable): DatabaseObject {
  const [index, rows] = [quoteName(name), quoteName(table)];
  const columns = [...texts.map((_values, position) => `c${position}`), pairsColumn({ texts })].join(', ');
  const withPairs = new Set(textsWithPairs({ texts }));
  const valuesOf = (row: string): string => {
    const printed = texts.map((values) => textOf(values, row));
    const pairs = printed.filter((_text, position) => withPairs.has(position)).map(pairsSql);
    return [`${quoteName(row)}."id"`, ...printed, joined(pairs)].join(', ');
  };
  const add = `INSERT INTO ${index} (rowid, ${columns}) VALUES (${valuesOf('new')});`;
  const remove = `INSERT INTO ${index} (${index}, rowid, ${columns}) VALUES ('delete', ${valuesOf('old')});`;
  const searched = [...new Set(['id', ...texts.flat().map(({ column }) => column)])];
  const quoted = searched.map(quoteName);
  const isChanged = quoted.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const collect = (bytes: number): string =>
    `INSERT INTO ${index} (${index}, rank) VALUES ('hashsize', ${bytes});`;
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
      collect(COLLECTED),
      // In the order of rowids: a lower one than the last has FTS5 write what it has collected.
      `INSERT INTO ${index} (rowid, ${columns}) SELECT ${valuesOf(table)} FROM ${rows} ORDER BY "id";`,
      collect(COLLECTED_OF_FTS5),
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
