import { describe, expect, it } from 'vitest';
import { remediesOf } from '../../../../src/project/read-advice/scan-remedies.js';
import { addUsages } from '../../../../src/project/read-advice/record-usages.js';
import { createReadUsages } from '../../../../src/documents/read/record-reader.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import { describeShape, readShapeOf } from '../../../../src/query/describe-read.js';
import { modelFrom } from '../../../support/models.js';

const ARTICLE = 'api::article.article';
const model = modelFrom({
  types: {
    article: {
      attributes: {
        title: { type: 'string' },
        code: { type: 'string', index: true },
        kind: { type: 'enumeration', enum: ['news', 'essay'] },
        views: { type: 'integer' },
        body: { type: 'richtext' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    author: { attributes: { name: { type: 'string' } } },
  },
});

const query = (raw: RawReadParams): ReadQuery =>
  parseReadQuery(model, ARTICLE, raw, {
    limits: { defaultLimit: 25, maxLimit: 100, maxRecords: 1000, populateDepth: 5, maxNodes: 100 },
    access: { canFind: () => true },
    defaultLocale: 'en',
  });

describe('the shape of a read', () => {
  it('is described in the words of the API, without values', () => {
    const shape = readShapeOf(
      query({
        filters: {
          $or: [{ title: 'secret' }, { author: { name: { $containsi: 'secret' } } }],
          views: { $gt: 7 },
        },
        sort: ['views:desc', 'author.name'],
        status: 'draft',
      }),
      false,
    );
    expect(describeShape(shape)).toBe(
      `${ARTICLE} filters[$or][0][title][$eq] filters[$or][1][author][name][$containsi] ` +
        'filters[views][$gt] sort=views:desc,author.name:asc status=draft',
    );
    expect(JSON.stringify(shape)).not.toMatch(/secret|7/);
  });

  it('is the same for reads that differ in values, fields and pages', () => {
    const shapes = [
      query({ filters: { title: 'a' }, fields: ['title'] }),
      query({ filters: { title: 'b' }, pagination: { page: 3 }, populate: '*' }),
    ].map((each) => JSON.stringify(readShapeOf(each, false)));
    expect(shapes[0]).toBe(shapes[1]);
  });
});

describe('what would serve a read', () => {
  it.each([
    ['a filter', { filters: { title: 'a' } }, ['title']],
    ['a range', { filters: { views: { $gt: 7 } } }, ['views']],
    ['a filter and an order', { filters: { title: 'a' }, sort: 'views' }, ['title', 'views']],
    ['an order', { sort: 'title:desc' }, ['title']],
    ['a filter of a linked document', { filters: { author: { name: 'Ada' } } }, ['name']],
    ['what an index serves already', { filters: { code: 'a' }, sort: 'views' }, []],
    ['an order by time', { sort: 'publishedAt:desc' }, []],
    ['a part of a text', { filters: { title: { $containsi: 'a' } } }, []],
    ['what has few values', { filters: { kind: 'news' } }, []],
    ['either of two', { filters: { $or: [{ title: 'a' }, { views: 7 }] } }, []],
    ['an order of linked documents', { sort: 'author.name' }, []],
    ['one document', { filters: { documentId: 'a' }, sort: 'views' }, []],
  ] satisfies readonly (readonly [string, RawReadParams, readonly string[]])[])(
    '%s',
    (_what, raw, attributes) => {
      const remedies = remediesOf(model, readShapeOf(query(raw), false));
      expect(remedies.map(({ attribute }) => attribute)).toEqual(attributes);
    },
  );
});

describe('counting reads', () => {
  it('adds up the reads of a shape, and begins anew when the counts are taken', () => {
    const slow: number[] = [];
    const usages = createReadUsages({ onSlow: (_read, ms) => slow.push(ms) });
    const [first, second] = [{}, {}];
    const byTitle = () => ({ query: query({ filters: { title: 'a' } }), isCount: false });
    usages.record(first, 1, byTitle);
    usages.record(first, 5, byTitle);
    usages.record(second, 2, byTitle);
    usages.record({}, 1, () => ({ query: query({}), isCount: true }));
    const taken = usages.take();
    expect(taken.map(({ shape, ...counts }) => [describeShape(shape), counts])).toEqual([
      [`${ARTICLE} filters[title][$eq]`, { calls: 3, ms: 8, maxMs: 5 }],
      [`${ARTICLE} count`, { calls: 1, ms: 1, maxMs: 1 }],
    ]);
    expect(slow).toEqual([5]);
    expect(usages.take()).toEqual([]);
    usages.record(first, 1, byTitle);
    const total = addUsages(taken, usages.take());
    expect(total.map(({ calls, ms, maxMs }) => [calls, ms, maxMs])).toEqual([
      [4, 9, 5],
      [1, 1, 1],
    ]);
  });

  it('keeps a bounded number of shapes', () => {
    const usages = createReadUsages();
    for (let index = 0; index < 700; index += 1)
      usages.record({}, index, () => ({
        query: { ...query({}), type: `api::t${index}.t${index}` },
        isCount: false,
      }));
    const taken = usages.take();
    expect(taken).toHaveLength(500);
    expect(
      addUsages(
        taken,
        taken.map((usage) => ({ ...usage, shape: { ...usage.shape, status: 'draft' } })),
      ),
    ).toHaveLength(500);
  });
});
