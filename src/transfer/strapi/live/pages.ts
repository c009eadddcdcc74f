import type { ForeignDatabase, ForeignRow } from '../../../database/dialect/foreign-database.js';
import { quoteName } from '../../../database/dialect/sql-text.js';
import { readNumber } from './values.js';

const PAGE_SIZE = 500;

/** Query for the rows of a table. */
export interface PageQuery {
  readonly table: string;
  readonly columns: readonly string[];
  /** SQL. */
  readonly condition?: string;
}

/** Reads a table page by page, in the order of its ids, so that memory stays flat. */
export async function* readPages(
  database: ForeignDatabase,
  { table, columns, condition }: PageQuery,
): AsyncGenerator<readonly ForeignRow[]> {
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

/** All rows of a table, one after the other. */
export async function* readRows(database: ForeignDatabase, query: PageQuery): AsyncGenerator<ForeignRow> {
  if (!database.tables.has(query.table)) return;
  for await (const rows of readPages(database, query)) yield* rows;
}
