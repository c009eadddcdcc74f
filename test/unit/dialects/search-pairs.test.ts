import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { searchObject } from '../../../src/dialects/sqlite/search/objects.js';
import { pairsColumn, pairsIn, pairsSql, textsWithPairs } from '../../../src/dialects/sqlite/search/pairs.js';
import { SQLITE_SEARCH } from '../../../src/dialects/sqlite/search/search.js';
import { searchableParts } from '../../../src/dialects/sqlite/search/terms.js';
import { foldText } from '../../../src/lib/fold-text.js';
import type { SearchedTable } from '../../../src/dialects/search-expressions.js';
import { createRandom } from '../../support/random.js';

const database = new Database(':memory:');
const select = database
  .prepare<[string | null], string | null>(`select ${pairsSql('text')} from (select ? as text)`)
  .pluck();
const pairsOfText = (text: string): string => select.get(text) ?? '';

/** Whether the pairs of a text have those of all terms of a folded part of it. */
const isFound = (pairs: string, part: string): boolean =>
  searchableParts(part, true).every((term) => {
    const alternatives = pairsIn(term);
    return alternatives.length === 0 || alternatives.some((each) => pairs.includes(each));
  });

const LETTERS = Array.from('aAbBkKzZ019 .-@[`{~\u{7f}äÄßẞıIiſsσςΣ日😀\u{212a}\u{307}\n');

describe('pairs of letters', () => {
  const { pick, next } = createRandom(7);
  const textOf = (length: number): string => Array.from({ length }, () => pick(LETTERS)).join('');

  it.each([0, 1, 2, 7, 15, 16, 17, 18, 33, 126, 127, 128, 129, 130, 255, 256, 257, 1000])(
    'are made by the database as they are looked up, of %i letters',
    (length) => {
      const text = textOf(length);
      const pairs = pairsOfText(text);
      expect([...pairs]).toHaveLength(Math.floor(length / 2));
      expect(pairsIn(text)[0] ?? pairs).toBe(pairs);
    },
  );

  it('are none of a missing text', () => {
    expect(select.get(null)).toBeNull();
  });

  it('are found wherever a part of a text begins, in upper and lower case', () => {
    let lookedUp = 0;
    const missed = Array.from({ length: 3000 }, () => textOf(20)).filter((text) => {
      const start = Math.floor(next() * 12);
      const part = [...foldText(text)].slice(start, start + 8).join('');
      lookedUp += searchableParts(part, true).filter((term) => pairsIn(term).length > 0).length;
      return !isFound(pairsOfText(text), part);
    });
    expect(missed).toEqual([]);
    expect(lookedUp).toBeGreaterThan(500);
  });

  it('are those of both cases of each letter', () => {
    const missed: string[] = [];
    for (let code = 1; code <= 0x1_ff_ff; code++) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const letter = String.fromCodePoint(code);
      if (foldText(letter) === letter) continue;
      const text = `abc${letter}defgh`;
      if (!isFound(pairsOfText(text), foldText(text))) missed.push(letter);
    }
    expect(missed).toEqual([]);
  });

  it('tell letters apart, and letters from digits', () => {
    const pairs = pairsOfText('article 00000500');
    expect(isFound(pairs, 'le 0000')).toBe(true);
    for (const part of ['le 00050', 'le0000', 'xrticle', '0000pu00', 'article@000'].filter(
      (each) => each.length > 6,
    ))
      expect([part, isFound(pairs, part)]).toEqual([part, false]);
  });

  it('are not looked up for a short term', () => {
    expect(pairsIn('lanter')).toEqual([]);
    expect(pairsIn('lantern')).toHaveLength(2);
  });

  it('are in an index for texts of one short value', () => {
    const short = { column: 'title', kind: 'text', isShort: true } as const;
    const long = { column: 'body', kind: 'text', isShort: false } as const;
    const texts = [[short], [long], [short, short]];
    expect(textsWithPairs({ texts })).toEqual([0]);
    expect(pairsColumn({ texts })).toBe('pairs0');
    expect(pairsColumn({ texts: [[short], [long], [short]] })).toBe('pairs0_2');
    expect(pairsColumn({ texts: [[long]] })).toBe('pairs');
  });

  it('are looked for only in an index that has just these', () => {
    const indexOf = (isShort: boolean): SearchedTable => ({
      name: 'galley_search_notes',
      table: 'notes',
      hasDrafts: true,
      texts: [[{ column: 'title', kind: 'text', isShort }]],
    });
    const notes = new Database(':memory:');
    const index = searchObject(indexOf(true));
    notes.exec(`create table notes (id integer primary key, title text); ${index.create}`);
    const indexes = notes.prepare(SQLITE_SEARCH.indexesSql).pluck();
    expect(indexes.all()).toEqual([SQLITE_SEARCH.nameOf(indexOf(true))]);
    expect(indexes.all()).not.toContain(SQLITE_SEARCH.nameOf(indexOf(false)));
    notes.exec(index.drop + searchObject(indexOf(false)).create);
    expect(indexes.all()).toEqual([SQLITE_SEARCH.nameOf(indexOf(false))]);
    const other = notes.prepare(`select 1 from galley_search_notes('pairs0 : "x"')`);
    expect(() => other.all()).toThrow(
      expect.toSatisfy((error: unknown) => SQLITE_SEARCH.isIndexMissing(error)) as Error,
    );
    // As older releases made them.
    notes.exec(`drop table galley_search_notes;
      create virtual table galley_search_notes using fts5(c0, content = '', tokenize = 'trigram');`);
    expect(indexes.all()).toEqual([]);
  });
});
