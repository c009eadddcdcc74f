import { describe, expect, it } from 'vitest';
import { describeLoss, losesData } from '../../../src/migrations/at-stake.js';
import type { AtStake } from '../../../src/migrations/at-stake.js';
import { parseHead, printHead } from '../../../src/migrations/migration-head.js';
import type { Rename } from '../../../src/migrations/rename-in-schema.js';

const STAKES: readonly AtStake[] = [
  { kind: 'table', table: 'articles' },
  { kind: 'column', table: 'articles', column: 'a "quoted"\nname' },
  { kind: 'type', table: 'articles', column: 'views', from: 'String', to: 'Int' },
  { kind: 'required', table: 'articles', column: 'title', isNew: false },
  { kind: 'unique', table: 'articles', columns: ['slug', 'locale'] },
  { kind: 'reference', table: 'articles', columns: ['author_id'], target: 'authors', targetColumns: ['id'] },
  { kind: 'draft', table: 'articles' },
  { kind: 'unpublished', table: 'articles' },
  { kind: 'locale', table: 'articles' },
  { kind: 'shared', table: 'articles', column: 'views' },
];

const RENAMES: readonly Rename[] = [{ kind: 'table', from: 'a', to: 'b' }, { kind: 'column', table: 'b', from: 'c', to: 'd' }];

describe('what a migration says it puts at stake', () => {
  it('is read as it was printed, each on a line that SQL takes for a comment', () => {
    const head = { stakes: STAKES, renames: RENAMES, moved: [{ table: 'links', column: null }, { table: 'articles', column: 'author' }], isAccepted: false };
    const text = `${printHead(head)}ALTER TABLE x;`;
    expect(parseHead(text)).toEqual(head);
    expect(text.split('\n').slice(0, STAKES.length + RENAMES.length + head.moved.length).every((line) => line.startsWith('--'))).toBe(true);
  });

  it('carries the word that accepts it, through either kind of line end', () => {
    const head = { stakes: STAKES, renames: [], isAccepted: true };
    expect(parseHead(printHead(head))).toEqual(head);
    expect(parseHead(printHead(head).replaceAll('\n', '\r\n'))).toEqual(head);
  });

  it('accepts nothing where nothing can be lost', () => {
    expect(printHead({ stakes: [], renames: [], isAccepted: true })).toBe('');
    expect(printHead({ stakes: [{ kind: 'unique', table: 't', columns: ['c'] }], renames: [], isAccepted: true })).not.toContain('accept');
  });

  it.each(['-- at-stake {', '-- at-stake {"kind":"column","table":"t"}', '-- at-stake {"kind":"other","table":"t"}', '-- at-stake {"kind":"unique","table":"t","columns":"c"}', '-- renamed {"kind":"column","from":"a","to":"b"}'])(
    'does not read on over a damaged line: %s',
    (line) => {
      expect(() => parseHead(`${line}\n`)).toThrow(SyntaxError);
    },
  );

  it('knows SQL written by hand', () => {
    expect(parseHead('-- a note\nUPDATE x SET y = 1;')).toEqual({ stakes: [], renames: [], isAccepted: false });
  });

  it('tells each kind in words', () => {
    expect(STAKES.map((stake) => describeLoss({ ...stake, rows: 2 }))).toEqual([
      'articles would be dropped (2 rows)',
      'articles.a "quoted"\nname would be dropped (2 rows hold a value)',
      'articles.views would change from String to Int and lose its values (2 rows hold one)',
      'articles.title would be required (2 rows hold none)',
      'articles.slug + locale would be unique (2 rows share a value)',
      'articles.author_id would have to point into authors (2 rows do not)',
      'articles would have no drafts (2 rows were edited since last published)',
      'articles would have no drafts (2 rows never published would become public)',
      'articles would have no locales (2 rows of other locales would be dropped)',
      'articles.views would be the same in all locales (2 rows hold another value)',
    ]);
    expect(describeLoss({ kind: 'column', table: 't', column: 'c', rows: 1 })).toBe('t.c would be dropped (1 row holds a value)');
    expect(STAKES.map(losesData)).toEqual([true, true, true, false, false, false, true, true, true, true]);
  });
});
