import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import type { SqliteConnection } from '../../../src/database/sqlite/drivers/connection.js';
import { addUnlimitedFunctions } from '../../../src/database/sqlite/functions.js';
import type { Uid } from '../../../src/model/model.js';
import type { RawReadParams } from '../../../src/query/read-context.js';
import type { ProjectLiteral } from '../../support/models.js';
import { databases } from '../../support/databases.js';
import { openSqlite } from '../../support/sqlite.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { queryOf } from '../query/compile/run-query.js';

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

const NOTE = {
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', search: true }, body: { type: 'text', search: true } },
};

const MODEL: ProjectLiteral = {
  types: {
    note: {
      ...NOTE,
      attributes: {
        ...NOTE.attributes,
        owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' },
      },
    },
    owner: { attributes: { name: { type: 'string', index: true }, verified: { type: 'boolean' } } },
    entry: { attributes: {} },
  },
};

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

  it('finds few rows by the full-text index, and many by the order of a page', async () => {
    if (POSTGRES === undefined) throw new Error('There is no PostgreSQL');
    const environment = await createTestEnvironment({ model: MODEL, database: POSTGRES });
    const client = new pg.Client({ connectionString: environment.url });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await environment.close();
    });
    await client.query(
      `INSERT INTO notes_documents (document_id) SELECT n FROM generate_series(1, 20000) AS n`,
    );
    await client.query(
      `INSERT INTO notes (document_id, locale, status, title, created_at, updated_at)
       SELECT n, '', status, CASE WHEN n % 1000 = 0 THEN 'Lamp ' ELSE 'Note ' END || n, now(), now()
       FROM generate_series(1, 20000) AS n, unnest(ARRAY['draft', 'published']) AS status`,
    );
    // Moves the latest writes into the tree of the index.
    await client.query('VACUUM ANALYZE notes');
    const searchesOf = async (params: RawReadParams): Promise<number> => {
      const query = queryOf(environment, 'api::note.note', params);
      const { sql, parameters } = environment.compiler.read(query);
      const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [
        ...parameters,
      ]);
      return [
        ...rows
          .map((row) => row['QUERY PLAN'])
          .join('\n')
          .matchAll(/on galley_search_notes_/g),
      ].length;
    };
    const sort = 'createdAt';
    expect(await searchesOf({ filters: { title: { $containsi: 'lamp' } }, sort })).toBe(1);
    expect(await searchesOf({ filters: { title: { $endsWithi: ' 7' } } })).toBe(0);
    expect(await searchesOf({ _q: 'lamp', sort, status: 'draft' })).toBe(3);
    expect(await searchesOf({ filters: { title: { $containsi: 'note' } }, sort })).toBe(0);
  });
});

/** More than twice the rows of an index that ANALYZE reads. */
const ENTRIES = 30_000;

const SQLITE = databases.find(({ name }) => name === 'sqlite');

describe.runIf(SQLITE !== undefined)('the plan of a read on SQLite', () => {
  let environment: TestEnvironment;
  let client: SqliteConnection;
  beforeAll(async () => {
    if (SQLITE === undefined) throw new Error('There is no SQLite');
    environment = await createTestEnvironment({ model: MODEL, database: SQLITE });
    await environment.database.transact(async (tx) => {
      const numbers = 'WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 2000)';
      const times = `'published', n, n`;
      await tx.execute(`${numbers} INSERT INTO notes_documents (document_id) SELECT n FROM n`, []);
      await tx.execute(`${numbers} INSERT INTO owners_documents (document_id) SELECT n FROM n`, []);
      await tx.execute(
        `${numbers} INSERT INTO owners (document_id, locale, name, status, created_at, updated_at)
         SELECT n, '', 'Owner ' || n, ${times} FROM n WHERE n <= 100`,
        [],
      );
      await tx.execute(
        `${numbers} INSERT INTO notes
           (document_id, locale, title, owner_document_id, status, created_at, updated_at)
         SELECT n, '', 'Note ' || n, 1 + n % 100, ${times} FROM n`,
        [],
      );
      await tx.execute(
        `WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${ENTRIES})
         INSERT INTO entries_documents (document_id) SELECT n FROM n`,
        [],
      );
      await tx.execute(
        `INSERT INTO entries (document_id, locale, status, created_at, updated_at)
         SELECT document_id, '', 'published', 0, 0 FROM entries_documents`,
        [],
      );
      await environment.dialect.driver.analyzeTables(tx, ['notes', 'owners'], 2000);
      await environment.dialect.driver.analyzeTables(tx, ['entries'], ENTRIES);
    });
    // EXPLAIN uses the statistics that the connection has read when it was opened.
    client = openSqlite(environment.url.replace('file:', ''), { mode: 'write' });
    addUnlimitedFunctions(client);
  });
  afterAll(async () => {
    client.close();
    await environment.close();
  });

  const planOf = (params: RawReadParams, type: Uid = 'api::note.note'): readonly string[] => {
    const query = queryOf(environment, type, params);
    const { sql, parameters } = environment.compiler.read(query);
    return client
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .records(parameters)
      .map(({ detail }) => String(detail));
  };

  it('expects values that ANALYZE did not count to the end in half of the rows', () => {
    const statistics = `SELECT "stat" FROM sqlite_stat1 WHERE "idx" = 'entries_status_locale_id_idx'`;
    expect(client.prepare(statistics).values()).toEqual(['30000 15000 15000 1']);
  });

  it('reads pages in the order of documents from their index', () => {
    const page = { filters: { documentId: { $gt: '5' } }, sort: 'documentId', pagination: { limit: 250 } };
    expect(planOf(page, 'api::entry.entry')).toContainEqual(
      expect.stringMatching(/^SEARCH t1 USING COVERING INDEX entries_document_id\w* \(document_id>\?\)/),
    );
  });

  it('begins with the few rows that a relation is filtered by, or with the order', () => {
    const owners = expect.stringMatching(/^SEARCH t2 USING (?:COVERING )?INDEX owners_.*name=\?/) as string;
    const [first, ...others] = planOf({ filters: { owner: { name: 'Owner 7' } } });
    expect([first, others]).toEqual([
      owners,
      expect.arrayContaining([expect.stringContaining('SEARCH t1 USING INDEX notes_owner_document_id')]),
    ]);
    expect(planOf({ filters: { owner: { verified: true } } })[0]).toBe(
      'SEARCH t1 USING INDEX notes_status_locale_id_idx (status=? AND locale=?)',
    );
  });

  it('finds the rows of a search by the full-text index, in any order', () => {
    for (const params of [{}, { sort: 'createdAt' }, { sort: 'title:desc' }, { locale: '*' }])
      expect(planOf({ _q: 'lamp', ...params })).toEqual(
        expect.arrayContaining([
          'SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)',
          expect.stringMatching(/^SCAN galley_search_notes_\w+ VIRTUAL TABLE INDEX 0:M\d$/),
        ]),
      );
  });
});
