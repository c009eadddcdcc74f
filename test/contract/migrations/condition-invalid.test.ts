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
    ['a scalar', project({ url: { type: 'string', ...ifVideo } }), ['invalid url: 1 (must be set) []']],
    [
      'a scalar by a flag',
      project({ url: { type: 'string', ...ifFlag } }),
      ['invalid url: 1 (must be set) []'],
    ],
    [
      'a new scalar',
      project({ size: { type: 'integer', ...ifVideo } }),
      ['invalid size: 2 (must be set) []'],
    ],
    ['a relation', project({ author: { ...AUTHOR, ...ifVideo } }), ['invalid author: 2 (must be set) []']],
    ['a new file', project({ cover: { type: 'media', ...ifFlag } }), ['invalid cover: 2 (must be set) []']],
    [
      'a component',
      project({ box: { type: 'component', component: 'c.part', ...ifVideo } }),
      ['invalid box: 1 (must be set) []'],
    ],
    [
      'an attribute of a component',
      project({}, { label: { type: 'string', ...ifVideo } }),
      ['invalid parts.label: 1 (must be set) []'],
    ],
  ])('is counted: %s', async (_what, after, expected) => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(BEFORE);
    await fixture.createAll(BEFORE, DOCUMENTS);
    const told = await fixture.told(after);
    expect(told.filter((line) => line.startsWith('invalid'))).toEqual(expected);
  });
});

const IF_VIDEO = { conditions: ifVideo.conditions };
const IF_TEXT = { conditions: { visible: { '==': [{ var: 'kind' }, 'text'] } } };
const IF_NONE = { conditions: { visible: { '==': [{ var: 'kind' }, 'none'] } } };
const PARTS = { type: 'component', component: 'c.part', repeatable: true };
const label = (options: object): object => ({ type: 'string', ...options });

const ITEMS = ['video', 'text'].map((inner) => ({ kind: inner, label: 'x' }));

/** The values of one video, and of two documents in which they are hidden. */
const SHORT = ['video', 'text', undefined].map((kind) => ({
  ...(kind === undefined ? {} : { kind }),
  url: 'u',
  size: 1,
  parts: ITEMS,
}));

describe.each(databases)('what no longer fits, where a condition hides some of it, on $name', (kind) => {
  const hidden = (condition: object, part: object = {}): ProjectLiteral =>
    project(
      {
        url: { type: 'string', ...condition },
        size: { type: 'integer', ...condition },
        parts: { ...PARTS, ...condition },
      },
      part,
    );
  const tightened = (options: object): ProjectLiteral =>
    project({ url: { type: 'string' }, size: { type: 'integer' }, ...options });

  it.each<[string, ProjectLiteral, ProjectLiteral, readonly string[]]>([
    [
      'minLength',
      hidden(IF_VIDEO),
      tightened({ url: label({ ...IF_VIDEO, minLength: 3 }) }),
      ['invalid url: 1 (must be at least 3 characters) ["u"]'],
    ],
    [
      'regex',
      hidden(IF_VIDEO),
      tightened({ url: label({ ...IF_VIDEO, regex: '^[0-9]+$' }) }),
      ['invalid url: 1 (must match ^[0-9]+$) ["u"]'],
    ],
    [
      'min',
      hidden(IF_VIDEO),
      tightened({ size: { type: 'integer', ...IF_VIDEO, min: 5 } }),
      ['invalid size: 1 (must be at least 5) [1]'],
    ],
    [
      'the number of components',
      hidden(IF_VIDEO),
      tightened({ parts: { ...PARTS, ...IF_VIDEO, max: 1 } }),
      [`invalid parts: 1 (must have at most 1 items) [${JSON.stringify(ITEMS)}]`],
    ],
    [
      'minLength in components',
      hidden({}),
      hidden({}, { label: label({ ...IF_VIDEO, minLength: 3 }) }),
      ['invalid parts.label: 3 (must be at least 3 characters) ["x"]'],
    ],
    [
      'minLength in hidden components',
      hidden(IF_VIDEO),
      hidden(IF_VIDEO, { label: label({ minLength: 3 }) }),
      ['invalid parts.label: 2 (must be at least 3 characters) ["x"]'],
    ],
    [
      'a former limit that another condition applies',
      tightened({ url: label({ ...IF_NONE, regex: '^v$' }) }),
      tightened({ url: label({ ...IF_TEXT, regex: '^v$' }) }),
      ['invalid url: 1 (must match ^v$) ["u"]'],
    ],
  ])('is counted where it is shown: %s', async (_what, before, after, expected) => {
    const fixture = await createScalarFixture(kind);
    await fixture.migrate(before);
    await fixture.createAll(before, SHORT);
    const told = await fixture.told(after);
    const invalid = told.filter((line) => line.startsWith('invalid'));
    expect(invalid.map((line) => line.replaceAll(/"id":\d+,/g, ''))).toEqual(expected);
  });
});
