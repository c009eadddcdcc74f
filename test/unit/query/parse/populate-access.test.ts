import { describe, expect, it } from 'vitest';
import type { PopulateNode } from '../../../../src/query/query.js';
import { modelFrom } from '../../../support/models.js';
import { all, author, base, component, FILE, link, plain, tags } from './populate-nodes.js';
import { ARTICLE, AUTHOR, canFindOnly, errorOf, populateOf, TAG } from './read-helpers.js';

describe('populating polymorphic relations', () => {
  const relation = (kind: string) => ({ type: 'relation', relation: kind });
  const model = modelFrom({
    types: {
      note: { attributes: { about: relation('morphToOne'), mentions: relation('morphToMany') } },
      page: {
        attributes: {
          title: { type: 'string' },
          notes: { ...relation('morphMany'), target: 'api::note.note', morphBy: 'mentions' },
        },
      },
      place: {
        attributes: {
          name: { type: 'string' },
          notes: { ...relation('morphMany'), target: 'api::note.note', morphBy: 'mentions' },
        },
      },
    },
  });
  const note = (populate: unknown, options = {}): readonly PopulateNode[] =>
    populateOf('api::note.note', populate, { model, ...options });
  const [mentions] = note('mentions');

  it('has one selection for each type', () => {
    expect(mentions).toMatchObject({
      kind: 'morph',
      attribute: 'mentions',
      on: { 'api::page.page': { populate: [] }, 'api::place.place': { populate: [] } },
    });
    expect(note({ mentions: { on: { 'api::page.page': { fields: 'title' } } } })).toEqual([
      { kind: 'morph', ...base('mentions'), on: { 'api::page.page': plain('title') } },
    ]);
    expect(note({ mentions: { populate: '*' } })[0]).toMatchObject({
      on: { 'api::page.page': { populate: [{ kind: 'link', attribute: 'notes' }] } },
    });
  });

  it('leaves out types that the caller may not find', () => {
    const [node] = note('mentions', canFindOnly('api::page.page'));
    expect(node).toHaveProperty('on', { 'api::page.page': expect.anything() });
    expect(note('*', canFindOnly())).toEqual([]);
    expect(
      note(
        { mentions: { on: { 'api::place.place': true, 'api::page.page': true } } },
        canFindOnly('api::page.page'),
      ),
    ).toEqual([node]);
  });

  it('refuses unknown types and options', () => {
    expect(errorOf(() => note({ mentions: { on: { 'api::nope.nope': true } } })).message).toContain(
      'populate.mentions.on.api::nope.nope',
    );
    expect(errorOf(() => note({ mentions: { fields: 'title' } })).message).toContain(
      'populate.mentions.fields',
    );
    expect(errorOf(() => note('mentions.nope')).message).toContain('populate.mentions.nope');
  });
});

describe('populate and the find permission', () => {
  it('leaves out relations to types that the caller may not find, without an error', () => {
    expect(populateOf(TAG, 'articles', canFindOnly(TAG))).toEqual([]);
    expect(populateOf(TAG, '*', canFindOnly(TAG))).toEqual([]);
    expect(populateOf(TAG, { articles: { fields: 'title', count: true } }, canFindOnly(TAG))).toEqual([]);
    expect(populateOf(ARTICLE, ['author', 'tags'], canFindOnly(ARTICLE, TAG))).toEqual([tags]);
    expect(populateOf(ARTICLE, 'author.profile', canFindOnly(ARTICLE, AUTHOR))).toEqual([author]);
    expect(
      populateOf(ARTICLE, { links: { populate: 'tag', fields: 'label' } }, canFindOnly(ARTICLE)),
    ).toEqual([component('links', 'label')]);
    expect(populateOf(ARTICLE, 'localizations', canFindOnly(TAG))).toEqual([]);
  });

  it('populates media without a permission on files', () => {
    expect(populateOf(ARTICLE, 'cover', canFindOnly(ARTICLE))).toEqual([link('cover', all(FILE))]);
  });

  it('refuses filters and sorts over types that the caller may not find', () => {
    expect(
      errorOf(() =>
        populateOf(
          ARTICLE,
          { author: { filters: { profile: { nickname: 'x' } } } },
          canFindOnly(ARTICLE, AUTHOR),
        ),
      ).message,
    ).toContain('populate.author.filters.profile');
    expect(
      errorOf(() =>
        populateOf(ARTICLE, { author: { sort: 'profile.nickname' } }, canFindOnly(ARTICLE, AUTHOR)),
      ).message,
    ).toContain('populate.author.sort.profile');
  });
});
