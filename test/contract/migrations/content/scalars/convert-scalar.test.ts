import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../../src/database/get-dialect.js';
import type { ScalarTypeName } from '../../../../../src/model/fields/field-type.js';
import { FIELD_TYPES } from '../../../../../src/model/fields/registry.js';
import type { ColumnKind } from '../../../../../src/lib/stored-value.js';
import { convertScalar } from '../../../../../src/migrations/content/scalars/convert-scalar.js';
import { quoteText } from '../../../../../src/database/dialect/sql-text.js';
import { databases } from '../../../../support/databases.js';

const attribute = (type: ScalarTypeName) => ({
  type,
  column: { name: 'v', field: 'v', kind: FIELD_TYPES[type].column },
});

/** SQL types of columns as Prisma creates them. */
const COLUMN_TYPES: Readonly<Record<string, Readonly<Record<ColumnKind, string>>>> = {
  sqlite: {
    text: 'TEXT',
    integer: 'INTEGER',
    bigint: 'BIGINT',
    double: 'REAL',
    boolean: 'BOOLEAN',
    datetime: 'DATETIME',
    json: 'JSONB',
  },
  postgresql: {
    text: 'TEXT',
    integer: 'INTEGER',
    bigint: 'BIGINT',
    double: 'DOUBLE PRECISION',
    boolean: 'BOOLEAN',
    datetime: 'TIMESTAMP(3)',
    json: 'JSON',
  },
};

/** Before, after, and per value its text form afterwards. Null: the value does not convert. */
type Row = readonly [ScalarTypeName, ScalarTypeName, Readonly<Record<string, string | null>>];

const WHOLE_NUMBERS = {
  '5': '5',
  '-5': '-5',
  '+5': '5',
  '007': '7',
  '3.0': '3',
  ' 12 ': '12',
  '2147483647': '2147483647',
  '3.5': null,
  '1e3': null,
  '': null,
  five: null,
  '5 pieces': null,
  '0x10': null,
  '1_000': null,
  '--5': null,
  Infinity: null,
};

