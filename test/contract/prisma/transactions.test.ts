import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../src/dialects/get-dialect.js';
import { adapterCause } from '../../../src/prisma/adapter-error.js';
import { createClient } from '../../../src/prisma/in-memory-client.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { brokenReach, CREATE_THINGS, THING_SCHEMA } from './reach.js';

const TIMEOUTS = { maxWait: 10_000, timeout: 10_000 };

const createTable = async (name: string, url: string): Promise<void> => {
  if (name === 'sqlite') {
    new Database(url.replace('file:', '')).exec(CREATE_THINGS).close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(CREATE_THINGS);
  await client.end();
};

const open = async ({ name, create }: TestDatabaseKind) => {
  const { url } = await create();
  await createTable(name, url);
  const { PrismaClient } = await createClient({ schemaText: THING_SCHEMA(name), provider: name });
  const adapter = await getDialect(name).driver.createWriteAdapter(url);
  const client = new PrismaClient({ adapter: adapter.factory, errorFormat: 'minimal' });
  onTestFinished(() => client.$disconnect());
  return { adapter, client };
};

interface ThingClient {
  readonly thing: { readonly create: (args: object) => Promise<unknown> };
}

const insert = (id: number): string => `insert into "Thing" (id) values (${id})`;
const COUNT = 'select count(*) as count from "Thing"';

describe.each(databases)('transactions of Prisma Client on $name', (kind) => {
  it('are found under the call that began them, also when several begin at once', async () => {
    const { adapter, client } = await open(kind);
    const message = brokenReach(
      'write-adapter.ts',
      'a call of `startTransaction` in the asynchronous context of `$transaction`',
    );
    const counts = await Promise.all(
      [1, 2, 3].map((id) =>
        adapter.withTransactionConnection((connection) =>
          client
            .$transaction(async (tx) => {
              await connection().execute(insert(id), []);
              await sleep(5);
              await (tx as ThingClient).thing.create({ data: { id: id + 10 } });
              const rows = await connection().query(`${COUNT} where id in (${id}, ${id + 10})`, []);
              throw Object.assign(new Error('rolled back'), { count: Number(rows[0]?.['count']) });
            }, TIMEOUTS)
            .catch((error: unknown) => Reflect.get(Object(error), 'count') as unknown),
        ),
      ),
    );
    expect(counts, message).toEqual([2, 2, 2]);
    const left = await adapter.withTransactionConnection((connection) =>
      client.$transaction(async () => connection().query(COUNT, []), TIMEOUTS),
    );
    expect(Number(left[0]?.['count']), message).toBe(0);
  });

  it('have no connection before they begin', async () => {
    const { adapter } = await open(kind);
    await expect(
      adapter.withTransactionConnection(async (connection) => connection().query(COUNT, [])),
    ).rejects.toThrow('No transaction is open');
  });

  it('report the cause of an error that the driver adapter gave', async () => {
    const { client } = await open(kind);
    const error = await client
      .$transaction(async (tx) => {
        await (tx as ThingClient).thing.create({ data: { id: 1, name: 'a' } });
        await (tx as ThingClient).thing.create({ data: { id: 2, name: 'a' } });
      }, TIMEOUTS)
      .catch((reason: unknown) => reason);
    expect(
      adapterCause(error)?.kind,
      brokenReach('adapter-error.ts', '`meta.driverAdapterError.cause` of Prisma Client errors'),
    ).toBe('UniqueConstraintViolation');
  });
});
