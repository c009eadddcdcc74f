import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import { createReadCompiler } from '../../../../src/query/compile/read-compiler.js';
import { loadFixtureModel } from '../../../support/models.js';
import { DIALECTS, parse } from './support.js';

const TAG = 'api::tag.tag';

describe.each(DIALECTS)('the read compiler for $name', ({ expressions }) => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  const byName = (name: string): ReadQuery => parse(model, TAG, { filters: { name: { $eqi: name } } });

  it('compiles a query shape once, and binds the values of each query', () => {
    const compiler = createReadCompiler(model, expressions);
    const [red, blue] = [compiler.read(byName('red')), compiler.read(byName('blue'))];
    expect(blue.sql).toBe(red.sql);
    expect(red.parameters).toEqual(['red', 25, 0]);
    expect(blue.parameters).toEqual(['blue', 25, 0]);
  });

  it('returns the same statement for a cached shape as when it was compiled', () => {
    const warm = createReadCompiler(model, expressions);
    const queries = ['red', 'blue'].map(byName);
    queries.forEach((query) => warm.read(query));
    for (const query of queries)
      expect(warm.read(query)).toEqual(createReadCompiler(model, expressions).read(query));
  });

  it('binds one value at each place where the statement needs it', () => {
    const { parameters } = createReadCompiler(model, expressions).count(
      parse(model, TAG, { filters: { name: { $endsWith: 'x' } } }),
    );
    expect(new Set(parameters)).toEqual(new Set(['x']));
  });

  it('binds equal values of a query separately', () => {
    const condition = { kind: 'compare', field: 'weight', operator: '$between', operand: [1, 5] } as const;
    const query: ReadQuery = { ...parse(model, TAG), filter: { kind: 'or', items: [condition, condition] } };
    expect(createReadCompiler(model, expressions).count(query).parameters).toEqual([1, 5, 1, 5]);
  });

  it('evicts shapes from a full cache', () => {
    const compiler = createReadCompiler(model, expressions, { maxShapes: 1 });
    const first = compiler.read(byName('red'));
    compiler.read(parse(model, TAG, { sort: 'name' }));
    expect(compiler.read(byName('red'))).toEqual(first);
  });

  it('throws an internal error for names that the model does not have', () => {
    const query = parse(model, TAG);
    const compiler = createReadCompiler(model, expressions);
    const causeOf = (invalid: ReadQuery): unknown => {
      try {
        return compiler.read(invalid);
      } catch (error) {
        if (!(error instanceof Error)) return error;
        return error.cause instanceof Error ? error.cause.message : error.message;
      }
    };
    expect(causeOf({ ...query, type: 'api::nope.nope' })).toContain(
      'The model has no content type api::nope.nope',
    );
    expect(causeOf({ ...query, sort: [{ path: ['nope'], direction: 'asc' }] })).toContain(
      'has no field nope',
    );
    expect(causeOf({ ...query, filter: { kind: 'link-empty', attribute: 'name', empty: true } })).toContain(
      'The model has no relation name in api::tag.tag',
    );
  });
});
