import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { rejectionOf } from './migration-fixture.js';
import { articles, createScalarFixture, printChange } from './scalar-fixture.js';

describe.each(databases)('scalar attributes that change their type, on $name', (kind) => {
  it('converts every value, and says so', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ price: { type: 'string' }, day: { type: 'date' } });
    const after = articles({ price: { type: 'integer' }, day: { type: 'datetime' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: '5', day: '2026-02-28' }, { price: '-7' }, {}]);

    const { impact } = await fixture.migrate(after);

    expect(impact.map(printChange)).toEqual([
      'converted price: 2 (is now of type integer) ["5","-7"]',
      'converted day: 1 (is now of type datetime) ["2026-02-28"]',
    ]);
    expect(await fixture.valuesOf(after, 'price')).toEqual([5, -7, null]);
    expect(await fixture.valuesOf(after, 'day')).toEqual(['2026-02-28T00:00:00.000Z', null, null]);
  });

  it('refuses to drop what does not convert, and drops that alone once accepted', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ price: { type: 'string' } });
    const after = articles({ price: { type: 'integer' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: '5' }, { price: 'five' }, { price: '5.5' }]);

    const error = await rejectionOf(fixture.migrate(after));
    expect(error.code).toBe('migration/data-loss');
    expect(error.message).toContain(
      'api::article.article price: not a whole number of 32 bits (2 values, such as "five", "5.5")',
    );
    expect(await fixture.valuesOf(before, 'price')).toEqual(['5', 'five', '5.5']);

    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.valuesOf(after, 'price')).toEqual([5, null, null]);
  });

  it('converts by an expression of the user', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ price: { type: 'string' } });
    const after = articles({ price: { type: 'decimal' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: '5 €' }, { price: '7.5 €' }]);

    const { impact } = await fixture.migrate(after, {
      decisions: { convert: { 'api::article.article.price': `replace(value, ' €', '')` } },
    });

    expect(impact.map(({ kind: change, values }) => [change, values])).toEqual([['converted', 2]]);
    expect(await fixture.valuesOf(after, 'price')).toEqual([5, 7.5]);
  });

  it('asks again where the migration is applied to a database with other values', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ price: { type: 'string' } });
    const after = articles({ price: { type: 'integer' } });
    await fixture.migrate(before);
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    await fixture.createAll(before, [{ price: '5' }]);
    await production.createAll(before, [{ price: '6' }, { price: 'six' }]);
    await fixture.migrate(after);

    expect((await rejectionOf(production.apply())).message).toContain('(1 value, such as "six")');
    await production.apply({ acceptsDataLoss: true });
    expect(await production.valuesOf(after, 'price')).toEqual([6, null]);
  });

  it('keeps the first of values that become equal where they must be unique', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ code: { type: 'string' } });
    const after = articles({ code: { type: 'integer', unique: true } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ code: '1' }, { code: '01' }, { code: '2' }]);

    const { impact } = await fixture.preview(after);
    expect(impact.map(printChange)).toEqual([
      'converted code: 2 (is now of type integer) ["1","2"]',
      'dropped code: 1 (another document has the same value, which must be unique) ["01"]',
    ]);
    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.valuesOf(after, 'code')).toEqual([1, null, 2]);
  });

  it('compares unique values of the remaining versions if drafts are disabled, too', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ code: { type: 'string', unique: true } }, { draftAndPublish: true });
    const after = articles({ code: { type: 'integer', unique: true } });
    await fixture.migrate(before);
    await fixture.withApi(before, async (api) => {
      const { documentId } = await api.create('article', { code: '3' });
      await api.update('article', documentId, { code: '2' }, { status: 'draft' });
      await api.create('article', { code: '1' });
    });
    await fixture.createAll(before, [{ code: '01' }, { code: '2' }], { status: 'draft' });

    const { impact } = await fixture.preview(after);
    expect(impact.map(printChange)).toContain(
      'dropped code: 1 (another document has the same value, which must be unique) ["01"]',
    );
    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.valuesOf(after, 'code')).toEqual([3, 1, null, 2]);
  });

  it('keeps what does not convert where the column stays, as values that do not fit', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ at: { type: 'string' } });
    const after = articles({ at: { type: 'time' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ at: '10:30:00' }, { at: 'noon' }, { at: '11:00:00.000' }]);

    const error = await rejectionOf(fixture.migrate(after));
    expect(error.code).toBe('migration/invalid-values');
    const { impact } = await fixture.migrate(after, { acceptsInvalid: true });
    expect(impact.map(({ kind: change, values }) => [change, values])).toEqual([
      ['converted', 1],
      ['invalid', 1],
    ]);
    expect(await fixture.valuesOf(after, 'at')).toEqual(['10:30:00.000', 'noon', '11:00:00.000']);
  });

  it('never keeps a plain text as a password, nor a hash as text', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ code: { type: 'string' }, secret: { type: 'password' } });
    const after = articles({ code: { type: 'password' }, secret: { type: 'string' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ code: 'open sesame', secret: 'hunter22' }]);

    const convert = { 'api::article.article.code': 'value', 'api::article.article.secret': 'value' };
    const call = { decisions: { convert } };
    for (const decided of [{}, call]) {
      const { impact } = await fixture.preview(after, decided);
      expect(impact.map(printChange)).toEqual([
        'dropped code: 1 (a password is stored as a hash, which a migration cannot make) []',
        'dropped secret: 1 (the hash of a password is not the password) []',
      ]);
    }
    await fixture.migrate(after, { ...call, acceptsDataLoss: true });
    expect(await fixture.rows('SELECT code, secret FROM articles')).toEqual([{ code: null, secret: null }]);
  });

  it('keeps blocks as JSON, but not as text', async () => {
    const fixture = await createScalarFixture(kind);
    const body = [{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }];
    const before = articles({ body: { type: 'blocks' }, more: { type: 'blocks' } });
    const after = articles({ body: { type: 'json' }, more: { type: 'richtext' } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ body, more: body }]);

    const { impact } = await fixture.preview(after);
    expect(impact.map(printChange)).toEqual([
      `dropped more: 1 (blocks cannot become text) [${JSON.stringify(body)}]`,
    ]);
    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.valuesOf(after, 'body')).toEqual([body]);
    expect(await fixture.valuesOf(after, 'more')).toEqual([null]);
  });
});
