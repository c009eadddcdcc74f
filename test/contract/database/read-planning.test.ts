import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../src/dialects/get-dialect.js';
import type { SqlExpressions } from '../../../src/dialects/sql-expressions.js';
import type { ReadQuery } from '../../../src/query/query.js';
import { createReadCompiler } from '../../../src/sql/read-compiler.js';
import type { ProjectLiteral } from '../../support/models.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import { queryOf } from '../sql/run-query.js';

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

const NOTE = {
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', search: true }, body: { type: 'text', search: true } },
};

const MODEL: ProjectLiteral = { types: { note: NOTE } };

describe.runIf(POSTGRES !== undefined)('what PostgreSQL plans reads by', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = (await POSTGRES?.create()) ?? { url: '' });
  });

  const costOfPages = async (): Promise<unknown> => {
    const reads = await getDialect('postgresql').driver.openReadConnection(url);
    const [cost] = await reads.queryTexts(`select current_setting('random_page_cost')`, []);
    await reads.close();
    return cost;
  };

  it('is the cost of disks that do not rotate, unless somebody has set it', async () => {
    expect(await costOfPages()).toBe('1.1');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); END $$`,
    );
    await client.end();
    expect(await costOfPages()).toBe('2');
  });

  it('are more of the texts that are searched than of others', async () => {
    if (POSTGRES === undefined) throw new Error('There is no PostgreSQL');
    const environment = await createTestEnvironment({ model: MODEL, database: POSTGRES });
    const rows = await environment.database.transact((tx) =>
      tx.query(
        `SELECT stxstattarget AS "target", (SELECT count(*)::int FROM pg_stats_ext_exprs AS e
           WHERE e.statistics_name = s.stxname) AS "texts"
         FROM pg_statistic_ext AS s WHERE starts_with(stxname::text, 'galley_search_')`,
        [],
      ),
    );
    await environment.close();
    expect(rows).toEqual([1, 2, 3].map(() => ({ target: 400, texts: 1 })));
  });

  it('are the full-text index of one status, or those of both', async () => {
    if (POSTGRES === undefined) throw new Error('There is no PostgreSQL');
    const environment = await createTestEnvironment({ model: MODEL, database: POSTGRES });
    const client = new pg.Client({ connectionString: environment.url });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await environment.close();
    });
    await client.query(
      `INSERT INTO notes_documents (document_id) SELECT n FROM generate_series(1, 2000) AS n`,
    );
    await client.query(
      `INSERT INTO notes (document_id, locale, status, title, created_at, updated_at)
       SELECT n, '', status, 'Note ' || n, now(), now()
       FROM generate_series(1, 2000) AS n, unnest(ARRAY['draft', 'published']) AS status`,
    );
    // What was written last is not in the trees of the index yet.
    await client.query('VACUUM ANALYZE notes');
    const explain = async (read: ReadQuery): Promise<string> => {
      const { sql, parameters } = environment.compiler.read(read);
      const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [
        ...parameters,
      ]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const indexesFor = async (read: ReadQuery): Promise<readonly string[]> =>
      [...(await explain(read)).matchAll(/on galley_search_notes_\w+_([dp])\b/g)].map(
        ([, status]) => status ?? '',
      );
    const query = queryOf(environment, 'api::note.note', { filters: { title: { $containsi: 'lamp' } } });
    expect(await indexesFor(query)).toEqual(['p']);
    expect(await indexesFor({ ...query, status: 'draft' })).toEqual(['d']);
    expect(await indexesFor({ ...query, isOfAllStatuses: true })).toEqual(['d', 'p']);
    // By statistics of the texts, which it does not take from indexes of some of the rows.
    const common = queryOf(environment, 'api::note.note', { filters: { title: { $containsi: 'note' } } });
    expect(await indexesFor(common)).toEqual([]);
  });

  it('are one full-text index where there are no drafts', async () => {
    if (POSTGRES === undefined) throw new Error('There is no PostgreSQL');
    const { attributes } = NOTE;
    const model = { types: { note: { attributes, options: { draftAndPublish: false } } } };
    const environment = await createTestEnvironment({ model, database: POSTGRES });
    const { searchIndexes } = await environment.database.readObjects();
    await environment.close();
    expect([...searchIndexes]).toEqual([expect.stringMatching(/^galley_search_notes_\w+_p$/)]);
  });
});

const SQLITE = databases.find(({ name }) => name === 'sqlite');

describe.runIf(SQLITE !== undefined)('the plan of a read on SQLite', () => {
  it('does not count as a scan that a small table would be read whole', async () => {
    if (SQLITE === undefined) throw new Error('There is no SQLite');
    const environment = await createTestEnvironment({ model: 'magazine', database: SQLITE });
    const trial = await getDialect('sqlite').driver.openTrial(environment.url);
    onTestFinished(async () => {
      await trial.close();
      await environment.close();
    });
    const read = queryOf(environment, 'api::article.article', {
      filters: { tags: { name: { $ne: 'red' } } },
    });
    const scans = async (expressions: SqlExpressions): Promise<boolean> => {
      const { sql, parameters } = createReadCompiler(environment.model, expressions).read(read);
      return (await trial.explain(sql, parameters)).scans;
    };
    expect(await scans(getDialect('sqlite').expressions)).toBe(true);
    expect(await scans(trial.expressions)).toBe(false);
  });
});
