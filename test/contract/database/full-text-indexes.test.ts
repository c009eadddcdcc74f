import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/lib/assert.js';
import { searchedTables } from '../../../src/migrations/apply/auxiliary-objects.js';
import type { SearchedTable } from '../../../src/database/dialect/search-expressions.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

const INDEXES = `SELECT c.relname AS "name" FROM pg_class AS c
  WHERE c.relkind = 'i' AND starts_with(c.relname, 'galley_search_') ORDER BY 1`;

const STATISTICS = `SELECT stxname AS "name" FROM pg_statistic_ext
  WHERE starts_with(stxname::text, 'galley_search_') ORDER BY 1`;

/** The indexes with statistics, and the number of columns that have some. */
const ANALYSED = `SELECT concat_ws(' ', tablename, count(*)) AS "name" FROM pg_stats
  WHERE starts_with(tablename, 'galley_search_') AND n_distinct IS NOT NULL GROUP BY tablename`;

describe.runIf(POSTGRES !== undefined)('full-text indexes on PostgreSQL', () => {
  let environment: TestEnvironment;
  let client: pg.Client;
  let tables: readonly SearchedTable[];

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: {
        types: {
          note: {
            options: { draftAndPublish: true },
            attributes: { title: { type: 'string', search: true } },
          },
        },
      },
      database: defined(POSTGRES, 'PostgreSQL'),
    });
    client = new pg.Client({ connectionString: environment.url });
    await client.connect();
    tables = searchedTables(environment.model);
    await client.query(
      `INSERT INTO notes_documents (document_id) SELECT n FROM generate_series(1, 1500) AS n`,
    );
    await client.query(
      `INSERT INTO notes (document_id, locale, status, title, created_at, updated_at)
       SELECT n, '', 'published', 'Note ' || n, now(), now() FROM generate_series(1, 1500) AS n`,
    );
  });
  afterAll(async () => {
    await client.end();
    await environment.close();
  });

  const namesIn = async (query: string): Promise<readonly string[]> =>
    (await client.query<{ readonly name: string }>(query)).rows.map(({ name }) => name);
  const all = async (): Promise<unknown> => ({
    indexes: await namesIn(INDEXES),
    statistics: await namesIn(STATISTICS),
    analysed: await namesIn(ANALYSED),
  });
  const build = async (searched: readonly SearchedTable[]): Promise<void> => {
    const { dialect, url } = environment;
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
    await dialect.migrations.search.build?.(session, searched);
    await session.close();
  };
  const expected = (): unknown => {
    const name = `${tables[0]?.name}_builtin`;
    return { indexes: [name], statistics: [], analysed: [`${name} 2`] };
  };

  it('are built with the statistics that the planner needs', async () => {
    await build([]);
    expect(await all()).toEqual({ indexes: [], statistics: [], analysed: [] });
    await build(tables);
    expect(await all()).toEqual(expected());
  });

  it('replace the indexes and statistics of older releases', async () => {
    await build([]);
    const name = `${tables[0]?.name}_builtin`;
    const columns = 'USING gin (title gin_trgm_ops)';
    await client.query(`CREATE INDEX ${name}_d ON notes ${columns} WHERE status = 'draft'`);
    await client.query(`CREATE INDEX ${name}_p ON notes ${columns} WHERE status = 'published'`);
    await client.query(`CREATE STATISTICS ${name}_0 ON (lower(title)) FROM notes`);
    await build(tables);
    expect(await all()).toEqual(expected());
  });

  it('are dropped with the text that they hold', async () => {
    await client.query('ALTER TABLE notes RENAME COLUMN title TO heading');
    await build(tables);
    expect(await all()).toEqual({ indexes: [], statistics: [], analysed: [] });
    await client.query('ALTER TABLE notes RENAME COLUMN heading TO title');
    await build(tables);
    expect(await all()).toEqual(expected());
  });
});
