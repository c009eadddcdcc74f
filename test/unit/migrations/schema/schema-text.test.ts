import { describe, expect, it } from 'vitest';
import {
  parseAttributes,
  parseBlocks,
  readFieldList,
  readMappedName,
} from '../../../../src/migrations/schema/schema-text.js';

describe('parseAttributes', () => {
  it('ignores strings and comments', () => {
    const line =
      `  title String? @default("@map(\\"no\\") // @id )") ` + `@map("ti\\"tle") @db.VarChar(10) // @unique`;
    expect(parseAttributes(line).map(({ name }) => name)).toEqual(['@default', '@map', '@db.VarChar']);
    expect(readMappedName(parseAttributes(line)[1])).toBe('ti"tle');
  });

  it('returns the range of an attribute', () => {
    const line = '  a A @relation("x", fields: [aId, b], references: [id, c(x: f(1))]) @ignore';
    const [relation, ignore] = parseAttributes(line);
    expect(line.slice(relation?.start, relation?.end)).toBe(
      '@relation("x", fields: [aId, b], references: [id, c(x: f(1))])',
    );
    expect(relation === undefined ? [] : readFieldList(relation)).toEqual(['aId', 'b']);
    expect(ignore).toMatchObject({ name: '@ignore', args: null });
  });

  it('reads block attributes with sort orders', () => {
    const [index] = parseAttributes('  @@index([a(sort: Desc), b], map: "[z]")');
    expect(index === undefined ? [] : readFieldList(index)).toEqual(['a', 'b']);
  });
});

describe('parseBlocks', () => {
  it('returns blocks with their first and last line', () => {
    const text =
      'generator client {\n  provider = "x"\n}\n\n' +
      '/// model No {\nmodel Yes {\n  id Int @id // }\n}\nenum Mood {\n  a\n}\n';
    expect(parseBlocks(text.split('\n'))).toEqual([
      { keyword: 'generator', name: 'client', start: 0, end: 2 },
      { keyword: 'model', name: 'Yes', start: 5, end: 7 },
      { keyword: 'enum', name: 'Mood', start: 8, end: 10 },
    ]);
  });
});
