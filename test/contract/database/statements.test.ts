import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import pg from 'pg';
import { getDialect } from '../../../src/database/get-dialect.js';
import { databases } from '../../support/databases.js';
import { openSqlite } from '../../support/sqlite.js';

const SET_UP = `
  create table things (id integer primary key, name text);
  insert into things values (1, 'one'), (2, null);
`;

const WRITES = [
  'delete from things',
  'insert into things values (3, null) returning *',
  'create table others (id integer)',
  'drop table things',
];

describe.each(databases)('statements on $name', ({ name, create }) => {
  const { driver } = getDialect(name);
  const run = (sql: string) => driver.runStatement(database.url, sql);
  let database: Awaited<ReturnType<typeof create>>;

  beforeAll(async () => {
    database = await create();
    if (name === 'sqlite') {
      const connection = openSqlite(database.url.replace('file:', ''), { mode: 'create' });
      connection.exec(SET_UP);
      connection.close();
      return;
    }
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(SET_UP);
    await client.end();
  });
  afterAll(() => database.drop());

  it('returns rows as JSON values, with columns of the same name', async () => {
    expect(await run('select id, name, count(*) over () as total, 1.5 as id from things order by 1')).toEqual(
      {
        columns: ['id', 'name', 'total', 'id'],
        rows: [
          [1, 'one', 2, expect.anything()],
          [2, null, 2, expect.anything()],
        ],
      },
    );
    expect((await run('select 9007199254740993 as big')).rows).toEqual([['9007199254740993']]);
  });

  it.each(WRITES)('refuses %s', async (sql) => {
    await expect(run(sql)).rejects.toMatchObject({ code: 'database/statement-refused' });
    expect((await run('select count(*) as total from things')).rows).toEqual([[2]]);
  });

  it('lets no statement write files, run programs or hide in a procedure', async () => {
    const folder = mkdtempSync(join(inject('runFolder'), 'outside-'));
    chmodSync(folder, 0o777);
    const file = join(folder, 'things.csv');
    const statements =
      name === 'sqlite'
        ? [`vacuum into '${file}'`, `attach database '${file}' as other`]
        : [
            `copy things to '${file}'`,
            `/* a */ -- b\n COPY things TO PROGRAM 'cat > ${file}'`,
            `do $$ begin execute 'copy things to ''${file}'''; end $$`,
          ];
    for (const sql of statements)
      await expect(run(sql)).rejects.toMatchObject({ code: 'database/statement-refused' });
    expect(existsSync(file)).toBe(false);
  });

  it.each(['select absent', 'select 1; delete from things', 'commit; delete from things'])(
    'tells why %s failed',
    async (sql) => {
      await expect(run(sql)).rejects.toMatchObject({ code: 'database/statement-failed' });
      expect((await run('select count(*) as total from things')).rows).toEqual([[2]]);
    },
  );
});

describe('the shells', () => {
  it('get no password as an argument, and what Prisma reads from URLs in their own form', () => {
    const url = 'postgresql://me:a%40b@host:5432/site?schema=own&connection_limit=5&sslmode=require';
    expect(getDialect('postgresql').driver.shell(url)).toMatchObject({
      command: 'psql',
      args: ['postgresql://me@host:5432/site?sslmode=require'],
      env: { PGPASSWORD: 'a@b', PGOPTIONS: '-c search_path="own"' },
    });
    expect(getDialect('sqlite').driver.shell('file:/a b/data.db')).toMatchObject({ args: ['/a b/data.db'] });
  });
});
