import { describe, expect, it } from 'vitest';
import { foldText } from '../../../../src/lib/text.js';
import { searchableParts } from '../../../../src/database/sqlite/search.js';
import { openSqlite } from '../../../support/sqlite.js';

const LAST_LETTER = 0x1_ff_ff;

/** All letters with another form, and the forms that they fold to. */
const LETTERS = Array.from({ length: LAST_LETTER }, (_, code) => code + 1)
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => foldText(letter) !== letter);

const foundIn = (texts: readonly string[]): ((row: number, part: string) => boolean) => {
  const database = openSqlite(':memory:', { mode: 'create' });
  database.exec(`create virtual table t using fts5(c0, content = '', tokenize = 'trigram')`);
  const insert = database.prepare('insert into t (rowid, c0) values (?, ?)');
  texts.forEach((text, row) => insert.run([row + 1, text]));
  const find = database.prepare('select 1 from t where t match ? and rowid = ?');
  return (row, part) => find.values([`"${part.replaceAll('"', '""')}"`, row + 1]).length > 0;
};

describe('terms of full-text searches', () => {
  it.each([
    ['in the middle of a word', (letter: string) => `xyz${letter}abc`],
    ['at the end of a word', (letter: string) => `xyz${letter}`],
    ['among other letters', (letter: string) => `xy${letter}z${letter}ab`],
  ])('are found in upper and lower case, %s', (_where, textWith) => {
    const texts = LETTERS.map(textWith);
    const isFound = foundIn(texts);
    const missed = texts.filter((text, row) => {
      const folded = [...foldText(text)];
      const terms = [folded, folded.slice(0, -1), folded.slice(1), folded.slice(0, 4), folded.slice(0, 5)];
      return !terms.every((term) => searchableParts(term.join(''), true).every((part) => isFound(row, part)));
    });
    expect(missed).toEqual([]);
    expect(texts.length).toBeGreaterThan(1400);
  });

  it('are left out where they are short, and cut where they are long', () => {
    expect(searchableParts('ab', true)).toEqual([]);
    expect(searchableParts('😀😀', false)).toEqual([]);
    expect(searchableParts('Lamp', false)).toEqual(['Lamp']);
    expect(searchableParts('Lamp', true)).toEqual(['lamp']);
    expect(searchableParts('x'.repeat(100), true)).toEqual(['x'.repeat(60)]);
  });
});
