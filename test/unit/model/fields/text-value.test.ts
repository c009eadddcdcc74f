import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../../../src/model/fields/text-value.js';

const PIECES = [
  String.raw`a b - \. \/ . \d \D \w \W \s \S \b \B \t [ab] [^a] [^] [] [\s\S] [^\S] [^\s@] [\w-] [a-c\-]`,
  String.raw`[[:b] [\b] [a[] [a[^b] \x41 \u00e9 \cJ [\u0080-\uffff] \- \_ { a{,2} \$ ^ $ (?<n>a)`,
].flatMap((pieces) => pieces.split(' '));
const CHARACTERS = [
  'a',
  'b',
  'A',
  'é',
  '-',
  '_',
  ' ',
  '\u00a0',
  '\n',
  '\u2028',
  '\ufeff',
  '1',
  '$',
  '[',
  ':',
  '😀',
];

const quantified = fc
  .tuple(fc.constantFrom(...PIECES), fc.constantFrom('', '', '*', '+?', '?', '{2}', '{1,3}'))
  .map(([piece, quantifier]) => (/^[\^$]$|^\\[bB]$/.test(piece) ? piece : `${piece}${quantifier}`));
const sequence = fc.array(quantified, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const source = fc.oneof(
  sequence,
  sequence.map((inner) => `^${inner}$`),
  fc.tuple(sequence, sequence).map(([left, right]) => `^(?:${left}|(${right})+)$`),
);
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 6 }).map((parts) => parts.join(''));

const compile = (pattern: string): RegExp | null => {
  try {
    return new RegExp(pattern);
  } catch {
    return null;
  }
};

describe('matching a pattern', () => {
  it('finds what a regular expression finds', () => {
    fc.assert(
      fc.property(source, text, (pattern, value) => {
        const regex = compile(pattern);
        fc.pre(regex !== null);
        expect(matchesPattern(regex, value)).toBe(regex.test(value));
      }),
      { seed: 20_261_128, numRuns: 1000 },
    );
  });

  it.each([
    ['(?=.*\\d)[a-z\\d]{8,}', 'abcdefg1', 'abcdefgh'],
    ['^(?!admin)\\w+$', 'editor', 'admin'],
    ['(?<=a)b', 'ab', 'cb'],
    ['^(a|b)\\1$', 'aa', 'ab'],
    ['^a{2,1001}$', 'aa', 'a'],
    ['^[\\ud800-\\udfff]{2}$', '😀', 'aa'],
    ['^😀$', '😀', '😁'],
    ['^.{2}$', '😀', '😀😀'],
    ['^\\e\\z$', 'ez', 'e'],
    ['^\\pN$', 'pN', '1'],
    ['^[\\0]?b$', 'b', 'c'],
  ])('understands %s as JavaScript does', (pattern, matching, other) => {
    expect(matchesPattern(new RegExp(pattern), matching)).toBe(true);
    expect(matchesPattern(new RegExp(pattern), other)).toBe(false);
  });

  it('knows properties of characters', () => {
    expect(matchesPattern(/^\p{L}.$/u, 'é😀')).toBe(true);
    expect(matchesPattern(/^\p{Script=Greek}$/u, 'α')).toBe(true);
    expect(matchesPattern(/^\P{L}$/u, 'é')).toBe(false);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^([a-z]+)*\\d$', '(\\w+\\s?)+:$', '^(\\p{L}+)+$'])(
    'takes no exponential time for %s',
    (pattern) => {
      const regex = new RegExp(pattern, pattern.includes('\\p') ? 'u' : '');
      expect(matchesPattern(regex, `${'a'.repeat(9999)}!`)).toBe(false);
    },
  );
});
