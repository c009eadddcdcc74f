import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseError } from '../../../src/database/database-error.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { createError } from '../../../src/errors/catalogue.js';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';

const PROJECT: ProjectLiteral = {
  types: {
    tag: {
      attributes: {
        name: { type: 'string', unique: true },
        weight: { type: 'integer' },
        extra: { type: 'json' },
        moment: { type: 'datetime' },
        big: { type: 'biginteger' },
      },
    },
  },
};

const documentTable = (testEnvironment: TestEnvironment): string =>
  testEnvironment.model.typesByUid['api::tag.tag']?.storage.document.table ?? '';

const NOW = new Date('2026-01-02T03:04:05.678Z');

const version = (documentId: string, values: Readonly<Record<string, unknown>> = {}) => ({
  documentId,
  locale: '',
  status: 'published',
  createdAt: NOW,
  updatedAt: NOW,
  publishedAt: NOW,
  ...values,
});

const insert = async (
  tx: Transaction,
  documentId: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  await tx.model('TagDocument').create({ data: { documentId } });
  await tx.model('Tag').create({ data: version(documentId, values) });
};

const databaseErrorOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isDatabaseError(error) ? error.driverError : error;
};

describe.each(databases)('transactions on $name', (kind) => {
  let testEnvironment: TestEnvironment;
  let database: Database;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database: kind });
    database = testEnvironment.database;
  });
  beforeEach(() =>
    database.transact(async (tx) => {
      await tx.model('TagDocument').deleteMany({ where: {} });
    }),
  );
  afterAll(() => testEnvironment.close());

  const count = (from: Database = database): Promise<number> =>
    from.readNumber('select count(*) from tags', []);

  it('are visible to reads only after the commit', async () => {
    await database.transact(async (tx) => {
      await insert(tx, 'a');
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
  });

  it('are rolled back when they fail, and throw the original error', async () => {
    const error = createError('request/not-found');
    await expect(
      database.transact(async (tx) => {
        await insert(tx, 'a');
        await tx.execute(`update tags set name = 'x'`, []);
        throw error;
      }),
    ).rejects.toBe(error);
    expect(await count()).toBe(0);
  });

  it('return the result of their work', async () => {
    expect(await database.transact(async () => 7)).toBe(7);
  });

  it('are all applied when many run concurrently', async () => {
    await database.transact((tx) => insert(tx, 'a', { weight: 0 }));
    await Promise.all(
      Array.from({ length: 40 }, () =>
        database.transact(async (tx) => {
          await tx
            .model('Tag')
            .updateMany({ where: { documentId: 'a' }, data: { weight: { increment: 1 } } });
        }),
      ),
    );
    expect(await database.readNumber('select weight from tags', [])).toBe(40);
  });

  it('wait for transactions of other processes', async () => {
    const other = await testEnvironment.reopen();
    await database.transact((tx) => insert(tx, 'a', { weight: 0 }));
    const add = (through: Database) =>
      through.transact(async (tx) => {
        const [row] = await tx
          .model('Tag')
          .findMany({ where: { documentId: 'a' }, select: { weight: true } });
        await tx
          .model('TagDocument')
          .update({ where: { documentId: 'a' }, data: { revision: { increment: 1 } } });
        await sleep(2);
        await tx.model('Tag').updateMany({ where: { documentId: 'a' }, data: { weight: { increment: 1 } } });
        return row;
      });
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(index % 2 === 0 ? database : other)));
    expect(await count(other)).toBe(1);
    expect(await other.readNumber('select weight from tags', [])).toBe(30);
    await other.close();
  });

  it('report a violated unique constraint', async () => {
    await database.transact((tx) => insert(tx, 'a', { name: 'red' }));
    const databaseError = await databaseErrorOf(database.transact((tx) => insert(tx, 'b', { name: 'red' })));
    expect(databaseError).toEqual(
      kind.name === 'sqlite'
        ? { kind: 'unique', columns: ['name', 'locale', 'status'], constraint: null }
        : { kind: 'unique', columns: [], constraint: 'tags_name_locale_status_key' },
    );
    expect(
      await databaseErrorOf(
        database.transact((tx) =>
          tx.execute(`insert into ${documentTable(testEnvironment)} (document_id) values ('a')`, []),
        ),
      ),
    ).toMatchObject({ kind: 'unique' });
    expect(await count()).toBe(1);
  });

  it('report a violated foreign key', async () => {
    expect(
      await databaseErrorOf(database.transact((tx) => tx.model('Tag').create({ data: version('nobody') }))),
    ).toEqual({ kind: 'foreign-key' });
  });

  it('delete the versions of a document with it', async () => {
    await database.transact((tx) => insert(tx, 'a'));
    await database.transact((tx) => tx.model('TagDocument').delete({ where: { documentId: 'a' } }));
    expect(await count()).toBe(0);
  });

  it('are run again after a conflict', async () => {
    let attempts = 0;
    const result = await database.transact(async (tx) => {
      attempts += 1;
      await insert(tx, 'a');
      if (attempts < 3) throw Object.assign(new Error('passing'), { code: 'P2034' });
      return attempts;
    });
    expect(result).toBe(3);
    expect(await count()).toBe(1);
  });

  it('fail after a number of retries', async () => {
    let attempts = 0;
    const databaseError = await databaseErrorOf(
      database.transact(async () => {
        attempts += 1;
        throw Object.assign(new Error('never passing'), { code: 'P2034' });
      }),
    );
    expect(databaseError).toEqual({ kind: 'retry' });
    expect(attempts).toBe(12);
  });

  it('run raw statements on their own connection', async () => {
    const { placeholder } = database.dialect.expressions;
    const values = [
      'a',
      '',
      'published',
      NOW,
      NOW,
      NOW,
      'red',
      5,
      JSON.stringify({ a: [1] }),
      NOW,
      9_007_199_254_740_993n,
    ];
    const columns =
      'document_id, locale, status, created_at, updated_at, published_at, name, weight, extra, moment, big';
    const placeholders = values.map((_, index) => placeholder(index + 1));
    await database.transact(async (tx) => {
      await tx.model('TagDocument').create({ data: { documentId: 'a' } });
      expect(
        await tx.execute(`insert into tags (${columns}) values (${placeholders.join(', ')})`, values),
      ).toBe(1);
      expect(
        await tx.query(`select name, weight, big from tags where document_id = ${placeholder(1)}`, ['a']),
      ).toEqual([{ name: 'red', weight: 5, big: '9007199254740993' }]);
      expect(
        await tx.model('Tag').findFirst({
          where: { documentId: 'a' },
          select: { extra: true, moment: true, createdAt: true, big: true },
        }),
      ).toEqual({ extra: { a: [1] }, moment: NOW, createdAt: NOW, big: 9_007_199_254_740_993n });
      expect(await tx.execute('update tags set weight = null', [])).toBe(1);
    });
    expect(await count()).toBe(1);
  });

  it('hold a lock until they end', async () => {
    const log: string[] = [];
    const lockName = (name: string, who: string) =>
      database.transact(async (tx) => {
        await tx.lock(name);
        log.push(`${who} in`);
        await sleep(30);
        log.push(`${who} out`);
      });
    await Promise.all([lockName('tag red', 'a'), lockName('tag red', 'b')]);
    expect(log).toEqual(
      log[0] === 'a in' ? ['a in', 'a out', 'b in', 'b out'] : ['b in', 'b out', 'a in', 'a out'],
    );
  });

  it('refuse raw statements once they have ended', async () => {
    let leaked: Transaction | undefined;
    await database.transact(async (tx) => {
      leaked = tx;
      await insert(tx, 'a');
    });
    await expect(leaked?.execute('delete from tags', [])).rejects.toThrow('No transaction is open');
    expect(await count()).toBe(1);
  });

  it('refuse models that do not exist', async () => {
    await expect(database.transact((tx) => tx.model('Nope').count({}))).rejects.toThrow(
      'The generated client has no model Nope',
    );
  });
});

