import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { runQuery } from './run-query.js';
import { seed } from './seed.js';

const WIDE = 130;
const LONG = `a${'b'.repeat(70)}`;

const PROJECT: ProjectLiteral = {
  types: {
    wide: {
      attributes: Object.fromEntries(
        Array.from({ length: WIDE }, (_, index) => [`field${index}`, { type: 'integer' }]),
      ),
    },
    value: {
      collectionName: 'values_table',
      attributes: {
        text: { type: 'string' },
        number: { type: 'float' },
        big: { type: 'biginteger' },
        flag: { type: 'boolean' },
        moment: { type: 'datetime' },
        json: { type: 'json' },
        part: { type: 'component', component: 'parts.part' },
        parts: { type: 'component', component: 'parts.part', repeatable: true },
      },
    },
    select: {
      collectionName: 'group',
      attributes: {
        order: { type: 'string' },
        from: { type: 'integer' },
        'with-dash': { type: 'string' },
        [LONG]: { type: 'string' },
        constructor: { type: 'string' },
        table: { type: 'relation', relation: 'manyToMany', target: 'api::select.select' },
      },
    },
  },
  components: {
    'parts.part': {
      attributes: {
        text: { type: 'string' },
        number: { type: 'float' },
        big: { type: 'biginteger' },
        flag: { type: 'boolean' },
        moment: { type: 'datetime' },
        json: { type: 'json' },
        'with-dash': { type: 'string' },
      },
    },
  },
};

const VALUE = 'api::value.value';
const SELECT = 'api::select.select';

const NUMBERS = [0.1 + 0.2, 1e21, 5e-324, 1.7976931348623157e308, -0.000001, 123456789.12345679, 4, -7];
const JSONS = [
  { z: 1, a: { y: [], x: 1e21 } },
  [1, 'two', null, { three: 3.5 }],
  'text "quoted"',
  5,
  true,
  { text: 'émoji 😀  ' },
];

