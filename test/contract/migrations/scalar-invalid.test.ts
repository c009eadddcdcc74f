import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { rejectionOf } from './migration-fixture.js';
import { articles, createScalarFixture, printChange } from './scalar-fixture.js';
import type { ScalarFixture } from './scalar-fixture.js';

const KEY = 'api::article.article';

const prepare = async (
  fixture: ScalarFixture,
  project: ProjectLiteral,
  documents: readonly Readonly<Record<string, unknown>>[],
  params: { readonly status?: string } = {},
): Promise<void> => {
  await fixture.migrate(project);
  await fixture.createAll(project, documents, params);
};

const colours = (...values: readonly string[]) => ({ type: 'enumeration', enum: values });

describe.each(databases)('scalar values that stop fitting, on $name', (kind) => {
  it.each([
    [{ type: 'string', maxLength: 4 }, ['longer'], 'must be at most 4 characters'],
    [{ type: 'string', minLength: 4 }, ['ab'], 'must be at least 4 characters'],
    [{ type: 'string', regex: '^[a-l]+$' }, ['longer'], 'must match ^[a-l]+$'],
    [{ type: 'email' }, ['ab', 'longer'], 'must be an email address'],
    [colours('ab'), ['longer'], 'must be one of ab'],
    [{ type: 'date' }, ['ab', 'longer'], 'must be a date like 2026-02-28'],
  ])('tells text that %j does not accept', async (attribute, samples, reason) => {
    const fixture = await createScalarFixture(kind);
    await prepare(fixture, articles({ title: { type: 'string' } }), [
      { title: 'ab' },
      { title: 'longer' },
      {},
    ]);
    const after = articles({ title: attribute });

    const printed = samples.map((sample) => JSON.stringify(sample)).join(',');
    expect(await fixture.told(after)).toEqual([`invalid title: ${samples.length} (${reason}) [${printed}]`]);
    expect((await rejectionOf(fixture.migrate(after))).code).toBe('migration/invalid-values');
    await fixture.migrate(after, { acceptsInvalid: true });
    expect(await fixture.valuesOf(after, 'title')).toEqual(['ab', 'longer', null]);
    // Accepted once, they are not told again.
    expect(await fixture.told(after)).toEqual([]);
  });

  it('reports numbers beyond new limits, but nothing about looser limits', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles({ rank: { type: 'integer', min: 0, max: 10 }, size: { type: 'integer' } });
    await prepare(fixture, before, [
      { rank: 1, size: 4 },
      { rank: 10, size: 7 },
    ]);
    const after = articles({ rank: { type: 'integer', max: 20 }, size: { type: 'integer', min: 5 } });
    expect(await fixture.told(after)).toEqual(['invalid size: 1 (must be at least 5) [4]']);
  });

  it('asks of drafts what the API asks of them', async () => {
    const fixture = await createScalarFixture(kind);
    const drafts = { draftAndPublish: true };
    const before = articles({ title: { type: 'string' }, kind: { type: 'string' } }, drafts);
    await fixture.migrate(before);
    await fixture.withApi(before, async (api) => {
      await api.create('article', { title: 'ab', kind: 'x' }, { status: 'draft' });
      const { documentId } = await api.create('article', { title: 'cd' }, { status: 'published' });
      await api.update('article', documentId, { title: 'longer' }, { status: 'draft' });
    });
    const after = articles(
      { title: { type: 'string', minLength: 4, maxLength: 5 }, kind: { type: 'string', required: true } },
      drafts,
    );
    expect(await fixture.told(after)).toEqual([
      'invalid title: 1 (must be at most 5 characters) ["longer"]',
      'invalid title: 1 (must be at least 4 characters) ["cd"]',
      'invalid kind: 1 (must be set) []',
    ]);
    const withoutDrafts = await fixture.told(articles({ title: { type: 'string', minLength: 4 } }));
    expect(withoutDrafts.filter((line) => !line.startsWith('dropped :'))).toEqual([
      'invalid title: 2 (must be at least 4 characters) ["ab","cd"]',
      'dropped kind: 1 (the attribute is removed) ["x"]',
    ]);
  });

  it('fills a required attribute with a value of the user, or with its default', async () => {
    const fixture = await createScalarFixture(kind);
    await prepare(fixture, articles({ title: { type: 'string' } }), [{ title: 'One' }, {}]);
    const after = articles({
      title: { type: 'string', required: true },
      source: { type: 'string', required: true, default: `it's "new"` },
      extra: { type: 'json' },
      starts: { type: 'datetime' },
    });
    expect(await fixture.told(after)).toEqual([
      'invalid title: 1 (must be set) []',
      'invalid source: 2 (must be set) []',
    ]);
    const decisions = {
      set: {
        [`${KEY}.title`]: 'unknown',
        [`${KEY}.extra`]: { a: [1] },
        [`${KEY}.starts`]: '2026-02-28T01:00:00+01:00',
      },
      useDefaults: [`${KEY}.source`],
    };
    expect(await fixture.told(after, { decisions })).toEqual([
      'converted title: 1 (had no value) ["unknown"]',
      `converted source: 2 (had no value) [${JSON.stringify(`it's "new"`)}]`,
      'converted extra: 2 (had no value) [{"a":[1]}]',
      'converted starts: 2 (had no value) ["2026-02-28T00:00:00.000Z"]',
    ]);
    await fixture.migrate(after, { decisions });
    expect(await fixture.valuesOf(after, 'title')).toEqual(['One', 'unknown']);
    expect(await fixture.valuesOf(after, 'source')).toEqual([`it's "new"`, `it's "new"`]);
    expect(await fixture.valuesOf(after, 'extra')).toEqual([{ a: [1] }, { a: [1] }]);
    expect(await fixture.valuesOf(after, 'starts')).toEqual(
      Array.from({ length: 2 }, () => '2026-02-28T00:00:00.000Z'),
    );
  });

  it.each([
    [{ type: 'string', maxLength: 3 }, 'unknown', 'must be at most 3 characters'],
    [{ type: 'string', unique: true }, 'unknown', 'no two documents may have the same'],
    [{ type: 'password' }, 'hunter22', 'a password is stored as a hash, which a migration cannot make'],
  ])('refuses to fill %j with %j', async (attribute, value, reason) => {
    const fixture = await createScalarFixture(kind);
    await prepare(fixture, articles({ title: { type: 'string' } }), []);
    const error = await rejectionOf(
      fixture.preview(articles({ title: { type: 'string' }, source: attribute }), {
        decisions: { set: { [`${KEY}.source`]: value } },
      }),
    );
    expect(error.code).toBe('migration/invalid-value');
    expect(error.message).toContain(`"${value}" in ${KEY}.source: ${reason}`);
  });

  it('gives values of an enumeration their new names', async () => {
    const fixture = await createScalarFixture(kind);
    await prepare(fixture, articles({ colour: colours('red', 'blue', 'grey') }), [
      { colour: 'red' },
      { colour: 'blue' },
      { colour: 'grey' },
    ]);
    const after = articles({ colour: colours('red', 'azure') });
    const decisions = { map: { [`${KEY}.colour`]: { blue: 'azure' } } };
    expect(await fixture.told(after, { decisions })).toEqual([
      'converted colour: 1 (has another value) ["blue"]',
      'invalid colour: 1 (must be one of red, azure) ["grey"]',
    ]);
    const remedies = (await fixture.preview(after)).impact.map(({ remedy }) => remedy);
    expect(remedies).toEqual([`--map '${KEY}.colour:blue=…'`]);
    await fixture.migrate(after, { decisions, acceptsInvalid: true });
    expect(await fixture.valuesOf(after, 'colour')).toEqual(['red', 'azure', 'grey']);
  });

  it('reports text that the API would take for a date, but is none as it is stored', async () => {
    const fixture = await createScalarFixture(kind);
    await prepare(fixture, articles({ day: { type: 'string' } }), [
      { day: '2026-02-28T10:00:00Z' },
      { day: '2026-02-28T00:00:00Z' },
      { day: '2026-02-28' },
    ]);
    const after = articles({ day: { type: 'date' } });
    expect(await fixture.told(after)).toEqual([
      'invalid day: 1 (not a date, or one with a time of day) ["2026-02-28T10:00:00Z"]',
      'converted day: 1 (is now of type date) ["2026-02-28T00:00:00Z"]',
    ]);
  });

  it('reports JSON that is no blocks', async () => {
    const fixture = await createScalarFixture(kind);
    const blocks = [{ type: 'paragraph', children: [{ type: 'text', text: 'Hello' }] }];
    await prepare(fixture, articles({ body: { type: 'json' } }), [{ body: blocks }, { body: { a: 1 } }]);
    expect(await fixture.told(articles({ body: { type: 'blocks' } }))).toEqual([
      'invalid body: 1 (must be a list of blocks) [{"a":1}]',
    ]);
  });

  it('counts the values of removed attributes in all versions, of which they show three', async () => {
    const fixture = await createScalarFixture(kind);
    const before = articles(
      {
        title: { type: 'string' },
        extra: { type: 'json' },
        code: { type: 'password' },
        empty: { type: 'text' },
      },
      { draftAndPublish: true },
    );
    const documents = Array.from({ length: 5 }, (_, index) => ({
      title: `T${index}`,
      extra: { index },
      code: 'hunter22',
    }));
    await prepare(fixture, before, documents, { status: 'published' });
    const after = articles({ other: { type: 'string' } }, { draftAndPublish: true });

    const preview = await fixture.preview(after);
    expect(preview.impact.map(printChange)).toEqual([
      'dropped title: 10 (the attribute is removed) ["T0","T1","T2"]',
      'dropped extra: 10 (the attribute is removed) [{"index":0},{"index":1},{"index":2}]',
      'dropped code: 10 (the attribute is removed) []',
    ]);
    expect((await rejectionOf(fixture.migrate(after))).code).toBe('migration/data-loss');
    await fixture.migrate(after, { acceptsDataLoss: true });
    expect(await fixture.told(after)).toEqual([]);
  });

  it('drops text that becomes a relation or a component', async () => {
    const fixture = await createScalarFixture(kind);
    const components = { 'shared.seo': { attributes: { title: { type: 'string' } } } };
    const before = { ...articles({ a: { type: 'string' }, b: { type: 'string' } }), components };
    await prepare(fixture, before, [{ a: 'x', b: 'y' }]);
    const after = {
      ...articles({
        a: { type: 'relation', relation: 'oneToOne', target: KEY },
        b: { type: 'component', component: 'shared.seo' },
      }),
      components,
    };
    const preview = await fixture.preview(after);
    expect(preview.impact.map(printChange)).toEqual([
      'dropped a: 1 (a value of type string cannot become one of type relation) ["x"]',
      'dropped b: 1 (a value of type string cannot become one of type component) ["y"]',
    ]);
    await fixture.migrate(after, { acceptsDataLoss: true });
    const [record] = await fixture.withApi(after, (api) => api.list('article', { populate: '*' }));
    expect(record).toMatchObject({ a: null, b: null });
  });
});
