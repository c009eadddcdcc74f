import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordReader } from '../../../src/documents/record-reader.js';
import { countedTables } from '../../../src/migrations/objects/database-objects.js';
import { KNOWN_TOTALS_SQL } from '../../../src/dialects/totals.js';
import type { Transaction } from '../../../src/database/database.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { queryOf } from './run-query.js';

const NOTE = 'api::note.note';
const PROJECT = {
  types: {
    note: {
      draftAndPublish: true,
      localized: true,
      attributes: { text: { type: 'string' }, slug: { type: 'uid' } },
    },
  },
} as const;

const TIME = `'2024-01-01T00:00:00.000+00:00'`;
const LOCALES = ['en', 'fr'] as const;
const STATUSES = ['draft', 'published'] as const;

/** Numbers that look random, the same in every run. */
const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

describe.each(databases)('totals on $name', (kind) => {
  const isSqlite = kind.name === 'sqlite';
  let environment: TestEnvironment;
  beforeEach(async () => {
    environment = await createTestEnvironment({ model: PROJECT, database: kind });
  });
  afterEach(() => environment.close());

  const run = (...statements: readonly string[]): Promise<void> =>
    environment.database.transact(async (tx) => {
      for (const statement of statements) await tx.execute(statement, []);
    });

  /** Inserts versions of documents with those numbers. */
  const insert = (numbers: readonly number[], status: string, locale: string, verb = 'insert'): string =>
    `${verb} into notes (document_id, locale, status, created_at, updated_at, slug) values ` +
    numbers
      .map((number) => `('d${number}', '${locale}', '${status}', ${TIME}, ${TIME}, 's${number}')`)
      .join(', ');

  const addDocuments = (numbers: readonly number[]): string =>
    `insert into notes_documents (document_id) values ` +
    numbers.map((number) => `('d${number}')`).join(', ');

  const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

  const isKnown = async (): Promise<boolean> =>
    environment.database.transact(async (tx) =>
      (await tx.query(KNOWN_TOTALS_SQL, [])).some(({ part }) => part === `totals of ${NOTE}`),
    );

  /** What the tables hold, counted by reading them. */
  const counted = (tx: Transaction): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    tx.query(
      'select status, locale, count(*) as number from notes group by status, locale order by status, locale',
      [],
    );

  const expectTotals = async (): Promise<void> => {
    const { compiler, database } = environment;
    const rows = await database.transact(counted);
    for (const status of STATUSES)
      for (const locale of [...LOCALES, '*']) {
        const expected = rows
          .filter((row) => row['status'] === status && (locale === '*' || row['locale'] === locale))
          .reduce((sum, { number }) => sum + Number(number), 0);
        const { sql, parameters } = compiler.count(queryOf(environment, NOTE, { status, locale }));
        expect(sql).toContain('cms_totals');
        expect([status, locale, await database.readNumber(sql, parameters)]).toEqual([
          status,
          locale,
          expected,
        ]);
      }
  };

  it('follow writers that know nothing of them, and rollbacks', async () => {
    const random = createRandom(7);
    await run(addDocuments(numbersTo(40)));
    const statement = (): string => {
      const [status = '', locale = ''] = [STATUSES[random(2)], LOCALES[random(2)]];
      const id = `'d${random(40)}'`;
      const free = numbersTo(40).slice(random(30), random(30) + 8);
      switch (random(6)) {
        case 0:
          return `delete from notes where document_id = ${id}`;
        case 1:
          return `update notes set locale = '${locale}' where document_id = ${id} and status = 'draft'
            and not exists (
              select 1 from notes as o
              where o.document_id = ${id} and o.status = 'draft' and o.locale = '${locale}')
            and 1 = (select count(*) from notes as o where o.document_id = ${id} and o.status = 'draft')`;
        case 2:
          return `update notes set text = 'changed' where status = '${status}'`;
        default:
          return `${insert(free.length === 0 ? [0] : free, status, locale)} on conflict do nothing`;
      }
    };
    for (let round = 0; round < 60; round += 1) {
      await environment.database.transact(async (tx) => {
        await tx.execute(statement(), []);
        await tx.execute('savepoint tried', []);
        await tx.execute(statement(), []);
        await tx.execute(random(2) === 0 ? 'rollback to savepoint tried' : 'release savepoint tried', []);
        await tx.execute(statement(), []);
      });
      await environment.database
        .transact(async (tx) => {
          await tx.execute('delete from notes', []);
          throw new Error('rolled back');
        })
        .catch(() => undefined);
      if (round % 6 === 0) await expectTotals();
    }
    await expectTotals();
    // Documents delete their versions.
    await run(`delete from notes_documents where document_id < 'd3'`);
    await expectTotals();
  });

  it('are those of several writers at once', async () => {
    await run(addDocuments(numbersTo(400)));
    const others = [environment.database, await environment.reopen(), await environment.reopen()];
    await Promise.all(
      others.map(async (database, index) => {
        for (const number of numbersTo(400).filter((each) => each % 3 === index)) {
          await database.transact(async (tx) => {
            await tx.execute(insert([number], 'draft', 'en'), []);
            if (number % 2 === 0) await tx.execute(insert([number], 'published', 'en'), []);
            if (number % 5 === 0) await tx.execute(`delete from notes where document_id = 'd${number}'`, []);
          });
        }
      }),
    );
    await expectTotals();
    expect(await isKnown()).toBe(true);
    const rows = await environment.database.transact((tx) => tx.query('select * from cms_totals', []));
    // Writers have added up what they had noted.
    expect(rows.length).toBeLessThan(isSqlite ? 10 : 500);
  });

  it('are not used where rows have vanished without a trigger', async () => {
    await run(addDocuments(numbersTo(20)), insert(numbersTo(20), 'published', 'en'));
    expect(await isKnown()).toBe(true);
    await run(
      ...(isSqlite
        ? [insert([1, 2], 'published', 'en', 'insert or replace')]
        : ['set transaction isolation level repeatable read', 'truncate notes cascade']),
    );
    expect(await isKnown()).toBe(false);
    await expectTotals();
  });

  it('are not known where an update replaces rows, and follow those that are truncated', async () => {
    await run(addDocuments([1, 2]), insert([1, 2], 'published', 'en'));
    await run(`update notes set slug = 'other' where document_id = 'd1'`);
    expect(await isKnown()).toBe(true);
    // PostgreSQL empties the table at once for everybody who has not begun to read it.
    await run(
      isSqlite
        ? `update or replace notes set slug = 'other' where document_id = 'd2'`
        : 'truncate notes cascade',
    );
    expect(await isKnown()).toBe(!isSqlite);
    await expectTotals();
  });

  it('are counted where a trigger or the totals are gone', async () => {
    const { database, dialect, model, compiler, url } = environment;
    await run(addDocuments([1, 2, 3]), insert([1], 'draft', 'en'));
    // Connections remember that the triggers were there.
    await expectTotals();
    const note = dialect.migrations.totals
      .objectsFor(countedTables(model))
      .find(({ name }) => name === `totals of ${NOTE}`);
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
    const script = (text: string): Promise<void> => session.runExclusive(() => session.script(text));
    await script(isSqlite ? 'DROP TRIGGER cms_total_notes_insert' : 'DROP TRIGGER cms_total_insert ON notes');
    await run(insert([2], 'draft', 'en'));
    await expectTotals();
    await script(`${note?.drop}; ${note?.create}`);
    await run(insert([3], 'draft', 'en'));
    await expectTotals();
    const records = createRecordReader(database, compiler);
    const query = queryOf(environment, NOTE, { status: 'draft' });
    expect(await records.count(query)).toBe(3);
    await script(
      `${note?.drop}; ${isSqlite ? '' : 'DROP FUNCTION cms_count_rows() CASCADE;'} DROP TABLE cms_totals;`,
    );
    expect((await database.readObjects()).hasTotals).toBe(false);
    expect(await records.count(query)).toBe(3);
    await session.close();
  });

  it('are not used for what is filtered', () => {
    const sqlOf = (params: object): string =>
      environment.compiler.count(queryOf(environment, NOTE, params)).sql;
    expect(sqlOf({})).toContain('cms_totals');
    expect(sqlOf({ filters: { text: 'a' } })).not.toContain('cms_totals');
    expect(sqlOf({ publicationFilter: 'never-published' })).not.toContain('cms_totals');
  });
});
