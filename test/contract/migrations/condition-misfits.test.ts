import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { articles, createScalarFixture } from './scalar-fixture.js';

const ifVideo = { required: true, conditions: { visible: { '==': [{ var: 'kind' }, 'video'] } } };
const ifFlag = { required: true, conditions: { visible: { '==': [{ var: 'flag' }, true] } } };
const KIND = { kind: { type: 'string' }, flag: { type: 'boolean' } };
const AUTHOR = { type: 'relation', relation: 'manyToOne', target: 'api::article.article' };

const project = (attributes: object, part: object = {}): ProjectLiteral => ({
  ...articles({
    ...KIND,
    parts: { type: 'component', component: 'c.part', repeatable: true },
    ...attributes,
  }),
  components: { 'c.part': { attributes: { kind: { type: 'string' }, label: { type: 'string' }, ...part } } },
});

const BEFORE = project({
  url: { type: 'string' },
  author: AUTHOR,
  box: { type: 'component', component: 'c.part' },
});

const DOCUMENTS = [
  { kind: 'video', flag: true, url: 'u', box: {} },
  {
    kind: 'video',
    flag: false,
    parts: [{ kind: 'video' }, { kind: 'plain' }, { kind: 'video', label: 'x' }],
  },
  { kind: 'plain', flag: true },
  {},
];

describe.each(databases)('what a condition requires after a migration, on $name', (kind) => {
  it.each<[string, ProjectLiteral, readonly string[]]>([
    ['a scalar', project({ url: { type: 'string', ...ifVideo } }), ['misfit url: 1 (must be set) []']],
    [
      'a scalar by a flag',
      project({ url: { type: 'string', ...ifFlag } }),
      ['misfit url: 1 (must be set) []'],
    ],
    ['a new scalar', project({ size: { type: 'integer', ...ifVideo } }), ['misfit size: 2 (must be set) []']],
    ['a relation', project({ author: { ...AUTHOR, ...ifVideo } }), ['misfit author: 2 (must be set) []']],
    ['a new file', project({ cover: { type: 'media', ...ifFlag } }), ['misfit cover: 2 (must be set) []']],
    [
      'a component',
      project({ box: { type: 'component', component: 'c.part', ...ifVideo } }),
      ['misfit box: 1 (must be set) []'],
    ],
    [
      'an attribute of a component',
      project({}, { label: { type: 'string', ...ifVideo } }),
      ['misfit parts.label: 1 (must be set) []'],
    ],
  ])('is counted: %s', async (_what, after, expected) => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(BEFORE);
    await fixture.createAll(BEFORE, DOCUMENTS);
    const told = await fixture.told(after);
    expect(told.filter((line) => line.startsWith('misfit'))).toEqual(expected);
  });
});