const CASES: readonly Row[] = [
  ['string', 'integer', { ...WHOLE_NUMBERS, '2147483648': null, '99999999999999999999999': null }],
  [
    'text',
    'biginteger',
    {
      ...WHOLE_NUMBERS,
      '9223372036854775807': '9223372036854775807',
      '-9223372036854775808': '-9223372036854775808',
      '9223372036854775808': null,
    },
  ],
  [
    'string',
    'float',
    {
      '1.5': '1.5',
      '.5': '0.5',
      '-0.25': '-0.25',
      '1e3': '1000',
      '1.50': '1.5',
      '10000000000000000000000': expect.stringMatching(/^1(\.0)?e\+22$/),
      '0.12345678901234567': null,
      '9007199254740993': null,
      '0.1234567890123456789': null,
      '1e400': null,
      '1.5.5': null,
      e5: null,
      '.': null,
      NaN: null,
    },
  ],
  ['decimal', 'integer', { '4': '4', '4.5': null, '-7': '-7', '3e9': null }],
  ['float', 'biginteger', { '3e9': '3000000000', '1e18': '1000000000000000000', '1e19': null, '0.1': null }],
  [
    'float',
    'string',
    { '4': '4', '0.1': '0.1', '0.30000000000000004': '0.30000000000000004', '-2.5': '-2.5' },
  ],
  ['biginteger', 'integer', { '7': '7', '3000000000': null }],
  ['biginteger', 'decimal', { '9007199254740992': '9007199254740992', '9007199254740993': null }],
  ['integer', 'biginteger', { '7': '7', '-1': '-1' }],
  ['integer', 'decimal', { '7': '7' }],
  ['integer', 'string', { '7': '7', '-12': '-12' }],
  ['integer', 'boolean', { '0': 'false', '1': 'true', '2': null }],
  ['boolean', 'integer', { true: '1', false: '0' }],
  ['boolean', 'string', { true: 'true', false: 'false' }],
  ['string', 'boolean', { true: 'true', FALSE: 'false', '0': 'false', '1': 'true', yes: null, '': null }],
  [
    'string',
    'date',
    {
      '2026-02-28': '2026-02-28',
      '2024-02-29': '2024-02-29',
      '2000-02-29': '2000-02-29',
      '2026-02-29': null,
      '1900-02-29': null,
      '2026-04-31': null,
      '2026-13-01': null,
      '2026-00-10': null,
      '0000-01-01': null,
      '2026-2-28': null,
      '2026-02-28T00:00:00Z': '2026-02-28',
      '2026-02-28T10:00:00Z': null,
      tomorrow: null,
      now: null,
      '2026-02-28\n': null,
    },
  ],
  [
    'string',
    'time',
    {
      '10:30:15': '10:30:15.000',
      '10:30:15.5': '10:30:15.500',
      '23:59:59.999': '23:59:59.999',
      '24:00:00': null,
      '10:60:00': null,
      '10:30': null,
      '10:30:15.1234': null,
    },
  ],
  [
    'string',
    'datetime',
    {
      '2026-02-28': '2026-02-28T00:00:00.000Z',
      '2026-02-28T13:45': '2026-02-28T13:45:00.000Z',
      '2026-02-28T13:45:10': '2026-02-28T13:45:10.000Z',
      '2026-02-28t13:45:10.1z': '2026-02-28T13:45:10.100Z',
      '2026-02-28T13:45:10.123999Z': '2026-02-28T13:45:10.123Z',
      '2026-02-28T13:45:10.5+02:00': '2026-02-28T11:45:10.500Z',
      '2026-02-28T23:45:10-0130': '2026-03-01T01:15:10.000Z',
      '2026-02-28T13:45:10+23': '2026-02-27T14:45:10.000Z',
      '2026-02-28T13:45:10+24:00': null,
      '2026-02-28 13:45:10': null,
      '2026-02-30T13:45:10Z': null,
      '2026-02-28T13:45:10.1234567891Z': null,
      '2026-02-28T13:61Z': null,
      '0001-01-01T00:00:00+05:00': null,
      '9999-12-31T23:00:00-05:00': null,
      now: null,
      '2460000.5': null,
    },
  ],
  ['date', 'datetime', { '2026-02-28': '2026-02-28T00:00:00.000Z' }],
  ['datetime', 'date', { '2026-02-28T00:00:00.000Z': '2026-02-28', '2026-02-28T00:00:00.001Z': null }],
  ['datetime', 'string', { '2026-02-28T13:45:00.000Z': '2026-02-28T13:45:00.000Z' }],
  ['string', 'json', { 'say "hi"': 'say "hi"', '5': '5', '': '', 'a\\b': 'a\\b' }],
  ['integer', 'json', { '5': '5' }],
  ['json', 'string', { '"a \\"b\\""': 'a "b"', '{"a":1}': '{"a":1}', '5': '5', true: 'true', null: null }],
  ['json', 'integer', { '5': '5', '"6"': '6', '[5]': null, '1.5': null }],
  ['json', 'boolean', { true: 'true', false: 'false', '{}': null }],
  ['text', 'blocks', { 'a "b"': '[{"type":"paragraph","children":[{"type":"text","text":"a \\"b\\""}]}]' }],
  ['richtext', 'json', { '**a**': '**a**' }],
];

