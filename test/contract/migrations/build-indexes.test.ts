import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databases } from '../../support/databases.js';
import { createMigrationFixture, findDrift } from './migration-fixture.js';
import type { MigrationFixture } from './migration-fixture.js';

const product = (index: string): string => `
  model Product {
    id     Int     @id @default(autoincrement())
    status String
    locale String
    title  String?
    ${index}

    @@map("products")
  }`;

const INDEX = 'products_status_locale_title_id_idx';
const INDEXED = product(`@@index([status, locale, title, id], map: "${INDEX}")`);
const INSERT = `INSERT INTO products (status, locale, title) VALUES ('published', '', 'new')`;

/** A database with 2,000 rows to which the migration that adds the index is still to be applied. */
const createPending = async (database: (typeof databases)[number]): Promise<MigrationFixture> => {
  const development = await createMigrationFixture(database);
  await development.migrate(product(''));
  const production = await development.withEmptyDatabase();
  await production.apply();
  const values = Array.from({ length: 2000 }, (_, i) => `('published', '', 'title ${i}')`);
  await production.run(`INSERT INTO products (status, locale, title) VALUES ${values.join(', ')}`);
  await development.migrate(INDEXED);
  return production;
};

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(10);
};

const isBuilding = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query('SELECT 1 FROM pg_stat_progress_create_index');
  return rows.length > 0;
};

const DEFINITION = `SELECT indexdef, indisvalid FROM pg_indexes
  JOIN pg_index ON indexrelid = indexname::regclass WHERE indexname = '${INDEX}'`;

const VALID = {
  indexdef: expect.stringContaining('(status, locale, title COLLATE "C" NULLS FIRST, id)') as unknown,
  indisvalid: true,
};

describe.each(databases)('an index that a migration adds on $name', (database) => {
  it('is what the schema says, and can be applied to a database with rows', async () => {
    const production = await createPending(database);
    expect((await production.apply()).applied).toHaveLength(1);
    expect(await findDrift(database, production, INDEXED)).toBe('');
  });
});

describe.each(databases.filter(({ name }) => name === 'postgresql'))('an index on $name', (database) => {
  it('is built while others write', async () => {
    const production = await createPending(database);
    const [open, other] = await Promise.all([connect(production.url), connect(production.url)]);
    await open.query('BEGIN');
    await open.query(INSERT);
    const applying = production.apply();
    await until(() => isBuilding(other));
    await other.query(`SET lock_timeout = '5s'`);
    await other.query(INSERT);
    await open.query('COMMIT');
    await applying;
    expect(await production.rows(DEFINITION)).toEqual([VALID]);
  });

  it('is built by one of several that start at the same time', async () => {
    const production = await createPending(database);
    const results = await Promise.all([production.apply(), production.apply(), production.apply()]);
    expect(results.flatMap(({ applied }) => applied)).toHaveLength(1);
    expect(await production.rows(DEFINITION)).toEqual([VALID]);
  });

  it('is built again where a killed process left half of it', async () => {
    const production = await createPending(database);
    const client = await connect(production.url);
    await client.query(`CREATE INDEX ${INDEX} ON products (status)`);
    await client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${INDEX}'::regclass`);
    await production.apply();
    expect(await production.rows(DEFINITION)).toEqual([VALID]);
  });

  it('is not taken for one of other columns that has its name', async () => {
    const production = await createPending(database);
    await production.run(`CREATE INDEX ${INDEX} ON products (status)`);
    await expect(production.apply()).rejects.toMatchObject({
      code: 'migration/failed',
      message: expect.stringContaining('already exists') as unknown,
    });
  });
});
