import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { getDialect } from '../../../src/dialects/get-dialect.js';
import type { ProjectLiteral } from '../../support/models.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

const MODEL: ProjectLiteral = {
  types: {
    note: {
      attributes: { title: { type: 'string', search: true }, body: { type: 'text', search: true } },
    },
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

  it('are more of the texts that are searched than of others', async () => {
    if (POSTGRES === undefined) throw new Error('There is no PostgreSQL');
    const environment = await createTestEnvironment({ model: MODEL, database: POSTGRES });
    const rows = await environment.database.transact((tx) =>
      tx.query(
        `SELECT a.attnum, a.attstattarget FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
         WHERE c.relkind = 'i' AND starts_with(c.relname, 'galley_search_') ORDER BY a.attnum`,
        [],
      ),
    );
    await environment.close();
    expect(rows).toEqual([1, 2, 3].map((attnum) => ({ attnum, attstattarget: 400 })));
  });
});
