import { describe, expect, it } from 'vitest';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
import { databases } from '../../../support/databases.js';
import { list, runChange, single, TEXT, zone } from '../component-fixture.js';
import { createContentHistory } from '../content-history.js';
import { rejectionOf } from '../migration-fixture.js';
import { articles, createScalarFixture, printChange } from '../scalar-fixture.js';

const PRICE = 'api::article.article.price';

const convert = (expression: string) => ({
  decisions: { ...NO_DECISIONS, convert: { [PRICE]: `ts:${expression}` } },
});

describe.each(databases)('conversions in TypeScript on $name', (kind) => {
  const before = articles({ price: { type: 'string' } });
  const after = articles({ price: { type: 'decimal', max: 10_000 } });

  it('convert values, and report the results before they do', async () => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(before);
    await fixture.createAll(before, [
      { price: '19,99' },
      { price: '19,99' },
      { price: 'free' },
      { price: `it's "0,1" \\ ü` },
      { price: '200' },
      {},
    ]);
    const call = convert(
      `Number((/[\\d,]+/.exec(value as string)?.[0] ?? 'NaN').replace(',', '.')) * 100 // cents`,
    );

    const { impact } = await fixture.preview(after, call);
    expect(impact.map(printChange)).toEqual([
      'converted price: 3 (is now of type decimal) ["19,99","it\'s \\"0,1\\" \\\\ ü"]',
      'dropped price: 1 (the expression returns no value of the new type) ["free"]',
      'invalid price: 1 (must be at most 10000) ["200"]',
    ]);
    expect((await rejectionOf(fixture.migrate(after, call))).code).toBe('migration/data-loss');
    expect(await fixture.valuesOf(before, 'price')).toContain('free');

    await fixture.migrate(after, { ...call, acceptsDataLoss: true, acceptsInvalid: true });
    expect(await fixture.valuesOf(after, 'price')).toEqual([
      19.99 * 100,
      19.99 * 100,
      null,
      10,
      20_000,
      null,
    ]);
  });

  it('run on every database with its own values', async () => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(before);
    const production = await fixture.withEmptyDatabase();
    const empty = await fixture.withEmptyDatabase();
    await production.apply();
    await fixture.createAll(before, [{ price: '5 €' }]);
    await production.createAll(before, [{ price: '6 €' }, { price: 'six' }]);
    await fixture.migrate(after, convert('parseFloat(value)'));

    expect((await rejectionOf(production.apply())).message).toContain('(1 value, such as "six")');
    await production.apply({ acceptsDataLoss: true });
    expect(await production.valuesOf(after, 'price')).toEqual([6, null]);
    await empty.apply();
    await empty.createAll(after, [{ price: 7 }]);
    expect(await empty.valuesOf(after, 'price')).toEqual([7]);
  });

  it('see values as the API shows them, for each type', async () => {
    const fixture = await createScalarFixture(kind);
    const types = articles({
      whole: { type: 'integer' },
      big: { type: 'biginteger' },
      flag: { type: 'boolean' },
      at: { type: 'datetime' },
      data: { type: 'json' },
    });
    const texts = articles(
      Object.fromEntries(['whole', 'big', 'flag', 'at', 'data'].map((name) => [name, { type: 'json' }])),
    );
    const values = {
      whole: 5,
      big: '9223372036854775807',
      flag: false,
      at: '2026-02-28T13:45:00.000Z',
      data: { list: [1, null, 'x'] },
    };
    await fixture.migrate(types);
    await fixture.createAll(types, [values]);
    await fixture.migrate(texts, {
      decisions: {
        convert: Object.fromEntries(
          Object.keys(values).map((name) => [`api::article.article.${name}`, 'ts:[typeof value, value]']),
        ),
      },
    });
    for (const [name, value] of Object.entries(values))
      expect(await fixture.valuesOf(texts, name)).toEqual([[typeof value, value]]);
  });

  it.each<readonly [string, unknown, string]>([
    ['datetime', '2026-02-28T00:00:00.000Z', 'new Date("2026-02-28")'],
    ['boolean', true, 'value.length > 1'],
    ['biginteger', '12345678901234567', '12345678901234567n'],
    ['text', '3', 'value.length'],
    ['json', { a: ['abc'] }, '({ a: [value] })'],
  ])('return values of the type %s', async (type, value, expression) => {
    const fixture = await createScalarFixture(kind);
    const changed = articles({ price: { type } });
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: 'abc' }]);
    await fixture.migrate(changed, convert(expression));
    expect(await fixture.valuesOf(changed, 'price')).toEqual([value]);
  });

  it('look up long values, and many', async () => {
    const fixture = await createScalarFixture(kind);
    const texts = articles({ price: { type: 'text' } });
    await fixture.migrate(texts);
    await fixture.createAll(texts, [{ price: 'x'.repeat(20_000) }]);
    const times = '"created_at", "updated_at"';
    await fixture.rows(
      `INSERT INTO articles_documents (document_id, revision)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
       SELECT 'd' || i, 0 FROM n`,
    );
    await fixture.rows(
      `INSERT INTO articles (document_id, locale, status, price, ${times})
       SELECT d.document_id, a.locale, a.status, d.document_id, a.created_at, a.updated_at
       FROM articles_documents AS d, articles AS a WHERE d.revision = 0 AND d.document_id LIKE 'd%'
       AND length(d.document_id) < 6`,
    );
    await fixture.migrate(articles({ price: { type: 'integer' } }), convert('value.length'));
    expect(
      await fixture.rows('SELECT price, count(*) AS n FROM articles GROUP BY price ORDER BY price'),
    ).toEqual(
      [
        [2, 9],
        [3, 90],
        [4, 900],
        [5, 201],
        [20_000, 1],
      ].map(([price, n]) => ({ price, n: kind.name === 'sqlite' ? n : String(n) })),
    );
  });

  it('reach into components at any depth', async () => {
    const values = [
      { id: 1, t: '1,5', items: [{ id: 2, u: '7 €' }, { id: 3, u: null }, { id: 4 }] },
      { id: 5, t: null, items: [{ id: 6, u: 'free' }] },
    ];
    const { told, stored } = await runChange(
      kind,
      [single('a.x'), { 'a.x': { t: TEXT, items: list('a.y') }, 'a.y': { u: TEXT } }],
      [
        single('a.x'),
        { 'a.x': { t: { type: 'decimal' }, items: list('a.y') }, 'a.y': { u: { type: 'json' } } },
      ],
      values,
      {
        decisions: {
          convert: {
            'a.x.t': 'ts:Number(value.replace(",", "."))',
            'a.y.u': 'ts:value.endsWith("€") ? { amount: parseInt(value) } : undefined',
          },
        },
      },
    );
    expect(told).toEqual([
      'converted part.items.u: 1 (from string to json)',
      'converted part.t: 1 (from string to decimal)',
      'dropped part.items.u: 1 (the expression returns no value of the new type)',
    ]);
    expect(stored).toEqual([
      { id: 1, t: 1.5, items: [{ id: 2, u: { amount: 7 } }, { id: 3, u: null }, { id: 4 }] },
      { id: 5, t: null, items: [{ id: 6, u: null }] },
    ]);
  });

  it.each([
    [
      'value.nothing.more',
      'migration/conversion-failed',
      /api::article\.article\.price .*"5 €": Cannot read/,
    ],
    ['Promise.resolve(1)', 'migration/conversion-failed', /"5 €": it returns a promise/],
    ['unknownName', 'migration/conversion-failed', /unknownName is not defined/],
    ['1 +', 'migration/invalid-expression', /api::article\.article\.price .*Unexpected token/],
    ['a; b', 'migration/invalid-expression', /Unexpected token/],
  ])('are refused where they cannot run, with nothing changed: %s', async (expression, code, message) => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: '5 €' }]);
    const error = await rejectionOf(fixture.migrate(after, convert(expression)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(await fixture.valuesOf(before, 'price')).toEqual(['5 €']);
  });

  it('reach into the component of a dynamic zone that they name, and no other', async () => {
    const components = (type: string) => ({ 'a.x': { t: { type } }, 'a.y': { t: TEXT } });
    const { stored } = await runChange(
      kind,
      [zone('a.x', 'a.y'), components('string')],
      [zone('a.x', 'a.y'), components('integer')],
      [
        [
          { __component: 'a.x', id: 1, t: 'three' },
          { __component: 'a.y', id: 2, t: 'four' },
          { __component: 'a.x', id: 3, t: '"quoted"' },
        ],
      ],
      { decisions: { convert: { 'a.x.t': 'ts:value.length' } } },
    );
    expect(stored).toEqual([
      [
        { __component: 'a.x', id: 1, t: 5 },
        { __component: 'a.y', id: 2, t: 'four' },
        { __component: 'a.x', id: 3, t: 8 },
      ],
    ]);
  });

  it('are reverted', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(before);
    const { documentId } = await (await history.open(before)).create('article', { price: '5 €' });
    await history.migrate(after, convert('parseFloat(value)'));
    expect(await (await history.open(after)).one('article', documentId)).toMatchObject({ price: 5 });
    await history.down();
    expect(await (await history.open(before)).one('article', documentId)).toMatchObject({ price: '5 €' });
  });

  it('never make a password', async () => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(before);
    await fixture.createAll(before, [{ price: 'open sesame' }]);
    const changes = await fixture.told(articles({ price: { type: 'password' } }), convert('value'));
    expect(changes).toEqual([
      'dropped price: 1 (a password is stored as a hash, which a migration cannot make) []',
    ]);
  });
});