describe.each(databases)('converting scalars on $name', (kind) => {
  const dialect = getDialect(kind.name);
  const { textForm, storedOf } = dialect.migrations.values;
  const columnType = (type: ScalarTypeName): string =>
    COLUMN_TYPES[kind.name]?.[FIELD_TYPES[type].column] ?? '';

  const convertAll = async (
    [from, to]: readonly [ScalarTypeName, ScalarTypeName],
    values: readonly string[],
    convert: (value: string) => string,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const { url } = await kind.create();
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
    try {
      await session.script(`CREATE TABLE a (k TEXT, v ${columnType(from)})`);
      await session.script(`CREATE TABLE b (k TEXT, v ${columnType(to)})`);
      for (const value of values) {
        const stored = storedOf(FIELD_TYPES[from].column, quoteText(value));
        await session.script(`INSERT INTO a VALUES (${quoteText(value)}, ${stored})`);
      }
      await session.script(`INSERT INTO b SELECT k, ${convert('"v"')} FROM a`);
      const rows = await session.query(`SELECT k, ${textForm(FIELD_TYPES[to].column, '"v"')} AS t FROM b`);
      return Object.fromEntries(rows.map(({ k, t }) => [String(k), t]));
    } finally {
      await session.close();
    }
  };

  it.each(CASES)('%s → %s', async (from, to, expected) => {
    const conversion = convertScalar(attribute(from), attribute(to), dialect);
    if (conversion.kind !== 'converted') throw new Error(`${from} → ${to} is ${conversion.kind}`);
    const converted = await convertAll([from, to], Object.keys(expected), conversion.stored);
    expect(converted).toEqual(expected);
  });

  it.each<readonly [ScalarTypeName, ScalarTypeName, string, string | null]>([
    ['string', 'integer', '"5"', '5'],
    ['string', 'integer', '"five"', null],
    ['string', 'biginteger', '"5"', '"5"'],
    ['biginteger', 'string', '"5"', '"5"'],
    ['boolean', 'string', 'true', '"true"'],
    ['decimal', 'string', '1.5', '"1.5"'],
    ['date', 'datetime', '"2026-02-28"', '"2026-02-28T00:00:00.000Z"'],
    ['string', 'json', '"5"', '"5"'],
    ['integer', 'json', '5', '5'],
    ['json', 'string', '{"a":1}', String.raw`"{\"a\":1}"`],
  ])('%s → %s of the JSON value %s', async (from, to, value, expected) => {
    const conversion = convertScalar(attribute(from), attribute(to), dialect);
    if (conversion.kind !== 'converted') throw new Error(`${from} → ${to} is ${conversion.kind}`);
    const asJson = storedOf('json', quoteText(value));
    expect(await convertAll(['json', 'string'], [value], () => conversion.json(asJson))).toEqual({
      [value]: expected,
    });
  });

  it('takes an expression of the user, and values of an enumeration', async () => {
    const convert = (
      types: readonly [ScalarTypeName, ScalarTypeName],
      values: readonly string[],
      decisions: Partial<Parameters<typeof convertScalar>[3]>,
    ) => {
      const conversion = convertScalar(
        attribute(types[0]),
        attribute(types[1]),
        dialect,
        { convert: {}, map: {}, ...decisions },
        'a.v',
      );
      if (conversion.kind !== 'converted') throw new Error(`${types.join(' → ')} is ${conversion.kind}`);
      return convertAll(types, values, conversion.stored);
    };
    expect(
      await convert(['string', 'integer'], ['5 €', 'x'], {
        convert: { 'a.v': `CASE WHEN value = 'x' THEN NULL ELSE replace(value, ' €', '') END` },
      }),
    ).toEqual({ '5 €': '5', x: null });
    expect(await convert(['integer', 'float'], ['1'], { convert: { 'a.v': 'value / 3.0' } })).toEqual({
      '1': expect.stringMatching(/^0\.3333333333333333/),
    });
    expect(
      await convert(['enumeration', 'enumeration'], ['blue', 'red'], { map: { 'a.v': { blue: 'azure' } } }),
    ).toEqual({ blue: 'azure', red: 'red' });
  });

  it.each<readonly [ScalarTypeName, ScalarTypeName]>([
    ['string', 'password'],
    ['password', 'string'],
    ['blocks', 'richtext'],
    ['integer', 'blocks'],
  ])('%s → %s converts no value', (from, to) => {
    expect(convertScalar(attribute(from), attribute(to), dialect).kind).toBe('impossible');
  });

  it.each<readonly [ScalarTypeName, ScalarTypeName]>([
    ['string', 'email'],
    ['date', 'string'],
    ['float', 'decimal'],
    ['datetime', 'timestamp'],
    ['json', 'blocks'],
    ['password', 'password'],
  ])('%s → %s leaves values as they are', (from, to) => {
    expect(convertScalar(attribute(from), attribute(to), dialect)).toEqual({ kind: 'same' });
  });
});
