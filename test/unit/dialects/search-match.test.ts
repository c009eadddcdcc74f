import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { SearchedTable, TextMatch } from '../../../src/dialects/search-expressions.js';
import { SQLITE_EXPRESSIONS } from '../../../src/dialects/sqlite/expressions.js';
import { narrowMatch, printMatch } from '../../../src/dialects/sqlite/search/match.js';
import { searchObject } from '../../../src/dialects/sqlite/search/objects.js';
import { pairsIn } from '../../../src/dialects/sqlite/search/pairs.js';

const INDEX = { name: 'found', table: 'notes', hasDrafts: true, texts: [] };

/** One note in twenty is rare. All begin alike, and all bodies are the same. */
const createNotes = (): Database.Database => {
  const database = new Database(':memory:');
  database.exec(`
    create table notes (id integer primary key, title text, body text);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
      insert into notes select i, iif(i % 20 = 0, 'Note 0000 lantern', 'Note 0000'), 'a "shade"' from n;
    create virtual table found using fts5(c0, c1, content = '', tokenize = 'trigram');
    insert into found (rowid, c0, c1) select id, title, body from notes;`);
  return database;
};

/** The narrowed match, and how many of its phrases have something rare. */
const narrowed = (database: Database.Database, match: TextMatch, index: SearchedTable = INDEX): unknown => {
  const values = printMatch(match, index);
  const bind = (offset: number): ReturnType<typeof sql> => sql`${values[offset]}`;
  const { sql: text, parameters } = narrowMatch({ index, bind }).compile(SQLITE_EXPRESSIONS.kysely);
  return database.prepare(text).raw().get(parameters);
};

const term = (text: string, column = 0): TextMatch => ({
  kind: 'contains',
  text: column,
  term: text,
  isFolded: true,
});

describe('the narrowed match of a full-text search', () => {
  const database = createNotes();

  it('begins and ends with what few rows have', () => {
    expect(narrowed(database, term('note 0000 lantern'))).toEqual(['(c0 : "00 lantern")', 1]);
    expect(narrowed(database, term('lantern'))).toEqual(['(c0 : "lantern")', 1]);
    expect(narrowed(database, term('0000lamp0000'))).toEqual(['(c0 : "00lamp00")', 1]);
  });

  it('leaves a phrase as it is that has nothing rare', () => {
    expect(narrowed(database, term('note 0000'))).toEqual(['(c0 : "note 0000")', 0]);
    expect(narrowed(database, term('0000'))).toEqual(['(c0 : "0000")', 0]);
  });

  it('leaves out what few rows have in one text and many in another', () => {
    expect(narrowed(database, term('shade lantern'))).toEqual(['(c0 : "de lantern")', 1]);
    expect(narrowed(database, term('"shade" x', 1))).toEqual(['(c1 : "e"" x")', 1]);
  });

  it('narrows each of several phrases', () => {
    const items = [term('note lantern'), { kind: 'or', items: [term('note'), term('shade!', 1)] }] as const;
    expect(narrowed(database, { kind: 'and', items })).toEqual([
      '((c0 : "e lantern") AND ((c0 : "note") OR (c1 : "de!")))',
      2,
    ]);
  });

  it('takes a long phrase as it is, and for one that has something rare', () => {
    const long = 'note 0000 note 0000 note';
    expect(narrowed(database, term(long))).toEqual([`(c0 : "${long}")`, 1]);
  });

  it('looks a short text up by pairs, which begin at either of its letters', () => {
    const index: SearchedTable = {
      name: 'paired',
      table: 'notes',
      hasDrafts: true,
      texts: [
        [{ column: 'title', kind: 'text', isShort: true }],
        [{ column: 'body', kind: 'text', isShort: false }],
      ],
    };
    database.exec(searchObject(index).create);
    const [even = '', odd = ''] = pairsIn('note 0000 lantern');
    const phrases = `(pairs0 : "${even.slice(2)}" OR pairs0 : "${odd}")`;
    expect(narrowed(database, term('note 0000 lantern'), index)).toEqual([`(${phrases})`, 1]);
    expect(narrowed(database, term('lanter'), index)).toEqual(['(c0 : "lanter")', 1]);
    expect(narrowed(database, term('"shade"', 1), index)).toEqual(['(c1 : """shade""")', 0]);
    // The pairs of either beginning are in many rows: it does not matter that the others are in none.
    const common = pairsIn('note 0000').map((each) => `pairs0 : "${each}"`);
    expect(narrowed(database, term('note 0000'), index)).toEqual([`((${common.join(' OR ')}))`, 0]);
  });

  it('looks several short texts up at once', () => {
    const short = { column: 'title', kind: 'text', isShort: true } as const;
    const index = { ...INDEX, texts: [[short], [{ ...short, column: 'body' }]] };
    const match = { kind: 'or', items: [term('lantern'), term('lantern', 1)] } as const;
    const [even, odd] = pairsIn('lantern');
    expect(printMatch(match, index)[0]).toBe(`(((pairs0_1 : "${even}" OR pairs0_1 : "${odd}")))`);
  });
});
