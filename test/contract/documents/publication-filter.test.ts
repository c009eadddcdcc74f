import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLICATION_FILTERS } from '../../../src/query/query.js';
import type { PublicationFilter } from '../../../src/query/query.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf, steppingClock, uidOf } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const DRAFT = { status: 'draft' };
const FR = { locale: 'fr' };

const localized = { i18n: { localized: true } };

const PROJECT = {
  types: {
    story: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', pluginOptions: localized },
        rank: { type: 'integer' },
        next: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
        about: { type: 'relation', relation: 'morphToMany' },
        box: { type: 'component', component: 'part.box', pluginOptions: localized },
      },
    },
    shelf: {
      attributes: {
        name: { type: 'string' },
        stories: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      },
    },
  },
  components: {
    'part.box': {
      attributes: { stories: { type: 'relation', relation: 'oneToMany', target: 'api::story.story' } },
    },
  },
} as const;

/**
 * The titles of the stories below that each value selects: drafts and published versions of the default
 * locale and of French.
 */
const SELECTED: Readonly<
  Record<
    PublicationFilter,
    Readonly<Record<'draft' | 'published' | 'draft fr' | 'published fr', readonly string[]>>
  >
> = {
  'never-published': {
    draft: ['new', 'elsewhere', 'withdrawn'],
    published: [],
    'draft fr': ['here fr', 'orphan fr'],
    'published fr': [],
  },
  'has-published-version': {
    draft: ['clean', 'edited 2', 'discarded', 'here'],
    published: ['clean', 'edited', 'discarded', 'here'],
    'draft fr': ['elsewhere fr'],
    'published fr': ['elsewhere fr'],
  },
  modified: { draft: ['edited 2'], published: ['edited'], 'draft fr': [], 'published fr': [] },
  unmodified: {
    draft: ['clean', 'discarded', 'here'],
    published: ['clean', 'discarded', 'here'],
    'draft fr': ['elsewhere fr'],
    'published fr': ['elsewhere fr'],
  },
  'never-published-document': {
    draft: ['new', 'withdrawn'],
    published: [],
    'draft fr': [],
    'published fr': [],
  },
  'has-published-version-document': {
    draft: ['clean', 'edited 2', 'discarded', 'elsewhere', 'here'],
    published: ['clean', 'edited', 'discarded', 'here', 'orphan'],
    'draft fr': ['elsewhere fr', 'here fr', 'orphan fr'],
    'published fr': ['elsewhere fr'],
  },
  'published-without-draft': { draft: [], published: ['orphan'], 'draft fr': [], 'published fr': [] },
  'published-with-draft': {
    draft: [],
    published: ['clean', 'edited', 'discarded', 'here'],
    'draft fr': [],
    'published fr': ['elsewhere fr'],
  },
};

