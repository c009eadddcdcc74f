import { describe, expect, it } from 'vitest';
import type { ContentType } from '../../../../src/model/model.js';
import { typeOf } from '../../../../src/model/lookup.js';
import { orderKeys } from '../../../../src/transfer/store/parse-blocks.js';
import { omittedAttributes, textsOf, withTexts } from '../../../../src/transfer/xliff/translatable-texts.js';
import { modelFrom } from '../../../support/models.js';
import { fc } from '../../../support/properties.js';

const localized = { pluginOptions: { i18n: { localized: true } } };
const model = modelFrom({
  types: {
    page: {
      localized: true,
      attributes: {
        title: { type: 'string', ...localized },
        slug: { type: 'uid', ...localized },
        path: { type: 'uid', targetField: 'title', generate: true, ...localized },
        kind: { type: 'json' },
        data: { type: 'json', ...localized },
        notes: { type: 'text', private: true, ...localized },
        pin: { type: 'integer', private: true, ...localized },
        blocks: { type: 'blocks', ...localized },
        parts: { type: 'component', component: 'parts.outer', repeatable: true, ...localized },
        zone: { type: 'dynamiczone', components: ['parts.part', 'parts.outer'], ...localized },
      },
    },
  },
  components: {
    'parts.part': {
      attributes: {
        label: { type: 'string' },
        body: { type: 'richtext' },
        blocks: { type: 'blocks' },
        config: { type: 'json' },
        size: { type: 'integer' },
      },
    },
    'parts.outer': {
      attributes: {
        part: { type: 'component', component: 'parts.part' },
        parts: { type: 'component', component: 'parts.part', repeatable: true },
      },
    },
  },
});
const page: ContentType = typeOf(model, 'api::page.page');

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks });

/** Blocks that Markdown cannot express, since nodes have an alignment. */
const ALIGNED = [
  { type: 'paragraph', align: 'left', children: [text('One '), text('two', { bold: true })] },
  { type: 'image', image: { url: '/a.png', alternativeText: 'A boat', caption: null }, align: 'right' },
];

const anyText = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.subarray(['bold', 'italic', 'code']))
  .map(([value, marks]) => text(value, Object.fromEntries(marks.map((mark) => [mark, true]))));
const anyTexts = fc.array(anyText, { minLength: 1, maxLength: 3 });
const anyBlocks = fc.array(
  fc.oneof(
    anyTexts.map((children) => ({ type: 'paragraph', children })),
    anyTexts.map((children) => ({ type: 'paragraph', align: 'left', children })),
    anyTexts.map((inside) => ({
      type: 'paragraph',
      children: [{ type: 'link', url: '/a', children: inside }],
    })),
    fc
      .record({ url: fc.constant('/a.png'), alternativeText: fc.string(), caption: fc.option(fc.string()) })
      .map((image) => ({ type: 'image', image, children: [text('')] })),
  ),
  { minLength: 1, maxLength: 4 },
);
const anyPart = fc.record({
  label: fc.option(fc.string()),
  body: fc.option(fc.string()),
  blocks: fc.option(anyBlocks),
  config: fc.constant({ text: 'kept' }),
  size: fc.option(fc.integer()),
});
const anyOuter = fc.record({ part: fc.option(anyPart), parts: fc.array(anyPart, { maxLength: 2 }) });
const anyPage = fc.record({
  title: fc.option(fc.string()),
  blocks: fc.option(anyBlocks),
  parts: fc.array(anyOuter, { maxLength: 2 }),
  zone: fc.array(
    fc.oneof(
      anyPart.map((part) => ({ __component: 'parts.part', ...part })),
      anyOuter.map((outer) => ({ __component: 'parts.outer', ...outer })),
    ),
    { maxLength: 2 },
  ),
});

const textsByPath = (values: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> =>
  new Map([...textsOf(model, page, values)].map(([path, found]) => [path, found.text]));

describe('translatable texts', () => {
  it('return the same values, for any content', () => {
    fc.assert(
      fc.property(anyPage, (values) => {
        const written = withTexts(model, page, { values, source: values }, textsByPath(values));
        expect(orderKeys(written)).toEqual(orderKeys(values));
      }),
      { numRuns: 50 },
    );
  });

  it('return the translation of each text, for any content', () => {
    fc.assert(
      fc.property(anyPage, (values) => {
        const plain = [...textsOf(model, page, values)].filter(([, { isMarkdown }]) => !isMarkdown);
        const texts = new Map(plain.map(([path], index) => [path, `translation ${index}`]));
        const written = withTexts(model, page, { values, source: values }, texts);
        expect(Object.fromEntries([...textsByPath(written)].filter(([path]) => texts.has(path)))).toEqual(
          Object.fromEntries(texts),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('are those of each node if Markdown cannot express blocks', () => {
    expect([...textsByPath({ blocks: ALIGNED })]).toEqual([
      ['blocks.0.children.0.text', 'One '],
      ['blocks.0.children.1.text', 'two'],
      ['blocks.1.image.alternativeText', 'A boat'],
    ]);
  });

  it('are written into blocks of the same structure, which keep everything else', () => {
    const source = { blocks: ALIGNED };
    const texts = new Map([['blocks.1.image.alternativeText', 'Ein Boot']]);
    const translated = [
      { type: 'paragraph', align: 'right', children: [text('Eins '), text('zwei', { italic: true })] },
      { type: 'image', image: { url: '/b.png', alternativeText: 'Boot', caption: null }, align: 'right' },
    ];
    expect(withTexts(model, page, { values: { blocks: translated }, source }, texts)).toMatchObject({
      blocks: [
        { align: 'right', children: [{ text: 'Eins ' }, { text: 'zwei', italic: true }] },
        { image: { url: '/b.png', alternativeText: 'Ein Boot' } },
      ],
    });
    for (const value of [null, [], translated.slice(1)])
      expect(withTexts(model, page, { values: { blocks: value }, source }, texts)).toMatchObject({
        blocks: [{ align: 'left' }, { image: { url: '/a.png', alternativeText: 'Ein Boot' } }],
      });
  });

  it('are written where the translation has no text yet', () => {
    const part = { label: 'Part', blocks: [{ type: 'paragraph', children: [text('Text')] }] };
    const written = withTexts(
      model,
      page,
      {
        values: { zone: [{ __component: 'parts.part', label: null, blocks: null, size: 2 }] },
        source: { zone: [{ __component: 'parts.part', ...part, size: 1 }] },
      },
      new Map([
        ['zone.0.label', 'Teil'],
        ['zone.0.blocks', '**Fett**'],
      ]),
    );
    const bold = [{ type: 'paragraph', children: [text('Fett', { bold: true })] }];
    expect(written).toEqual({
      zone: [{ __component: 'parts.part', label: 'Teil', blocks: bold, size: 2 }],
    });
  });

  it('omit JSON, private texts, and uids that no attribute generates', () => {
    expect(omittedAttributes(model, [page])).toEqual([
      'api::page.page.slug (uid)',
      'api::page.page.data (json)',
      'api::page.page.notes (private)',
      'parts.part.config (json)',
    ]);
  });
});
