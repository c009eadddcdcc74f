import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';
import {
  printKeyValues,
  printTable,
  wrapParagraphs,
  wrapText,
} from '../../../../src/cli/terminal/text-layout.js';
import type { TableColumn } from '../../../../src/cli/terminal/text-layout.js';

interface Token {
  readonly name: string;
  readonly actions: string;
  readonly note: string;
}

const TOKENS: readonly Token[] = [
  { name: 'front-end', actions: 'api::article.article.find api::article.article.findOne', note: 'The shop' },
  { name: 'ci', actions: 'full-access', note: 'Continuous integration of the whole organisation' },
];
const NAME: TableColumn<Token> = { header: 'NAME', value: ({ name }) => name };
const ACTIONS: TableColumn<Token> = { header: 'ACTIONS', value: ({ actions }) => actions };
const NOTE: TableColumn<Token> = { header: 'NOTE', value: ({ note }) => note };

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');
const everyWord = TOKENS.flatMap((token) => words(Object.values(token).join(' ')));
const print = (columns: readonly TableColumn<Token>[], width?: number): string =>
  printTable(TOKENS, columns, styleFor(false, width));
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('a table', () => {
  it('is as wide as its cells where nothing limits it', () => {
    const [header, ...rows] = print([NAME, ACTIONS, NOTE]).split('\n');
    expect(rows).toHaveLength(TOKENS.length);
    expect(header).toMatch(/^NAME {7}ACTIONS {2,}NOTE$/);
  });

  it.each([80, 60, 45, 40])('keeps every word whole in %i columns', (width) => {
    const text = print([NAME, ACTIONS, NOTE], width);
    expect(widest(text)).toBeLessThanOrEqual(width);
    expect(words(text)).toEqual(expect.arrayContaining([...everyWord]));
  });

  it('wraps the widest column first', () => {
    expect(print([NAME, ACTIONS], 42)).toBe(
      [
        'NAME       ACTIONS',
        'front-end  api::article.article.find',
        '           api::article.article.findOne',
        'ci         full-access',
      ].join('\n'),
    );
  });

  it('leaves out what is optional before it becomes a list of records, and says so', () => {
    const optional = [NAME, ACTIONS, { ...NOTE, optional: true }];
    expect(print(optional, 45).split('\n').at(-1)).toBe('Too narrow for NOTE. --json has all.');
    expect(print(optional, 37)).toBe(
      [
        'NAME     front-end',
        'ACTIONS  api::article.article.find',
        '         api::article.article.findOne',
        'NOTE     The shop',
        '',
        'NAME     ci',
        'ACTIONS  full-access',
        'NOTE     Continuous integration of',
        '         the whole organisation',
      ].join('\n'),
    );
  });

  it('breaks a word only where it is longer than its column', () => {
    expect(print([ACTIONS], 21).split('\n').slice(0, 3)).toEqual([
      'ACTIONS  api::article',
      '         .article.fin',
      '         d api::artic',
    ]);
  });

  it('aligns numbers to the right, and measures wide characters, flags and joined emoji', () => {
    const rows = [
      { city: '東京', people: 14 },
      { city: 'Rome', people: 3 },
      { city: '🇩🇪', people: 4 },
      { city: '👨‍👩‍👧', people: 3 },
    ];
    const columns = [
      { header: 'CITY', value: (row: (typeof rows)[number]) => row.city },
      { header: 'M', value: (row: (typeof rows)[number]) => row.people, align: 'right' as const },
    ];
    expect(printTable(rows, columns, styleFor(false, 40))).toBe(
      ['CITY   M', '東京  14', 'Rome   3', '🇩🇪     4', '👨‍👩‍👧     3'].join('\n'),
    );
  });
});

describe('a paragraph', () => {
  it('is indented further below its first line', () => {
    const text = '  author: relation, manyToOne, inversedBy recipes\n  title: string';
    expect(wrapParagraphs(text, 40)).toBe(
      '  author: relation, manyToOne,\n    inversedBy recipes\n  title: string',
    );
    expect(wrapParagraphs(text)).toBe(text);
  });
});

describe('a word of emoji', () => {
  it.each(['🇩🇪', '👨‍👩‍👧', '👍🏽', '1️⃣'])('of %s is wrapped between them, each two cells wide', (emoji) => {
    expect(wrapText(emoji.repeat(5), 5)).toEqual([emoji.repeat(2), emoji.repeat(2), emoji]);
    expect(wrapParagraphs(`${emoji} ${emoji}`, 5)).toBe(`${emoji} ${emoji}`);
  });
});

describe('keys and values', () => {
  it('wrap values below one another, each line in the colour of its text', () => {
    const style = styleFor(true, 20);
    const [first, second] = printKeyValues([['Key', style.dim('one two three four')]], style).split('\n');
    expect(first).toBe('\u001B[1mKey\u001B[22m  \u001B[2mone two three\u001B[22m');
    expect(second).toBe('\u001B[1m   \u001B[22m  \u001B[2mfour\u001B[22m');
  });
});
