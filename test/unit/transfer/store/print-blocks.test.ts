import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderKeys, parseBlocks } from '../../../../src/transfer/store/parse-blocks.js';
import { printBlocks } from '../../../../src/transfer/store/print-blocks.js';

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks });
const item = (...children: object[]) => ({ type: 'list-item', children });
const link = (url: string, ...children: object[]) => ({ type: 'link', url, children });

/** One of everything, as programs write it. */
const ARTICLE = [
  { type: 'heading', level: 2, children: [text('Rye, '), text('slowly', { italic: true })] },
  {
    type: 'paragraph',
    children: [
      text('Some '),
      text('bold ', { bold: true }),
      text('and both', { bold: true, italic: true }),
      text(', '),
      text('gone', { strikethrough: true }),
      text(', '),
      text('under', { underline: true }),
      text(' and '),
      text('a `b` *c*', { code: true }),
      text('\nline two * _ # <u> & [x](y)'),
    ],
  },
  { type: 'paragraph', children: [text('')] },
  {
    type: 'quote',
    children: [text('Said '), link('https://example.org/a?b=(c)', text('once', { bold: true }))],
  },
  { type: 'quote', children: [text('and again')] },
  {
    type: 'list',
    format: 'unordered',
    children: [
      item(text('one')),
      {
        type: 'list',
        format: 'ordered',
        children: [
          item(text('two')),
          { type: 'list', format: 'unordered', children: [item(text('deep')), item(text(''))] },
        ],
      },
      item(text('1. three')),
    ],
  },
  { type: 'code', language: 'ts', children: [text('const a = `\n```\n`;')] },
  { type: 'code', children: [text('plain')] },
  {
    type: 'image',
    image: { url: '/uploads/a.png', alternativeText: 'A "boat"', caption: 'At sea' },
    children: [text('')],
  },
];

const parse = (markdown: string, notes = {}) => {
  const parsed = parseBlocks(markdown, notes);
  return 'blocks' in parsed ? parsed.blocks : `${parsed.line}: ${parsed.reason}`;
};

describe('blocks as Markdown', () => {
  it('are readable, and read as what they were', () => {
    const printed = printBlocks(ARTICLE);
    expect(printed?.markdown).toMatchInlineSnapshot(`
      "## Rye, _slowly_

      Some **bold _and both_**, ~~gone~~, <u>under</u> and \`\`a \`b\` *c*\`\`\\
      line two \\* \\_ # \\<u> & \\[x]\\(y)

      <br>

      > Said [**once**](https://example.org/a?b=\\(c\\))

      > and again

      - one
        1. two
           - deep
           -
      - 1\\. three

      \`\`\`\`ts
      const a = \`
      \`\`\`
      \`;
      \`\`\`\`

      \`\`\`
      plain
      \`\`\`

      ![A "boat"](/uploads/a.png "At sea")"
    `);
    expect(printed?.notes).toEqual({});
    expect(parse(printed?.markdown ?? '')).toEqual(ARTICLE);
  });

  it("keep what Strapi's editor adds, and all that images have", () => {
    const paragraph = { type: 'paragraph', children: [text(''), link('/a', text('a')), text('')] };
    const nested = { type: 'list', format: 'ordered', indentLevel: 1, children: [item(text('b'))] };
    const list = { type: 'list', format: 'unordered', children: [item(text('a')), nested] };
    const image = {
      url: '/b.png',
      name: 'b.png',
      caption: null,
      width: 10,
      formats: { small: { url: '/s.png' } },
    };
    const blocks = [paragraph, list, { type: 'image', image, children: [text('')] }];
    const printed = printBlocks(blocks);
    expect(printed).toEqual({
      markdown: '[a](/a)\n\n- a\n  1. b\n\n![](/b.png)',
      notes: {
        emptyTexts: true,
        indentLevels: true,
        images: { '/b.png': { caption: null, formats: image.formats, name: 'b.png', width: 10 } },
      },
    });
    expect(parse(printed?.markdown ?? '', printed?.notes)).toEqual(blocks);
  });

  it('are left alone where Markdown would lose something', () => {
    for (const block of [
      { type: 'paragraph', children: [text('a', { bold: false })] },
      { type: 'paragraph', children: [text('a'), text('b')] },
      { type: 'paragraph', children: [text('a')], align: 'left' },
      { type: 'list', format: 'ordered', children: [] },
    ])
      expect({ block, printed: printBlocks([block]) }).toEqual({ block, printed: null });
    expect(printBlocks([])).toBeNull();
  });

  it('are unchanged, for any content', () => {
    const anyText = fc
      .tuple(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom(' a ', '**', '\n', '~~', '<u>', '- a', '1. a', '`'),
        ),
        fc.subarray(['bold', 'italic', 'underline', 'strikethrough', 'code']),
      )
      .map(([value, marks]) => text(value, Object.fromEntries(marks.map((mark) => [mark, true]))));
    const texts = fc.array(anyText, { minLength: 1, maxLength: 4 });
    const anyBlock = fc.oneof(
      texts.map((children) => ({ type: 'paragraph', children })),
      texts.map((children) => ({ type: 'quote', children })),
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), texts)
        .map(([level, children]) => ({ type: 'heading', level, children })),
      fc.string().map((code) => ({ type: 'code', children: [text(code)] })),
      fc
        .tuple(
          fc.constantFrom('ordered', 'unordered'),
          fc.array(
            texts.map((children) => item(...children)),
            { minLength: 1 },
          ),
        )
        .map(([format, children]) => ({ type: 'list', format, children })),
    );
    let printedCount = 0;
    fc.assert(
      fc.property(fc.array(anyBlock, { minLength: 1, maxLength: 4 }), (blocks) => {
        const printed = printBlocks(blocks);
        if (printed === null) return;
        printedCount += 1;
        expect(orderKeys(parse(printed.markdown, printed.notes))).toEqual(orderKeys(blocks));
      }),
      { numRuns: 50 },
    );
    expect(printedCount).toBeGreaterThan(5);
  });

  it('are read as they are typed, or refused with the line', () => {
    expect(parse('wrapped\nby hand\n\n* a\n\n  b\n* c')).toEqual([
      { type: 'paragraph', children: [text('wrapped by hand')] },
      { type: 'list', format: 'unordered', children: [item(text('a\n\nb')), item(text('c'))] },
    ]);
    expect(parse('a\n\n***')).toBe('3: blocks cannot hold a thematic break');
    expect(parse('a\n\n<div>x</div>')).toBe('3: blocks cannot hold HTML');
    expect(parse('a ![b](c)')).toBe(
      '1: blocks cannot hold an image next to text; put it into a separate paragraph',
    );
  });
});
