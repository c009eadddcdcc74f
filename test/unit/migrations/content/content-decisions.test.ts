import { describe, expect, it } from 'vitest';
import { findRenameCandidates } from '../../../../src/migrations/content/content-decisions.js';
import { modelFrom } from '../../../support/models.js';
import type { ProjectLiteral } from '../../../support/models.js';

type Components = NonNullable<ProjectLiteral['components']>;

const TEXT = { type: 'string' };

const candidates = (before: Components, after: Components) =>
  findRenameCandidates(modelFrom({ components: before }), modelFrom({ components: after }));

describe('candidates for renames of components and their attributes', () => {
  it('proposes an added attribute of the same type for a removed one', () => {
    expect(
      candidates(
        { 'shared.seo': { attributes: { metaTitle: TEXT, robots: { type: 'boolean' } } } },
        { 'shared.seo': { attributes: { title: TEXT, robots: { type: 'boolean' } } } },
      ),
    ).toEqual([{ kind: 'component-attribute', component: 'shared.seo', from: 'metaTitle', to: 'title' }]);
  });

  it('proposes none of another type, number or target', () => {
    const link = (target: string, relation: string) => ({ type: 'relation', relation, target });
    const changes = [
      [TEXT, { type: 'integer' }],
      [
        { type: 'media', multiple: false },
        { type: 'media', multiple: true },
      ],
      [link('plugin::upload.file', 'oneToOne'), link('plugin::users-permissions.user', 'oneToOne')],
    ] as const;
    expect(
      changes.flatMap(([from, to]) =>
        candidates(
          { 'shared.seo': { attributes: { old: from } } },
          { 'shared.seo': { attributes: { new: to } } },
        ),
      ),
    ).toEqual([]);
  });

  it('proposes similar components, the most similar first', () => {
    const quote = { text: TEXT, author: TEXT, year: { type: 'integer' } };
    expect(
      candidates(
        { 'blocks.quote': { attributes: quote } },
        {
          'blocks.near': { attributes: { ...quote, source: TEXT } },
          'blocks.same': { attributes: quote },
          'blocks.other': { attributes: { url: TEXT } },
        },
      ),
    ).toEqual([
      { kind: 'component', from: 'blocks.quote', to: 'blocks.same' },
      { kind: 'component', from: 'blocks.quote', to: 'blocks.near' },
    ]);
  });

  it('proposes similar types, and attributes of types whose values are stored alike', () => {
    const types = (literal: NonNullable<ProjectLiteral['types']>) => modelFrom({ types: literal });
    const article = (attributes: object) => ({ article: { attributes: { title: TEXT, ...attributes } } });
    expect(
      findRenameCandidates(
        types({ ...article({ teaser: TEXT }), note: { attributes: { text: TEXT } } }),
        types({
          ...article({ lead: { type: 'text' }, rank: { type: 'integer' } }),
          memo: { attributes: { text: TEXT } },
        }),
      ),
    ).toEqual([
      { kind: 'type', from: 'api::note.note', to: 'api::memo.memo' },
      { kind: 'attribute', type: 'api::article.article', from: 'teaser', to: 'lead' },
    ]);
  });

  it('proposes nothing where a component or attribute is only added or removed', () => {
    expect(
      candidates(
        { 'a.gone': { attributes: { text: TEXT } }, 'a.kept': { attributes: { text: TEXT } } },
        { 'a.kept': { attributes: { text: TEXT, more: TEXT } } },
      ),
    ).toEqual([]);
  });
});