describe.each(databases)('publicationFilter on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  const ids: Record<string, string> = {};
  const make = async (title: string, params: object = {}, data: object = {}): Promise<string> => {
    const { documentId } = await api.create('story', { title, ...data }, params);
    ids[title] = documentId;
    return documentId;
  };

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    api = createApi(testEnvironment, { clock: steppingClock() });
    await make('new', DRAFT);
    await make('clean');
    await api.update('story', await make('edited'), { title: 'edited 2' }, DRAFT);
    const discarded = await make('discarded');
    await api.update('story', discarded, { title: 'x' }, DRAFT);
    await api.act('discardDraft', 'story', discarded);
    await api.update('story', await make('elsewhere', DRAFT), { title: 'elsewhere fr' }, FR);
    await api.update('story', await make('here'), { title: 'here fr' }, { ...FR, ...DRAFT });
    await api.act('unpublish', 'story', await make('withdrawn'));
    // Published in one locale without a draft, which only another program can write.
    const orphan = await make('orphan');
    await api.update('story', orphan, { title: 'orphan fr' }, { ...FR, ...DRAFT });
    await testEnvironment.database.transact((tx) =>
      tx
        .model(testEnvironment.model.typesByUid[uidOf(testEnvironment, 'story')]?.storage.version.model ?? '')
        .deleteMany({ where: { documentId: orphan, status: 'draft', locale: 'en' } }),
    );
  });
  afterAll(() => testEnvironment.close());

  const titles = (value: unknown): readonly unknown[] =>
    (value as readonly ReturnedRecord[]).map(({ title }) => title);

  it.each(PUBLICATION_FILTERS)('%s selects by status and locale', async (publicationFilter) => {
    const selected: Record<string, readonly unknown[]> = {};
    for (const [key, params] of Object.entries({
      draft: DRAFT,
      published: {},
      'draft fr': { ...DRAFT, ...FR },
      'published fr': FR,
    })) {
      selected[key] = titles(await api.list('story', { ...params, publicationFilter }));
    }
    expect(selected).toEqual(SELECTED[publicationFilter]);
  });

  it('applies in addition to filters, to all locales, to counts and to one document', async () => {
    expect(
      titles(
        await api.list('story', {
          ...DRAFT,
          locale: '*',
          publicationFilter: 'never-published',
          filters: { title: { $contains: 'e' } },
        }),
      ),
    ).toEqual(['new', 'elsewhere', 'here fr']);
    const query = { pagination: { pageSize: 1 }, publicationFilter: 'unmodified', ...DRAFT } as const;
    expect(await api.list('story', query)).toHaveLength(1);
    expect(
      await api.one('story', ids['edited'] ?? '', { ...DRAFT, publicationFilter: 'modified' }),
    ).toMatchObject({ title: 'edited 2' });
    expect(
      await api.one('story', ids['edited'] ?? '', { ...DRAFT, publicationFilter: 'unmodified' }),
    ).toBeNull();
  });

  it('applies to populated relations of all kinds and to localizations, but not to filters', async () => {
    const others = ['new', 'clean', 'edited'].map((name) => ids[name] ?? '');
    const links = {
      next: others,
      about: others.map((documentId) => ({ __type: 'api::story.story', documentId })),
      box: { stories: others },
    };
    const { documentId } = await api.create('story', { title: 'hub', ...links }, DRAFT);
    const populate = {
      next: { fields: ['title'] },
      about: { on: { 'api::story.story': { fields: ['title'] } } },
      box: { populate: { stories: { fields: ['title'] } } },
      localizations: { fields: ['title'] },
    };
    await api.update('story', documentId, { title: 'hub fr' }, { ...FR, ...DRAFT });
    const seen = async (publicationFilter: PublicationFilter) => {
      const hub = await api.one('story', documentId, { ...DRAFT, populate, publicationFilter });
      return hub === null
        ? null
        : [
            titles(hub['next']),
            titles(hub['about']),
            titles((hub['box'] as ReturnedRecord)['stories']),
            titles(hub['localizations']),
          ];
    };
    expect(await seen('never-published')).toEqual([['new'], ['new'], ['new'], ['hub fr']]);
    await api.act('publish', 'story', documentId);
    await api.update('story', documentId, { rank: 1 }, DRAFT);
    expect(await seen('modified')).toEqual([['edited 2'], ['edited 2'], ['edited 2'], []]);
    expect(await seen('never-published')).toBeNull();
    expect(
      titles(
        await api.list('story', {
          ...DRAFT,
          publicationFilter: 'modified',
          filters: { next: { title: 'new' } },
        }),
      ),
    ).toEqual(['hub']);
    await api.remove('story', documentId, '*');
  });

  it('restricts the relations of a type without drafts, but not its own documents', async () => {
    const { documentId } = await api.create('shelf', { name: 's', stories: [ids['clean'], ids['edited']] });
    const shelf = await api.one('shelf', documentId, {
      ...DRAFT,
      publicationFilter: 'modified',
      populate: { stories: { fields: ['title'] } },
    });
    expect(titles(shelf?.['stories'])).toEqual(['edited 2']);
    expect(await api.list('shelf', { publicationFilter: 'never-published' })).toHaveLength(1);
  });

  it('overrides hasPublishedVersion, which is about the document in any locale', async () => {
    expect(titles(await api.list('story', { ...DRAFT, hasPublishedVersion: 'false' }))).toEqual(
      SELECTED['never-published-document'].draft,
    );
    expect(titles(await api.list('story', { ...DRAFT, hasPublishedVersion: 'true' }))).toEqual(
      SELECTED['has-published-version-document'].draft,
    );
    expect(
      titles(
        await api.list('story', { ...DRAFT, hasPublishedVersion: 'false', publicationFilter: 'modified' }),
      ),
    ).toEqual(SELECTED.modified.draft);
  });

  it('writing a shared value does not change which locales have pending edits', async () => {
    const documentId = await make('shared');
    await api.update('story', documentId, { title: 'shared fr' }, FR);
    const waiting = async (): Promise<readonly unknown[]> =>
      titles(
        await api.list('story', {
          ...DRAFT,
          locale: '*',
          publicationFilter: 'modified',
          filters: { documentId },
        }),
      );
    await api.update('story', documentId, { rank: 2 }, FR);
    expect(await waiting()).toEqual([]);
    await api.update('story', documentId, { title: 'shared 2' }, DRAFT);
    await api.update('story', documentId, { rank: 3 }, FR);
    expect(await waiting()).toEqual(['shared 2']);
    await api.remove('story', documentId, '*');
  });

  it.each(['MODIFIED', 'all', '', 'modified ', 1, true, {}, ['modified']])(
    '%j is refused with the allowed values',
    async (publicationFilter) => {
      const refused = Promise.resolve().then(() => api.list('story', { publicationFilter }));
      expect(await issuesOf(refused)).toBe('request/invalid-parameter');
      await expect(refused).rejects.toThrow(PUBLICATION_FILTERS.join(', '));
    },
  );
});
