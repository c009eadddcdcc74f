import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../src/model/model.js';
import type { ReadQuery } from '../../../src/query/query.js';
import { createReadCompiler } from '../../../src/sql/read-compiler.js';
import { loadFixtureModel } from '../../support/models.js';
import { DIALECTS, parse } from './support.js';

const TAG = 'api::tag.tag';

describe.each(DIALECTS)('the read compiler for $name', (dialect) => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  const byName = (name: string): ReadQuery => parse(model, TAG, { filters: { name: { $eqi: name } } });

  it('compiles a shape once and binds each query its own values', () => {
    const compiler = createReadCompiler(model, dialect);
    const [red, blue] = [compiler.read(byName('red')), compiler.read(byName('blue'))];
    expect(blue.sql).toBe(red.sql);
    expect(red.parameters).toEqual(['red', 25, 0]);
    expect(blue.parameters).toEqual(['blue', 25, 0]);
  });

  it('makes of a remembered shape what it made when it compiled it', () => {
    const warm = createReadCompiler(model, dialect);
    const queries = ['red', 'blue'].map(byName);
    queries.forEach((query) => warm.read(query));
    for (const query of queries) expect(warm.read(query)).toEqual(createReadCompiler(model, dialect).read(query));
  });

  it('binds one value wherever the statement needs it', () => {
    const { parameters } = createReadCompiler(model, dialect).count(parse(model, TAG, { filters: { name: { $endsWith: 'x' } } }));
    expect(new Set(parameters)).toEqual(new Set(['x']));
  });

  it('binds a value that a query holds twice', () => {
    const condition = { kind: 'compare', field: 'weight', operator: '$between', operand: [1, 5] } as const;
    const query: ReadQuery = { ...parse(model, TAG), filter: { kind: 'or', items: [condition, condition] } };
    expect(createReadCompiler(model, dialect).count(query).parameters).toEqual([1, 5, 1, 5]);
  });

  it('forgets shapes rather than growing without end', () => {
    const compiler = createReadCompiler(model, dialect, { shapes: 1 });
    const first = compiler.read(byName('red'));
    compiler.read(parse(model, TAG, { sort: 'name' }));
    expect(compiler.read(byName('red'))).toEqual(first);
  });

  it('refuses what the model does not have', () => {
    const query = parse(model, TAG);
    const compiler = createReadCompiler(model, dialect);
    expect(() => compiler.read({ ...query, type: 'api::nope.nope' })).toThrow('The model has no type api::nope.nope');
    expect(() => compiler.read({ ...query, sort: [{ path: ['nope'], direction: 'asc' }] })).toThrow('has no field nope');
    expect(() => compiler.read({ ...query, filter: { kind: 'link-empty', attribute: 'name', empty: true } })).toThrow('name links nothing');
  });
});
