import { fc } from '../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { printUnifiedDiff } from '../../../src/lib/files.js';

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** Applies a diff made by printUnifiedDiff, so that the property below does not depend on its wording. */
const apply = (before: string, diff: string): string => {
  const source = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const header = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      result.push(...source.slice(at, start));
      at = start;
    } else if (line.startsWith('+')) {
      result.push(line.slice(1));
    } else {
      if (line.startsWith(' ')) result.push(line.slice(1));
      expect(source[at]).toBe(line.slice(1));
      at++;
    }
  }
  result.push(...source.slice(at));
  return result.map((line) => `${line}\n`).join('');
};

describe('printUnifiedDiff', () => {
  it('says nothing where nothing changes', () => {
    expect(printUnifiedDiff({ path: 'a', before: 'x\n', after: 'x\n' })).toBe('');
  });

  it('shows a new and a removed file against /dev/null', () => {
    expect(printUnifiedDiff({ path: 'a.txt', before: null, after: 'one\ntwo\n' })).toBe(
      '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    );
    expect(printUnifiedDiff({ path: 'a.txt', before: 'one\n', after: null })).toBe(
      '--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n',
    );
  });

  it('keeps three lines of context and separates distant changes', () => {
    const before = numbered(20);
    const after = before.replace('line 3\n', 'LINE 3\n').replace('line 18\n', '');
    expect(printUnifiedDiff({ path: 'f', before, after })).toBe(
      [
        '--- a/f',
        '+++ b/f',
        '@@ -1,6 +1,6 @@',
        ' line 1',
        ' line 2',
        '-line 3',
        '+LINE 3',
        ' line 4',
        ' line 5',
        ' line 6',
        '@@ -15,6 +15,5 @@',
        ' line 15',
        ' line 16',
        ' line 17',
        '-line 18',
        ' line 19',
        ' line 20',
        '',
      ].join('\n'),
    );
  });

  it('turns any text into any other when applied', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = printUnifiedDiff({ path: 'f', before, after });
        expect(diff === '' ? before : apply(before, diff)).toBe(after);
      }),
    );
  });
});
