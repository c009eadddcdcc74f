import { describe, expect, it } from 'vitest';
import { describeLoss, losesData } from '../../../../src/migrations/losses/destructive-change.js';
import type { DestructiveChange } from '../../../../src/migrations/losses/destructive-change.js';
import { parseHeader, printHeader } from '../../../../src/migrations/files/migration-header.js';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
import type { Rename } from '../../../../src/migrations/schema/rename-in-schema.js';

const CHANGES: readonly DestructiveChange[] = [
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
  { kind: 'unique', table: 'articles', columns: ['slug'], amongRemaining: { drafts: 'dropped' } },
  {
    kind: 'unique',
    table: 'articles',
    columns: ['slug', 'locale'],
    amongRemaining: { drafts: 'dropped', shared: ['slug'] },
  },
];

const UNDECIDED = { areMisfitsAccepted: false, decisions: NO_DECISIONS };

const RENAMES: readonly Rename[] = [
  { kind: 'table', from: 'a', to: 'b' },
  { kind: 'column', table: 'b', from: 'c', to: 'd' },
];

describe('the destructive changes in the header of a migration', () => {
  it('are parsed as they were printed, each in an SQL comment', () => {
    const header = {
      destructiveChanges: CHANGES,
      renames: RENAMES,
      movedLinks: [
        { table: 'links', column: null },
        { table: 'articles', column: 'author' },
      ],
      isDataLossAccepted: false,
      ...UNDECIDED,
    };
    const text = `${printHeader(header)}ALTER TABLE x;`;
    expect(parseHeader(text)).toEqual(header);
    expect(
      text
        .split('\n')
        .slice(0, CHANGES.length + RENAMES.length + header.movedLinks.length)
        .every((line) => line.startsWith('--')),
    ).toBe(true);
  });

  it('are accepted by a line of their own, with any line ending', () => {
    const header = { destructiveChanges: CHANGES, renames: [], isDataLossAccepted: true, ...UNDECIDED };
    expect(parseHeader(printHeader(header))).toEqual(header);
    expect(parseHeader(printHeader(header).replaceAll('\n', '\r\n'))).toEqual(header);
  });

  it('states accepted misfits and decisions about values', () => {
    const header = {
      destructiveChanges: [],
      renames: [],
      isDataLossAccepted: false,
      areMisfitsAccepted: true,
      decisions: {
        renames: [{ kind: 'component', from: 'shared.seo', to: 'shared.meta' }],
        convert: { 'api::article.article.price': 'value * 100' },
        set: { 'shared.meta.title': 'none\n-- accept-data-loss' },
        map: { 'api::article.article.colour': { blue: 'azure' } },
        useDefaults: ['shared.meta.kind'],
      },
    } as const;
    expect(parseHeader(printHeader(header))).toEqual(header);
  });

  it.each([
    '-- at-stake {',
    '-- at-stake {"kind":"column","table":"t"}',
    '-- at-stake {"kind":"other","table":"t"}',
    '-- at-stake {"kind":"unique","table":"t","columns":"c"}',
    '-- renamed {"kind":"column","from":"a","to":"b"}',
  ])('does not read on over a damaged line: %s', (line) => {
    expect(() => parseHeader(`${line}\n`)).toThrow(SyntaxError);
  });

  it('are empty for SQL written by hand', () => {
    expect(parseHeader('-- a note\nUPDATE x SET y = 1;')).toEqual({
      destructiveChanges: [],
      renames: [],
      isDataLossAccepted: false,
      ...UNDECIDED,
    });
  });

  it('are described by kind', () => {
    expect(CHANGES.map((change) => describeLoss({ ...change, rows: 2 }))).toEqual([
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
      'articles.slug would be unique without drafts (2 rows share a value)',
      'articles.slug + locale would be unique without drafts and once all locales share it ' +
        '(2 rows share a value)',
    ]);
    expect(describeLoss({ kind: 'column', table: 't', column: 'c', rows: 1 })).toBe(
      't.c would be dropped (1 row holds a value)',
    );
    expect(CHANGES.filter((change) => !losesData(change)).map(({ kind }) => kind)).toEqual([
      'required',
      'unique',
      'reference',
      'unique',
      'unique',
    ]);
  });
});
