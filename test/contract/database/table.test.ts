import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOCALES } from '../../../src/access/records.js';
import { isDatabaseError } from '../../../src/database/database-error.js';
import type { Row, Transaction } from '../../../src/database/database.js';
import { defineTable } from '../../../src/database/table.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';

const NOON = new Date('2026-01-02T12:00:00.120Z');
const LATER = new Date('2026-01-02T12:00:00.130Z');
const TIMES = { createdAt: NOON, updatedAt: NOON, publishedAt: NOON };

const locale = (code: string, more: Row = {}): Row => ({
  documentId: `document ${code}`,
  code,
  name: 'French ü 😀',
  isDefault: true,
  ...more,
});

describe.each(databases)('a table on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({
      model: { types: { tag: { attributes: { size: { type: 'integer' } } } } },
      database,
    });
  });
  afterAll(() => testEnvironment.close());
  beforeEach(() => transact((tx) => tx.table(LOCALES).delete({})));

  const transact = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    testEnvironment.database.transact(work);
  const errorOf = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
    transact(work).then(
      () => null,
      (error: unknown) => (isDatabaseError(error) ? error.driverError : error),
    );
  const columns = ['name', 'is_default', 'created_at', 'updated_at', 'published_at'];
  const storedForm = async (tx: Transaction, code: string): Promise<unknown> => {
    const texts = columns.map((name) => `CAST("${name}" AS TEXT) AS "${name}"`);
    const [row] = await tx.query(`SELECT ${texts.join(', ')} FROM cms_locales WHERE code = '${code}'`, []);
    return row;
  };

  it('stores values in the form in which Prisma Client does', async () => {
    await transact(async (tx) => {
      await tx.table(LOCALES).insert([locale('fr', TIMES), locale('it', { ...TIMES, publishedAt: null })]);
      await tx.model('Locale').create({ data: locale('de', TIMES) });
      await tx.model('Locale').create({ data: locale('es', { ...TIMES, publishedAt: null }) });
      expect(await storedForm(tx, 'fr')).toEqual(await storedForm(tx, 'de'));
      expect(await storedForm(tx, 'it')).toEqual(await storedForm(tx, 'es'));
      await tx.table(LOCALES).update({ code: 'fr' }, { publishedAt: LATER.toISOString() });
      await tx.model('Locale').update({ where: { code: 'de' }, data: { publishedAt: LATER } });
      await tx.table(LOCALES).update({}, { updatedAt: NOON });
      expect(await storedForm(tx, 'fr')).toEqual(await storedForm(tx, 'de'));
      const [ours] = await tx.model('Locale').findMany({ where: { code: 'fr' } });
      expect(await tx.table(LOCALES).findFirst({ code: 'fr' })).toEqual(ours);
    });
  });

  it('sets the times of writes that contain none', async () => {
    const before = Date.now();
    await transact(async (tx) => {
      await tx.table(LOCALES).insert([locale('fr', { createdAt: NOON }), locale('it')]);
      const [french, italian] = await tx.table(LOCALES).find({}, { orderBy: 'id' });
      expect(french).toMatchObject({ createdAt: NOON, publishedAt: null });
      for (const time of [french?.['updatedAt'], italian?.['createdAt'], italian?.['updatedAt']])
        expect(Number(time)).toBeGreaterThanOrEqual(before);
      await tx.table(LOCALES).update({}, { updatedAt: NOON, name: undefined });
      expect(await tx.table(LOCALES).count({ name: 'French ü 😀' })).toBe(2);
      await tx.table(LOCALES).update({ code: 'fr' }, { name: 'French' });
      expect(Number((await tx.table(LOCALES).findFirst({ code: 'fr' }))?.['updatedAt'])).toBeGreaterThan(
        before - 1,
      );
      await tx.table(LOCALES).upsert('code', locale('it', { name: 'Italian', createdAt: NOON }));
      await tx.table(LOCALES).upsert('code', locale('de', { createdAt: LATER }));
      expect(await tx.table(LOCALES).find({}, { fields: ['code', 'name'], orderBy: 'code' })).toEqual([
        { code: 'de', name: 'French ü 😀' },
        { code: 'fr', name: 'French' },
        { code: 'it', name: 'Italian' },
      ]);
    });
  });

  it('finds, counts, updates and deletes the rows that meet all conditions', async () => {
    await transact(async (tx) => {
      const locales = tx.table(LOCALES);
      await locales.insert([
        locale('de', { isDefault: false, publishedAt: NOON }),
        locale('fr', { publishedAt: LATER }),
        locale('it'),
      ]);
      const codes = async (where: Parameters<typeof locales.find>[0]): Promise<readonly unknown[]> =>
        (await locales.find(where, { orderBy: 'code' })).map(({ code }) => code);
      expect(await codes({ code: ['fr', 'it', 'none'], isDefault: true })).toEqual(['fr', 'it']);
      expect(await codes({ isDefault: false })).toEqual(['de']);
      expect(await codes({ publishedAt: null })).toEqual(['it']);
      expect(await codes({ publishedAt: { below: LATER } })).toEqual(['de']);
      expect(await codes({ code: [] })).toEqual([]);
      const [first] = await locales.find({}, { orderBy: 'id', limit: 1 });
      expect(await codes({ id: { above: Number(first?.['id']) } })).toEqual(['fr', 'it']);
      expect(await codes({ id: [Number(first?.['id'])] })).toEqual(['de']);
      expect(await locales.update({ isDefault: true }, { isDefault: false })).toBe(2);
      expect(await locales.count({ isDefault: false })).toBe(3);
      expect(await locales.delete({ code: 'it', name: 'Other' })).toBe(0);
      expect(await locales.delete({ code: ['it', 'de'] })).toBe(2);
      expect(await locales.findFirst({ code: 'it' })).toBeNull();
    });
  });

  it('inserts more rows than one statement can bind', async () => {
    const codes = Array.from({ length: 12_000 }, (_, index) => `x-${index}`);
    await transact((tx) => tx.table(LOCALES).insert(codes.map((code) => locale(code))));
    expect(await transact((tx) => tx.table(LOCALES).count({ code: codes }))).toBe(codes.length);
  });

  it('increments a field', async () => {
    const table = testEnvironment.model.typesByUid['api::tag.tag']?.storage.document.table ?? '';
    const documents = {
      ...defineTable(table, { documentId: 'text', revision: 'integer' }),
      isStamped: false,
    };
    await transact(async (tx) => {
      await tx.table(documents).insert([{ documentId: 'a' }, { documentId: 'b' }]);
      expect(await tx.table(documents).increment({ documentId: 'a' }, 'revision')).toBe(1);
      expect(await tx.table(documents).increment({ documentId: 'none' }, 'revision')).toBe(0);
      expect(await tx.table(documents).find({}, { orderBy: 'documentId' })).toEqual([
        { documentId: 'a', revision: 1 },
        { documentId: 'b', revision: 0 },
      ]);
    });
  });

  it('reports a repeated unique value as Prisma Client does', async () => {
    await transact((tx) => tx.table(LOCALES).insert([locale('fr')]));
    const ours = await errorOf((tx) => tx.table(LOCALES).insert([locale('fr', { documentId: 'other' })]));
    const theirs = await errorOf((tx) =>
      tx.model('Locale').create({ data: locale('fr', { documentId: 'other' }) }),
    );
    expect(ours).toMatchObject({ kind: 'unique' });
    expect(ours).toEqual(theirs);
  });

  it('rejects fields without a column', async () => {
    expect(await errorOf((tx) => tx.table(LOCALES).find({ colour: 'red' }))).toEqual(
      new TypeError('The table cms_locales has no column for colour'),
    );
  });
});
