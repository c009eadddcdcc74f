import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../../src/database/get-dialect.js';
import { adapterCause } from '../../../../src/database/prisma/adapter-error.js';
import { createClient } from '../../../../src/database/prisma/in-memory-client.js';
import { databases } from '../../../support/databases.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { openSqlite } from '../../../support/sqlite.js';
import { brokenReach, CREATE_THINGS, THING_SCHEMA } from './reach.js';

const TIMEOUTS = { maxWait: 10_000, timeout: 10_000 };

const createTable = async (name: string, url: string): Promise<void> => {
  if (name === 'sqlite') {
    const database = openSqlite(url.replace('file:', ''), { mode: 'create' });
    database.exec(CREATE_THINGS);
    database.close();
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
  await client.$connect();
  return { adapter, client };
};

interface ThingClient {
  readonly thing: { readonly create: (args: object) => Promise<unknown> };
}

const insert = (id: number): string => `insert into "Thing" (id) values (${id})`;
const COUNT = 'select count(*) as count from "Thing"';

describe.each(databases)('transactions of the driver on $name', (kind) => {
  it('are joined by the client under the call that requests it, also concurrently', async () => {
    const { adapter, client } = await open(kind);
    const message = brokenReach(
      'write-adapter.ts',
      'a call of `startTransaction` in the asynchronous context of `$transaction`, which sends no COMMIT',
    );
    const count = async (id: number): Promise<number> => {
      const transaction = await adapter.begin();
      await transaction.execute(insert(id), []);
      await transaction.join(() =>
        client.$transaction(async (tx) => {
          await sleep(5);
          await (tx as ThingClient).thing.create({ data: { id: id + 10 } });
        }, TIMEOUTS),
      );
      const rows = await transaction.query(`${COUNT} where id in (${id}, ${id + 10})`, []);
      await transaction.rollback();
      return Number(rows[0]?.['count']);
    };
    expect(await Promise.all([1, 2, 3].map(count)), message).toEqual([2, 2, 2]);
    const transaction = await adapter.begin();
    const left = await transaction.query(COUNT, []);
    await transaction.commit();
    expect(Number(left[0]?.['count']), message).toBe(0);
  });

  it('go on when the client that joined them fails', async () => {
    const { adapter, client } = await open(kind);
    const transaction = await adapter.begin();
    await transaction.execute(insert(1), []);
    const failing = transaction.join(() =>
      client.$transaction(async (tx) => {
        await (tx as ThingClient).thing.create({ data: { id: 2 } });
        throw new Error('the client gives up');
      }, TIMEOUTS),
    );
    await expect(failing).rejects.toThrow('the client gives up');
    const rows = await transaction.query(COUNT, []);
    expect(Number(rows[0]?.['count'])).toBe(2);
    await transaction.commit();
  });

  it('have no statements once they have ended', async () => {
    const { adapter } = await open(kind);
    const transaction = await adapter.begin();
    await transaction.commit();
    await expect(transaction.query(COUNT, [])).rejects.toThrow('No transaction is open');
    await transaction.rollback();
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
