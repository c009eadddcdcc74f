import type { MigrationDialect } from '../migration-dialect.js';
import type { Table, Tables } from '../schema/schema-tables.js';

/** An index as `versionIndex` of the Prisma schema has it: after status and locale, before the id. */
const VERSION_INDEX = /^(CREATE INDEX "[^"]+" ON "([^"]+)"\("status", "locale", )(.+)(, "id"\);)$/gm;

const orderColumn = (item: string, table: Table | undefined, dialect: MigrationDialect): string => {
  const [, name = '', descending] = /^"([^"]+)"( DESC)?$/.exec(item) ?? [];
  const isText = table?.columns.get(name)?.type === 'String';
  return dialect.migrations.orderedColumn({
    name: `"${name}"`,
    isText,
    isDescending: descending !== undefined,
  });
};

/** Makes the indexes of version tables provide the order in which the API sorts. */
export function orderIndexes(sql: string, tables: Tables, dialect: MigrationDialect): string {
  return sql.replaceAll(
    VERSION_INDEX,
    (_statement, start: string, table: string, columns: string, end: string) =>
      start +
      columns
        .split(', ')
        .map((item) => orderColumn(item, tables.get(table), dialect))
        .join(', ') +
      end,
  );
}
