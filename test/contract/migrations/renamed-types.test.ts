import { describe, expect, it } from 'vitest';
import { NO_DECISIONS } from '../../../src/migrations/content/content-decisions.js';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createContentFixture } from './content-fixture.js';
import { at, relation } from './linked-documents.js';
import { findDrift } from './migration-fixture.js';

const typeRename = (from: string, to: string) =>
  ({ kind: 'type', from: `api::${from}.${from}`, to: `api::${to}.${to}` }) as const;

const IDS = { fields: ['documentId'] };

/** A type with drafts that has links of every kind of storage, to another type, from that and to itself. */
const linkedType = (name: string, other: string, attribute: string) => ({
  [name]: {
    draftAndPublish: true,
    attributes: {
      [attribute]: { type: 'string', unique: true },
      tags: relation('manyToMany', 'tag', { inversedBy: `${name}Tags` }),
      peer: relation('manyToOne', other),
      twin: relation('oneToOne', name),
      about: { type: 'relation', relation: 'morphToMany' },
      box: { type: 'component', component: 'parts.box' },
    },
  },
});

const project = (first: string, second: string): ProjectLiteral => ({
  types: {
    ...linkedType(first, second, 'title'),
    ...linkedType(second, first, 'headline'),
    tag: {
      attributes: {
        name: { type: 'string' },
        ...Object.fromEntries(
          [first, second].map((name) => [`${name}Tags`, relation('manyToMany', name, { mappedBy: 'tags' })]),
        ),
        best: relation('manyToOne', first),
        box: { type: 'component', component: 'parts.box' },
      },
    },
  },
  components: {
    'parts.box': {
      attributes: {
        one: { type: 'relation', relation: 'morphToOne' },
        many: { type: 'relation', relation: 'morphToMany' },
      },
    },
  },
});

describe.each(databases)('types that get other names on $name', (kind) => {
  const story = async (
    before: readonly [string, string],
    after: readonly [string, string],
    renames: readonly ReturnType<typeof typeRename>[],
  ): Promise<void> => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(project(...before));
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    const api = await production.open(project(...before));
    const tags: string[] = [];
    for (const name of ['a', 'b']) tags.push((await api.create('tag', { name })).documentId);
    const [first, second] = [
      await api.create(before[0], { title: 'one', tags: tags.toReversed() }),
      await api.create(before[1], { headline: 'two', tags: at(tags, 0) }),
    ].map(({ documentId }) => documentId);
    await api.update(before[0], first ?? '', {
      peer: second,
      twin: first,
      about: [
        { __type: `api::${before[1]}.${before[1]}`, documentId: second },
        { __type: 'api::tag.tag', documentId: tags[1] },
      ],
    });
    await api.update('tag', tags[0] ?? '', {
      best: first,
      box: {
        one: { __type: `api::${before[0]}.${before[0]}`, documentId: first },
        many: [
          { __type: `api::${before[1]}.${before[1]}`, documentId: second },
          { __type: 'api::tag.tag', documentId: tags[1] },
          { __type: `api::${before[0]}.${before[0]}`, documentId: first },
        ],
      },
    });

    expect(
      (await fixture.migrate(project(...after), { decisions: { ...NO_DECISIONS, renames } })).impact,
    ).toEqual([]);
    await production.apply();
    expect(await findDrift(kind, production, production.prismaSchema(project(...after)))).toBe('');

    const renamed = await production.open(project(...after));
    const on = Object.fromEntries(['tag', ...after].map((name) => [`api::${name}.${name}`, IDS]));
    const populate = { tags: IDS, peer: IDS, twin: IDS, about: { on } };
    for (const status of ['draft', 'published'])
      expect(await renamed.one(after[0], first ?? '', { status, populate })).toMatchObject({
        title: 'one',
        tags: tags.toReversed().map((documentId) => ({ documentId })),
        peer: { documentId: second },
        twin: { documentId: first },
        about: [
          { __type: `api::${after[1]}.${after[1]}`, documentId: second },
          { __type: 'api::tag.tag', documentId: tags[1] },
        ],
      });
    expect(await renamed.one(after[1], second ?? '', { populate: { tags: IDS } })).toMatchObject({
      headline: 'two',
      tags: [{ documentId: tags[0] }],
    });
    const inBox = { populate: { one: { on }, many: { on } } };
    expect(await renamed.one('tag', tags[0] ?? '', { populate: { best: IDS, box: inBox } })).toMatchObject({
      best: { documentId: first },
      box: {
        one: { __type: `api::${after[0]}.${after[0]}`, documentId: first },
        many: [
          { __type: `api::${after[1]}.${after[1]}`, documentId: second },
          { __type: 'api::tag.tag', documentId: tags[1] },
          { __type: `api::${after[0]}.${after[0]}`, documentId: first },
        ],
      },
    });
    await expect(renamed.create(after[0], { title: 'one' })).rejects.toThrow(/unique/);
    expect(await renamed.list('tag')).toHaveLength(2);
  };

  it('keeps the documents and links of two types that swap names', () =>
    story(
      ['article', 'page'],
      ['page', 'article'],
      [typeRename('article', 'page'), typeRename('page', 'article')],
    ));

  it('keeps the documents and links of a type that others point at', () =>
    story(['article', 'page'], ['story', 'page'], [typeRename('article', 'story')]));

  it('keeps them where a type takes the name that another one gives up', () =>
    story(
      ['article', 'page'],
      ['page', 'story'],
      [typeRename('article', 'page'), typeRename('page', 'story')],
    ));
});
