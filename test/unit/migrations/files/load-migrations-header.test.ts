import { describe, expect, it } from 'vitest';
import { parseHeader, printHeader } from '../../../../src/migrations/files/load-migrations.js';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
import type { Rename } from '../../../../src/migrations/schema/renames.js';

const UNDECIDED = { isInvalidAccepted: false, decisions: NO_DECISIONS };

const RENAMES: readonly Rename[] = [
  { kind: 'table', from: 'a', to: 'b' },
  { kind: 'column', table: 'b', from: 'c', to: 'd' },
];

describe('the header of a migration', () => {
  it('is parsed as it was printed, each in an SQL comment', () => {
    const header = {
      renames: RENAMES,
      isDataLossAccepted: false,
      ...UNDECIDED,
    };
    const text = `${printHeader(header)}ALTER TABLE x;`;
    expect(parseHeader(text)).toEqual(header);
    expect(
      text
        .split('\n')
        .slice(0, RENAMES.length)
        .every((line) => line.startsWith('--')),
    ).toBe(true);
  });

  it('accepts data loss by a line of its own, with any line ending', () => {
    const header = { renames: RENAMES, isDataLossAccepted: true, ...UNDECIDED };
    expect(parseHeader(printHeader(header))).toEqual(header);
    expect(parseHeader(printHeader(header).replaceAll('\n', '\r\n'))).toEqual(header);
  });

  it('states accepted values and decisions about values', () => {
    const header = {
      renames: [],
      isDataLossAccepted: false,
      isInvalidAccepted: true,
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
    '-- renamed {',
    '-- renamed {"kind":"column","from":"a","to":"b"}',
    '-- renamed {"kind":"other","from":"a","to":"b"}',
  ])('does not read on over a damaged line: %s', (line) => {
    expect(() => parseHeader(`${line}\n`)).toThrow(SyntaxError);
  });

  it('is empty for SQL written by hand', () => {
    expect(parseHeader('-- a note\nUPDATE x SET y = 1;')).toEqual({
      renames: [],
      isDataLossAccepted: false,
      ...UNDECIDED,
    });
  });
});
