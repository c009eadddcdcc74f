import { describe, expect, it } from 'vitest';
import { isXmlText, parseXliff, printXliff } from '../../../../src/transfer/xliff/xliff-file.js';
import type { XliffFile } from '../../../../src/transfer/xliff/xliff-file.js';
import { fc } from '../../../support/properties.js';

const roundTrip = async (file: XliffFile): Promise<XliffFile> => parseXliff(await printXliff(file), 'a.xlf');

describe('XLIFF', () => {
  it('returns the same texts, paths and documentIds', async () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({
          unit: fc.constantFrom('&', 'amp;', '<', '>', '"', ']]>', '\n', '\t', '\r\n', ' ', '#13;', 'ü'),
        }),
      )
      .map((value) => value.trim())
      .filter((value) => value !== '' && isXmlText(value));
    const unit = fc.record({
      path: fc.constantFrom('title', 'sections.0.body', 'a_b', 'x.10.y'),
      source: text,
      target: fc.option(text),
      note: fc.constant(null),
    });
    const document = fc.record({
      type: fc.constantFrom('api::article.article', 'plugin::shop.order-line'),
      documentId: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      units: fc.uniqueArray(unit, { selector: ({ path }) => path, minLength: 1 }),
    });
    const file = fc.record({
      source: fc.constant('en'),
      target: fc.constant('pt-BR'),
      documents: fc.uniqueArray(document, {
        selector: ({ type, documentId }) => `${type} ${documentId}`,
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(file, async (written) => {
        expect(await roundTrip(written)).toEqual(written);
      }),
    );
  });

  it.each([
    ['\u0000', false],
    ['a\u0001', false],
    ['\uFFFE', false],
    ['\uD800', false],
    ['\t\n\r 😀', true],
  ])('knows if XML can contain %j', (text, expected) => {
    expect(isXmlText(text)).toBe(expected);
  });
});
