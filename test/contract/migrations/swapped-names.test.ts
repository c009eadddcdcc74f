import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { articles, createScalarFixture } from './scalar-fixture.js';

const rename = (from: string, to: string) => ({ kind: 'column', table: 'articles', from, to }) as const;

describe.each(databases)('names that are swapped on $name', (kind) => {
  it('swaps two attributes of the same type, and applies that to another database', async () => {
    const fixture = await createScalarFixture(kind);
    const project = articles({ first: { type: 'string' }, last: { type: 'string' } });
    await fixture.migrate(project);
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    for (const each of [fixture, production]) await each.createAll(project, [{ first: 'a', last: 'b' }]);

    const { impact, steps } = await fixture.migrate(project, {
      renames: [rename('first', 'last'), rename('last', 'first')],
    });
    await production.apply();

    expect(impact.map(({ kind: change, path, values }) => [change, path, values])).toEqual([
      ['moved', 'first', 1],
      ['moved', 'last', 1],
    ]);
    expect(steps).toEqual([
      { action: 'rename-column', table: 'articles', column: 'first', to: 'last' },
      { action: 'rename-column', table: 'articles', column: 'last', to: 'first' },
    ]);
    for (const each of [fixture, production]) {
      expect(await each.valuesOf(project, 'first')).toEqual(['b']);
      expect(await each.valuesOf(project, 'last')).toEqual(['a']);
    }
  });

  it('swaps unique attributes of different types', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({
      code: { type: 'string', unique: true },
      rank: { type: 'integer', unique: true },
    });
    const after = articles({
      code: { type: 'integer', unique: true },
      rank: { type: 'string', unique: true },
    });
    await fixture.migrate(before);
    await fixture.createAll(before, [
      { code: 'a', rank: 1 },
      { code: 'b', rank: 2 },
    ]);

    await fixture.migrate(after, { renames: [rename('code', 'rank'), rename('rank', 'code')] });

    expect(await fixture.valuesOf(after, 'code')).toEqual([1, 2]);
    expect(await fixture.valuesOf(after, 'rank')).toEqual(['a', 'b']);
    await fixture.withApi(after, async (api) => {
      await expect(api.create('article', { code: 1 })).rejects.toThrow(/unique/);
      await expect(api.create('article', { rank: 'b' })).rejects.toThrow(/unique/);
    });
  });

  it('moves three names around', async () => {
    const fixture = await createScalarFixture(kind);
    const project = articles({ a: { type: 'string' }, b: { type: 'text' }, c: { type: 'email' } });
    await fixture.migrate(project);
    await fixture.createAll(project, [{ a: 'a', b: 'b', c: 'c@example.com' }]);
    const renames = [rename('a', 'b'), rename('b', 'c'), rename('c', 'a')];
    await fixture.migrate(project, { renames, acceptsInvalid: true });
    const [record] = await fixture.withApi(project, (api) => api.list('article'));
    expect(record).toMatchObject({ a: 'c@example.com', b: 'a', c: 'b' });
  });
});
