import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldWith } from '../../../../src/database/postgres/search.js';
import type { Folding } from '../../../../src/database/postgres/search.js';
import { postgres } from '../../../../src/database/postgres/postgres.js';
import { foldCase } from '../../../../src/database/sqlite/functions.js';
import { sqlite } from '../../../../src/database/sqlite/sqlite.js';
import { databases } from '../../../support/databases.js';
import { openSqlite } from '../../../support/sqlite.js';

const WORDS = [
  'Éclair',
  'STRASSE ß',
  'İstanbul',
  'ΟΔΟΣ ΣΑΣ',
  'ǅungla',
  'ДОМ',
  'ＦＵＬＬ',
  '𐐀𐐁',
  'ﬀ',
  'a_%\\',
];

/**
 * Letters whose case depends on the Unicode version. The tables of a server may be older or newer than those
 * of this process.
 */
const RECENT = new RegExp(
  '[\\u1c89\\u1c8a\\u1c90-\\u1cbf\\u2c2f\\u2c5f\\ua7b8-\\ua7ff' +
    '\\u{10570}-\\u{105bc}\\u{10d50}-\\u{10d65}\\u{16e40}-\\u{16eff}\\u{1e900}-\\u{1e943}]',
  'u',
);

const letters = (): readonly string[] =>
  Array.from({ length: 0x1ffff }, (_, index) => index + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter !== letter.toLowerCase() && !RECENT.test(letter));

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

describe('folding in SQLite', () => {
  it('folds letters by the function that the statement calls', () => {
    const database = openSqlite(':memory:', { mode: 'create' });
    const { expressions } = sqlite;
    database.define('galley_fold', { deterministic: true }, foldCase);
    const statement = sql`select ${expressions.fold(expressions.parameter('text', 'slot'))}`.compile(
      expressions.kysely,
    );
    const folded = (value: string | null): unknown => database.prepare(statement.sql).values([value])[0];
    expect(WORDS.map(folded)).toEqual([
      'éclair',
      'strasse ß',
      'i\u{307}stanbul',
      'οδοσ σασ',
      'ǆungla',
      'дом',
      'ｆｕｌｌ',
      '𐐨𐐩',
      'ﬀ',
      'a_%\\',
    ]);
    expect(folded(null)).toBeNull();
  });
});

describe.runIf(POSTGRES !== undefined)('folding in PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    const { url } = (await POSTGRES?.create()) ?? { url: '' };
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(() => client.end());

  const foldAll = async (folding: Folding, texts: readonly string[]): Promise<readonly unknown[]> => {
    const text: RawBuilder<unknown> = sql`letter`;
    const statement = sql`
      select ${foldWith(folding)(text)} as folded
      from unnest(${sql.val(texts)}::text[]) with ordinality as letters(letter, place)
      order by place`;
    const { rows } = await client.query<{ readonly folded: string }>(
      statement.compile(postgres.expressions.kysely).sql,
      [texts],
    );
    return rows.map(({ folded }) => folded);
  };

  it.each(['builtin', 'icu', 'translate'] as const)('folds letters as in SQLite, by %s', async (folding) => {
    const texts = [...WORDS, ...letters()];
    expect(texts.length).toBeGreaterThan(1000);
    expect(await foldAll(folding, texts)).toEqual(texts.map(foldCase));
  });

  it('does not depend on the locale of the database', async () => {
    expect((await client.query(`select lower('É') as lower`)).rows).toEqual([{ lower: 'É' }]);
  });
});
