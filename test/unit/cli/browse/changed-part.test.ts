import * as fc from 'fast-check';
import headless from '@xterm/headless';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { changedPart, keysOf } from '../../../../src/cli/browse/screen.js';
import { cutText, fitText, toOneLine } from '../../../../src/cli/terminal/text-layout.js';

const ESCAPE = '\u001B';
const span = fc.tuple(
  fc.constantFrom(null, [1, 22] as const, [2, 22] as const, [7, 27] as const, [31, 39] as const),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '│', '漢', 'é'), maxLength: 6 }),
);
const line = fc
  .array(span, { maxLength: 5 })
  .map((spans) =>
    spans
      .map(([style, text]) => (style === null ? text : `${ESCAPE}[${style[0]}m${text}${ESCAPE}[${style[1]}m`))
      .join(''),
  );

/** What a terminal shows after it was sent the texts: characters with their looks. */
const shownAfter = async (texts: readonly string[]): Promise<readonly string[]> => {
  const terminal = new headless.Terminal({ cols: 80, rows: 1, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(texts.join(''), resolve));
  const row = terminal.buffer.active.getLine(0);
  return Array.from({ length: 80 }, (_each, column) => {
    const cell = row?.getCell(column);
    return [
      cell?.getChars() === '' ? ' ' : cell?.getChars(),
      cell?.isBold(),
      cell?.isDim(),
      cell?.isInverse(),
      cell?.getFgColor(),
    ].join(',');
  });
};

describe('the part of a line that is sent', () => {
  it('makes one line of the other, with the looks of its characters', async () => {
    await fc.assert(
      fc.asyncProperty(line, line, line, async (start, before, after) => {
        const part = changedPart(start + before, start + after);
        const sent = `${ESCAPE}[1;${part.column + 1}H${part.text}${ESCAPE}[K`;
        expect(await shownAfter([start + before, sent])).toEqual(await shownAfter([start + after]));
      }),
      { numRuns: 40 },
    );
  });

  it('leaves out what is the same before it, but not past what may be wider than it says', () => {
    expect(changedPart('  article 1', '  article 2')).toEqual({ column: 10, text: '2' });
    expect(changedPart('漢字 1', '漢字 2')).toEqual({ column: 0, text: '漢字 2' });
  });
});

describe('texts in cells', () => {
  it.each([
    ['short', 10, 'short     '],
    ['long enough', 5, 'long…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢… '],
    ['🚢🚢', 3, '🚢…'],
    ['👨‍👩‍👧🇩🇪', 4, '👨‍👩‍👧🇩🇪'],
    ['👨‍👩‍👧🇩🇪', 3, '👨‍👩‍👧…'],
    ['any', 0, ''],
  ])('%s fits %d', (text, width, expected) => {
    expect(fitText(text, width)).toBe(expected);
    expect(stringWidth(cutText(text, width))).toBeLessThanOrEqual(width);
  });

  it('steer no terminal', () => {
    expect(toOneLine('a\n\u001B[2Jb\u0007\u202Ec')).toBe('a [2Jb c');
  });
});

describe('keys', () => {
  const none = {
    upArrow: false,
    downArrow: false,
    leftArrow: false,
    rightArrow: false,
    pageUp: false,
    pageDown: false,
    home: false,
    end: false,
    return: false,
    escape: false,
    tab: false,
    backspace: false,
    delete: false,
    ctrl: false,
    shift: false,
    meta: false,
  };

  it('are distinguished where several arrive in one chunk', () => {
    expect(keysOf('jj\r漢\u007F\u0003\u0001', none)).toEqual([
      'j',
      'j',
      'enter',
      '漢',
      'backspace',
      'ctrl-c',
    ]);
    expect(keysOf('', { ...none, upArrow: true })).toEqual(['up']);
    expect(keysOf('', { ...none, tab: true, shift: true })).toEqual(['shift-tab']);
    expect(keysOf('c', { ...none, ctrl: true })).toEqual(['ctrl-c']);
    expect(keysOf('x', { ...none, meta: true })).toEqual([]);
    expect(keysOf('', { ...none, delete: true })).toEqual(['backspace']);
  });
});
