import { describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { modelFrom } from '../../../support/models.js';
import { ARTICLE, canFindOnly, errorOf, read } from './read-helpers.js';

const detailsOf = (raw: RawReadParams, type = ARTICLE): unknown =>
  errorOf(() => read(type, raw, canFindOnly(type))).details;

describe('the details of an invalid key', () => {
  it.each<[RawReadParams, string, string | null, string]>([
    [{ filters: { nope: 1 } }, 'nope', null, 'filters'],
    [{ filters: { $and: [{ seo: { nope: 1 } }] } }, 'nope', 'seo', 'filters'],
    [{ filters: { title: { $nope: 1 } } }, '$nope', 'title', 'filters'],
    [{ filters: { $nope: 1 } }, '$nope', null, 'filters'],
    [{ filters: { sections: { id: 1 } } }, 'sections', 'sections', 'filters'],
    [{ filters: { author: { name: 'x' } } }, 'author', 'author', 'filters'],
    [{ sort: 'nope' }, 'nope', null, 'sort'],
    [{ sort: { seo: { nope: 'asc' } } }, 'nope', 'seo', 'sort'],
    [{ sort: 'author.name' }, 'author', 'author', 'sort'],
    [{ fields: ['nope'] }, 'nope', null, 'fields'],
    [{ fields: 'seo' }, 'seo', 'seo', 'fields'],
    [{ populate: 'nope' }, 'nope', null, 'populate'],
    [{ populate: 'title' }, 'title', 'title', 'populate'],
    [{ populate: { seo: { nope: 1 } } }, 'nope', 'seo', 'populate'],
    [{ populate: { seo: { populate: { nope: true } } } }, 'nope', 'seo', 'populate'],
    [{ populate: { seo: { filters: { nope: 1 } } } }, 'nope', null, 'populate'],
    [{ populate: { seo: { fields: ['nope'] } } }, 'nope', null, 'populate'],
    [{ populate: { sections: { on: { 'sections.nope': true } } } }, 'sections.nope', null, 'populate'],
  ])('%j', (raw, key, path, param) => {
    expect(detailsOf(raw)).toEqual({ key, path, source: 'query', param });
  });

  it('are the same for a private attribute and one that does not exist', () => {
    const model = modelFrom({ types: { note: { attributes: { hush: { type: 'string', private: true } } } } });
    const of = (name: string): unknown =>
      errorOf(() => read('api::note.note', { filters: { [name]: 1 } }, { model })).details;
    expect(of('hush')).toEqual({ key: 'hush', path: null, source: 'query', param: 'filters' });
    expect(of('nope')).toEqual({ key: 'nope', path: null, source: 'query', param: 'filters' });
  });
});
