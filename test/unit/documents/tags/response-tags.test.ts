import { describe, expect, it } from 'vitest';
import { createResponseTagger } from '../../../../src/documents/tags/response-tags.js';
import { ARTICLE, magazine, read } from '../../query/parse/read-helpers.js';

const tagsOf = (articles: number, limits: { readonly maxLength?: number; readonly maxTags?: number }) => {
  const tagger = createResponseTagger({
    model: magazine,
    locales: () => ['en'],
    maxLength: 100_000,
    maxTags: 1000,
    ...limits,
  });
  const author = { documentId: 'author1' };
  const records = Array.from({ length: articles }, (_, index) => ({
    documentId: `article${index}`,
    locale: 'en',
    author,
  }));
  return tagger([{ query: read(ARTICLE, { populate: 'author' }), documentId: null, records }]) ?? [];
};

describe('the tags of a response', () => {
  it('name its documents', () => {
    const tags = tagsOf(2, {});
    expect(tags).toEqual(
      expect.arrayContaining(['all', 'article!', 'article@en', 'article@en:article1', 'author:author1']),
    );
    expect(tags).not.toContain('article*');
  });

  it.each([
    ['there are too many', { maxTags: 128 }],
    ['they are too long', { maxLength: 2000 }],
  ])('name the type with the most documents if %s', (_what, limits) => {
    const tags = tagsOf(130, limits);
    expect(tags).toEqual(expect.arrayContaining(['all', 'article*', 'author!', 'author:author1']));
    expect(tags.join()).not.toContain('article@en');
  });

  it.each([
    ['one linked document', { author: { documentId: { $eq: 'author1' } } }],
    ['linked documents', { author: { id: { $gt: 1 } } }],
    ['the absence of a link', { author: { documentId: { $null: true } } }],
  ])('announce a change of very many documents to a list selected by %s', (_what, filters) => {
    const tagger = createResponseTagger({
      model: magazine,
      locales: () => ['en'],
      maxLength: 7500,
      maxTags: 128,
    });
    const tags = tagger([{ query: read(ARTICLE, { filters }), documentId: null, records: [] }]);
    expect(tags).toEqual(expect.arrayContaining(['article!', 'author!']));
  });

  it('name documents up to the limits', () => {
    const tags = tagsOf(20, {});
    expect(tagsOf(20, { maxTags: tags.length, maxLength: tags.join().length + 1 })).toEqual(tags);
  });
});
