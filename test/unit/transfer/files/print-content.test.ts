import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocumentText } from '../../../../src/transfer/store/document-text.js';
import { printVersion, versionExtension } from '../../../../src/transfer/files/print-content.js';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { typeOf } from '../../../../src/model/lookup.js';
import { modelFrom } from '../../../support/models.js';

const model = modelFrom({
  types: {
    page: { attributes: { title: { type: 'string' }, body: { type: 'richtext' }, data: { type: 'json' } } },
    note: { attributes: { title: { type: 'string' }, data: { type: 'json' } } },
  },
});
const page = typeOf(model, 'api::page.page');
const note = typeOf(model, 'api::note.note');

const reparse = (type: typeof page, values: Readonly<Record<string, unknown>>): unknown =>
  parseDocumentText(type, { file: 'a', text: printVersion(type, {}, values) });

const failure = (text: string): string => {
  try {
    parseDocumentText(note, { file: 'a.md', text });
    return 'accepted';
  } catch (error) {
    return isGalleyError(error) ? error.message : String(error);
  }
};

describe('documents as text', () => {
  it('are Markdown where the type has one attribute of rich text, otherwise YAML', () => {
    expect(versionExtension(page)).toBe('md');
    expect(printVersion(page, {}, { title: 'A', body: '# Hi\n\nText' })).toBe(
      '---\ntitle: A\n---\n\n# Hi\n\nText\n',
    );
    expect(versionExtension(note)).toBe('yaml');
    expect(printVersion(note, { $locale: 'en' }, { title: 'A', data: { b: [1] } })).toBe(
      '$locale: en\ntitle: A\ndata:\n  b:\n    - 1\n',
    );
  });

  it('are read as the values that were printed, for any content', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('---\n', '\n\n a', 'a\n', ' ', '\r\n', '#'),
    );
    fc.assert(
      fc.property(text, fc.option(text), fc.jsonValue(), (title, body, data) => {
        // YAML has no negative zero of its own.
        const json: unknown = JSON.parse(JSON.stringify(data));
        const values = { title, body, data: json };
        expect(reparse(page, values)).toEqual(values);
        expect(reparse(note, { title, data: json })).toEqual({ title, data: json });
      }),
    );
  });

  it('are refused with file and line', () => {
    expect(failure('title: a\ndata: [\n')).toMatch(/^a\.md:[23]: /);
    expect(failure('---\ntitle: a\ndata: [\n---\n')).toMatch(/^a\.md:[345]: /);
    expect(failure('---\ntitle: a\n---\n\ntext\n')).toBe(
      'a.md:4: note has no single attribute of rich text for the text below the front matter.',
    );
    expect(failure('- a\n')).toBe('a.md:1: it must contain the values by attribute.');
    expect(failure('a: 1\na: 2\n')).toMatch(/^a\.md:2: [^:]*\.$/);
    expect(failure('---\ntitle: a\n')).toBe('a.md:1: the front matter has no end.');
  });
});