interface UserClient {
  readonly tagDocument: {
    readonly create: (args: unknown) => Promise<unknown>;
    readonly count: () => Promise<number>;
  };
  readonly $transaction: (work: (tx: UserClient) => Promise<unknown>) => Promise<unknown>;
}

describe.each(databases)("Prisma Client in the project's code on $name", (kind) => {
  let testEnvironment: TestEnvironment;
  let client: UserClient;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database: kind });
    client = (await testEnvironment.database.loadClient()) as UserClient;
  });
  afterAll(() => testEnvironment.close());

  it('writes outside of an open transaction', async () => {
    let signalInside: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => {
      signalInside = resolve;
    });
    const failing = testEnvironment.database.transact(async (tx) => {
      await tx.model('TagDocument').create({ data: { documentId: 'inside' } });
      signalInside();
      await sleep(20);
      throw new Error('doomed');
    });
    await inside;
    const written = client.tagDocument.create({ data: { documentId: 'outside' } });
    await expect(failing).rejects.toThrow('doomed');
    await written;
    expect(
      await testEnvironment.database.readTexts(
        `select document_id from ${documentTable(testEnvironment)}`,
        [],
      ),
    ).toEqual(['outside']);
  });

  it('begins its own transactions', async () => {
    await client.$transaction(async (tx) => tx.tagDocument.create({ data: { documentId: 'own' } }));
    await expect(
      client.$transaction(async (tx) => {
        await tx.tagDocument.create({ data: { documentId: 'undone' } });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await client.tagDocument.count()).toBe(2);
  });

  it('can be used inside of a transaction without a deadlock', async () => {
    expect(await testEnvironment.database.transact(async () => client.tagDocument.count())).toBe(2);
  });
});
