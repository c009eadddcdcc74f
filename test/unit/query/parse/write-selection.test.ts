import { describe, expect, it } from 'vitest';
import { typeOf } from '../../../../src/model/lookup.js';
import { parsePopulateEntry } from '../../../../src/query/parse/parse-populate.js';
import { parseSelection } from '../../../../src/query/parse/parse-read-query.js';
import { parseOptions } from '../../../../src/query/parse/populate-request.js';
import { createReadContext } from '../../../../src/query/read-context.js';
import { all, link, plain } from './populate-nodes.js';
import { ARTICLE, errorOf, LIMITS, magazine } from './read-helpers.js';

describe('the selection of a write', () => {
  const options = { limits: LIMITS, access: { canFind: () => true } };

  it('is parsed as for a read', () => {
    expect(parseSelection(magazine, ARTICLE, {}, options)).toEqual(all(ARTICLE));
    const selection = parseSelection(
      magazine,
      ARTICLE,
      { fields: 'title', populate: { tags: { fields: 'name' } } },
      options,
    );
    expect(selection).toEqual({ fields: ['title'], populate: [link('tags', plain('name'))] });
    expect(Object.isFrozen(selection.populate)).toBe(true);
  });

  it('ignores all parameters but fields and populate', () => {
    const raw: object = { filters: 'nonsense', sort: 'nope', status: 'archived', fields: 'title' };
    expect(parseSelection(magazine, ARTICLE, raw, options)).toEqual(plain('title'));
  });

  it.each([[{ fields: 'nope' }], [{ populate: 'nope' }]])('refuses %j', (raw) => {
    expect(errorOf(() => parseSelection(magazine, ARTICLE, raw, options)).code).toBe(
      'request/invalid-parameter',
    );
  });
});

describe('populating an attribute under another key', () => {
  it('sets the key of the node, and keeps its attribute', () => {
    const context = createReadContext(magazine, { limits: LIMITS, access: { canFind: () => true } });
    const place = { schema: typeOf(magazine, ARTICLE), path: 'populate', depth: 0 };
    const options = parseOptions({ fields: 'name', limit: 1 }, 'populate.first');
    if (options === null) throw new Error('no options');
    expect(parsePopulateEntry(context, place, { attribute: 'tags', key: 'first', options })).toEqual({
      ...link('tags', plain('name')),
      key: 'first',
      slice: { offset: 0, limit: 1 },
    });
    expect(
      errorOf(() => parsePopulateEntry(context, place, { attribute: 'title', key: 'x', options })).code,
    ).toBe('request/invalid-parameter');
    expect(
      errorOf(() => parsePopulateEntry(context, place, { attribute: 'nope', key: 'x', options })).code,
    ).toBe('request/invalid-parameter');
  });
});
