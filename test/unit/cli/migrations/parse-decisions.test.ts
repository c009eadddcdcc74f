import { describe, expect, it } from 'vitest';
import {
  printRenameFlag,
  resolveRenameFlags,
  selectRenames,
} from '../../../../src/cli/migrations/renames.js';
import { parseDecisions } from '../../../../src/cli/migrations/parse-decisions.js';
import type { ContentRename } from '../../../../src/migrations/content/content-decisions.js';
import { NO_DECISIONS } from '../../../../src/migrations/content/content-decisions.js';
import { modelFrom } from '../../../support/models.js';

const TEXT = { type: 'string' };

const model = modelFrom({
  components: {
    'shared.seo': { attributes: { title: TEXT, robots: { type: 'boolean' } } },
  },
  types: {
    article: {
      attributes: {
        price: { type: 'integer' },
        colour: { type: 'enumeration', enum: ['azure', 'red'] },
        source: { type: 'string', default: 'unknown', maxLength: 10 },
        seo: { type: 'component', component: 'shared.seo' },
        cover: { type: 'media' },
      },
    },
  },
});

describe('flags that decide about stored values', () => {
  it('name attributes by type or component, after the migration', () => {
    expect(
      parseDecisions(model, {
        convert: ['article.price=round(value * 100)', 'shared.seo.robots=ts:value === "="'],
        set: ['api::article.article.price=3', 'seo.robots=true', 'article.source=a=b'],
        map: ['article.colour:blue=azure', 'api::article.article.colour:a=b=red'],
        'use-default': ['article.source'],
      }),
    ).toEqual({
      ...NO_DECISIONS,
      convert: {
        'api::article.article.price': 'round(value * 100)',
        'shared.seo.robots': 'ts:value === "="',
      },
      set: {
        'api::article.article.price': 3,
        'shared.seo.robots': true,
        'api::article.article.source': 'a=b',
      },
      map: { 'api::article.article.colour': { blue: 'azure', 'a=b': 'red' } },
      useDefaults: ['api::article.article.source'],
    });
  });

  it.each([
    [{ set: ['artcile.price=3'] }, 'Did you mean article?'],
    [{ set: ['article.prize=3'] }, 'Did you mean price?'],
    [{ set: ['article.price=three'] }, 'Pass a value that the attribute accepts.'],
    [{ set: ['article.source=longer than ten'] }, 'Pass a value that the attribute accepts.'],
    [{ set: ['article.cover=1'] }, 'Pass a value that the attribute accepts.'],
    [{ set: ['article.price'] }, 'Write it as in: --set article.source=unknown'],
    [{ set: ['price=3'] }, 'Write it with its type: --set article.price'],
    [{ set: ['article.seo.title=x'] }, 'Did you mean --set shared.seo.title?'],
    [{ convert: ['article.prices=1'] }, 'Did you mean price?'],
    [{ map: ['article.colour=azure'] }, 'Write it as in: --map article.color:blue=azure'],
    [{ map: ['article.colour:blue=azur'] }, 'Did you mean azure?'],
    [{ map: ['article.source:a=b'] }, 'Use --convert with an expression.'],
    [{ 'use-default': ['article.price'] }, 'Use --set article.price=…'],
  ])('are refused with what to write instead: %j', (flags, remedy) => {
    let hint: unknown;
    try {
      parseDecisions(model, flags);
    } catch (error) {
      hint = (error as { readonly hint?: string }).hint;
    }
    expect(hint).toContain(remedy);
  });
});

describe('--rename', () => {
  const before = modelFrom({
    components: {
      'shared.seo': { attributes: { metaTitle: TEXT } },
      'old.link': { attributes: { url: TEXT } },
    },
    types: {
      article: { attributes: { a: TEXT, b: TEXT, tags: { type: 'media', multiple: true } } },
      note: { attributes: { title: TEXT } },
    },
  });
  const after = modelFrom({
    components: {
      'shared.seo': { attributes: { title: TEXT } },
      'shared.link': { attributes: { address: TEXT } },
    },
    types: {
      article: { attributes: { a: TEXT, b: TEXT, pictures: { type: 'media', multiple: true } } },
      memo: { attributes: { title: TEXT } },
    },
  });
  const models = { before, after };

  it('moves types, components, their attributes, and swaps', () => {
    expect(
      selectRenames(
        models,
        [],
        [
          'note=memo',
          'shared.seo.metaTitle=title',
          'old.link=shared.link',
          'old.link.url=address',
          'article.a=b',
          'article.b=a',
          'article.tags=pictures',
        ],
      ),
    ).toEqual([
      { kind: 'type', from: 'api::note.note', to: 'api::memo.memo' },
      { kind: 'component-attribute', component: 'shared.seo', from: 'metaTitle', to: 'title' },
      { kind: 'component', from: 'old.link', to: 'shared.link' },
      { kind: 'component-attribute', component: 'old.link', from: 'url', to: 'address' },
      { kind: 'attribute', type: 'api::article.article', from: 'a', to: 'b' },
      { kind: 'attribute', type: 'api::article.article', from: 'b', to: 'a' },
      { kind: 'attribute', type: 'api::article.article', from: 'tags', to: 'pictures' },
    ]);
  });

  it('names candidates as the content-types do', () => {
    const candidates: readonly ContentRename[] = [
      { kind: 'type', from: 'api::note.note', to: 'api::memo.memo' },
      { kind: 'attribute', type: 'api::article.article', from: 'tags', to: 'pictures' },
      { kind: 'component', from: 'old.link', to: 'shared.link' },
      { kind: 'component-attribute', component: 'shared.seo', from: 'metaTitle', to: 'title' },
    ];
    expect(candidates.map((candidate) => printRenameFlag(models, candidate))).toEqual([
      'notes=memos',
      'article.tags=pictures',
      'old.link=shared.link',
      'shared.seo.metaTitle=title',
    ]);
    expect(() => selectRenames(models, candidates, ['shared.seo.metaTitel=title'])).toThrow(
      expect.objectContaining({ hint: 'Did you mean shared.seo.metaTitle=title?' }),
    );
  });

  it('knows no names that the models lack', () => {
    const flags = ['nte=memo', 'shared.seo.metaTitle=titel', 'article.c=a', 'note'];
    expect(resolveRenameFlags(models, flags)).toEqual([null, null, null, null]);
  });
});