describe.each(databases)('values on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
  });
  afterAll(() => testEnvironment.close());

  const table = 'values_table';
  const readBack = async (documentId: string, field: string): Promise<unknown> => {
    const [record] = await runQuery(testEnvironment, VALUE, {
      filters: { documentId },
      fields: field === 'part' ? [] : [field],
      populate: field === 'part' ? { part: true } : undefined,
    });
    return record?.[field];
  };

  it.each(NUMBERS.map((number, index) => [index, number] as const))(
    'keep each number (%i: %d)',
    async (index, number) => {
      await seed(testEnvironment, VALUE, [{ documentId: `n${index}` }]);
      const { placeholder } = testEnvironment.dialect.expressions;
      const write = `update ${table} set number = ${placeholder(1)} where document_id = ${placeholder(2)}`;
      await testEnvironment.database.transact(async (tx) =>
        expect(await tx.execute(write, [number, `n${index}`])).toBe(1),
      );
      expect(await readBack(`n${index}`, 'number')).toBe(number);
      const found = await runQuery(testEnvironment, VALUE, { filters: { number } });
      expect(found.map(({ documentId }) => documentId)).toEqual([`n${index}`]);
    },
  );

  it.each(JSONS.map((json, index) => [index, json] as const))(
    'keep each JSON value as it was written (%i)',
    async (index, json) => {
      await seed(testEnvironment, VALUE, [{ documentId: `j${index}`, values: { json } }]);
      expect(JSON.stringify(await readBack(`j${index}`, 'json'))).toBe(JSON.stringify(json));
    },
  );

  it.each([
    ['zero milliseconds', '2026-03-01T00:00:00.000Z'],
    ['summer time', '2026-03-29T02:30:00.120Z'],
    ['before 1970', '1907-12-31T23:59:59.999Z'],
    ['the far future', '9999-12-31T23:59:59.999Z'],
  ])('keep datetimes to the millisecond: %s', async (documentId, iso) => {
    await seed(testEnvironment, VALUE, [{ documentId, values: { moment: new Date(iso) } }]);
    expect(await readBack(documentId, 'moment')).toBe(iso);
    expect(
      (await runQuery(testEnvironment, VALUE, { filters: { moment: iso } })).map(
        (record) => record['documentId'],
      ),
    ).toEqual([documentId]);
  });

  it('keep text with special characters', async () => {
    const text = 'é ß İ Σ "quotes" \\ \n\t  😀 %_';
    await seed(testEnvironment, VALUE, [{ documentId: 't', values: { text } }]);
    expect(await readBack('t', 'text')).toBe(text);
    expect(
      (await runQuery(testEnvironment, VALUE, { filters: { text } })).map(({ documentId }) => documentId),
    ).toEqual(['t']);
    expect(await runQuery(testEnvironment, VALUE, { filters: { text: { $containsi: 'É SS' } } })).toEqual([]);
    expect(
      (await runQuery(testEnvironment, VALUE, { filters: { text: { $containsi: 'É ß i̇ σ' } } })).map(
        ({ documentId }) => documentId,
      ),
    ).toEqual(['t']);
  });

  it('compare in components as in columns', async () => {
    const part = {
      id: 1,
      text: 'Ünder',
      number: 2.5,
      big: '9223372036854775807',
      flag: true,
      moment: '2026-01-01T00:00:00.000Z',
      json: { a: 1 },
      'with-dash': 'd',
    };
    await seed(testEnvironment, VALUE, [
      {
        documentId: 'part',
        values: {
          part,
          parts: [
            part,
            {
              id: 2,
              text: 'other',
              number: 'drifted',
              flag: 'drifted',
              big: 'drifted',
              moment: 7,
              json: null,
            },
          ],
        },
      },
    ]);
    expect(await readBack('part', 'part')).toEqual(part);
    const conditions = [
      { text: { $eqi: 'üNDER' } },
      { number: { $gt: 2 } },
      { number: { $in: [2.5] } },
      { big: '9223372036854775807' },
      { big: { $gt: '9223372036854775806' } },
      { flag: true },
      { moment: '2026-01-01T00:00:00.000Z' },
      { moment: { $between: ['2025-12-31', '2026-01-02'] } },
      { json: { $contains: '"a"' } },
      { json: { $notNull: true } },
      { 'with-dash': { $startsWith: 'd' } },
    ];
    for (const condition of conditions) {
      for (const attribute of ['part', 'parts']) {
        const found = await runQuery(testEnvironment, VALUE, { filters: { [attribute]: condition } });
        expect([attribute, condition, found.map(({ documentId }) => documentId)]).toEqual([
          attribute,
          condition,
          ['part'],
        ]);
      }
    }
    expect(
      await runQuery(testEnvironment, VALUE, {
        filters: { parts: { json: { $null: true } }, documentId: 'part' },
      }),
    ).toHaveLength(1);
    expect(
      await runQuery(testEnvironment, VALUE, { filters: { part: { moment: { $gt: '2026-01-01' } } } }),
    ).toEqual([]);
  });

  it('are read from a component stored before it became repeatable, or not repeatable', async () => {
    const part = { id: 1, text: 'x' };
    await seed(testEnvironment, VALUE, [
      { documentId: 'single', values: { parts: part } },
      { documentId: 'list', values: { part: [part] } },
    ]);
    const populate = { part: { fields: ['text'] }, parts: { fields: ['text'] } };
    const read = async (documentId: string) =>
      (await runQuery(testEnvironment, VALUE, { filters: { documentId }, fields: [], populate }))[0];
    expect(await read('single')).toMatchObject({ part: null, parts: [part] });
    expect(await read('list')).toMatchObject({ part: { id: null, text: null }, parts: [] });
  });

  it('of a type with very many attributes are all returned', async () => {
    const values = Object.fromEntries(Array.from({ length: WIDE }, (_, index) => [`field${index}`, index]));
    await seed(testEnvironment, 'api::wide.wide', [{ documentId: 'w', values }]);
    const [record] = await runQuery(testEnvironment, 'api::wide.wide', { fields: Object.keys(values) });
    expect(record).toEqual({ id: 1, documentId: 'w', ...values });
  });

  it('may have names that are keywords of SQL or JavaScript, hyphenated or long', async () => {
    const values = { order: 'o', from: 1, 'with-dash': 'w', [LONG]: 'l', constructor: 'c' };
    await seed(testEnvironment, SELECT, [
      { documentId: 'a', values },
      { documentId: 'b', values: {}, links: { table: ['a'] } },
    ]);
    const fields = Object.keys(values);
    const filters = Object.fromEntries(fields.map((field) => [field, { $notNull: true }]));
    expect(
      await runQuery(testEnvironment, SELECT, {
        fields,
        filters: { table: filters },
        populate: { table: { fields, sort: fields, filters } },
        sort: fields,
      }),
    ).toEqual([
      {
        id: 2,
        documentId: 'b',
        order: null,
        from: null,
        'with-dash': null,
        [LONG]: null,
        constructor: null,
        table: [{ id: 1, documentId: 'a', ...values }],
      },
    ]);
  });
});
