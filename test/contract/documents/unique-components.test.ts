import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf } from './service.js';
import type { Api } from './service.js';

const DRAFT = { status: 'draft' };

const UNIQUE = {
  types: {
    page: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        slug: {
          type: 'uid',
          targetField: 'title',
          generate: true,
          maxLength: 40,
          pluginOptions: { i18n: { localized: true } },
        },
        code: { type: 'string', unique: true, minLength: 3, regex: '^[A-Z]' },
        hero: { type: 'component', component: 'shared.card', pluginOptions: { i18n: { localized: true } } },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.card', 'shared.box'] },
      },
    },
  },
  components: {
    'shared.card': {
      attributes: {
        code: { type: 'string', unique: true },
        number: { type: 'integer', unique: true },
        big: { type: 'biginteger', unique: true },
        at: { type: 'datetime', unique: true },
        ratio: { type: 'decimal', unique: true },
        boxes: { type: 'component', component: 'shared.box', repeatable: true },
      },
    },
    'shared.box': { attributes: { label: { type: 'uid' }, code: { type: 'string', unique: true } } },
  },
} as const;

describe.each(databases)('unique values inside components, and uids, on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: UNIQUE, database });
    api = createApi(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it('may be empty texts in any number of documents, which are no value', async () => {
    const data = {
      slug: '',
      code: '',
      cards: [{ code: '' }, { code: '', boxes: [{ label: '', code: '' }] }],
      zone: [{ __component: 'shared.box', code: '' }],
    };
    const [first, second] = [await api.create('page', data), await api.create('page', data)];
    expect([first, second]).toMatchObject([
      { slug: null, code: null },
      { slug: null, code: null },
    ]);
    expect(await api.update('page', second.documentId, data)).toMatchObject({ slug: null, code: null });
    const [third, fourth] = [
      await api.create('page', { code: 'A-1' }),
      await api.create('page', { code: 'A-2' }),
    ];
    for (const { documentId } of [third, fourth])
      expect(await api.update('page', documentId, { code: '' })).toMatchObject({ code: null });
  });

  it('are refused with their path if another document has them in the same attribute', async () => {
    const values = {
      code: "it's",
      number: 7,
      big: '9007199254740993',
      at: '2026-01-01T00:00:00.000Z',
      ratio: 1.5,
    };
    const data = {
      hero: values,
      cards: [{ code: 'a' }, { code: 'b', boxes: [{ label: 'x' }, { label: 'y' }] }],
      zone: [
        { __component: 'shared.box', code: 'z' },
        { __component: 'shared.card', code: 'z' },
      ],
    };
    const first = await api.create('page', data);
    expect(await issuesOf(api.create('page', { hero: values }))).toEqual([
      'hero.code',
      'hero.number',
      'hero.big',
      'hero.at',
      'hero.ratio',
    ]);
    expect(
      await issuesOf(
        api.create('page', {
          cards: [{ code: 'new' }, { code: 'b' }, { boxes: [{ label: 'new' }, { label: 'y' }] }],
        }),
      ),
    ).toEqual(['cards.1.code', 'cards.2.boxes.1.label']);
    expect(
      await issuesOf(
        api.create('page', {
          zone: [
            { __component: 'shared.card', code: 'new' },
            { __component: 'shared.box', code: 'z' },
          ],
        }),
      ),
    ).toEqual(['zone.1.code']);
    expect(await api.update('page', first.documentId, data)).not.toBeNull();
    expect(
      await api.create('page', {
        hero: { code: 'a', number: null },
        cards: [{ code: "it's", number: 7 }, { number: 8 }, {}, {}],
      }),
    ).not.toBeNull();
  });

  it('may not occur twice in one list', async () => {
    expect(
      await issuesOf(api.create('page', { cards: [{ code: 'twice' }, { code: 'once' }, { code: 'twice' }] })),
    ).toEqual(['cards.0.code', 'cards.2.code']);
  });

  it('are unique per locale, and checked when they are published', async () => {
    const data = { hero: { code: 'draft' }, cards: [{ code: 'shared' }] };
    const first = await api.create('page', data, DRAFT);
    const second = await api.create('page', { hero: { code: 'draft' } }, { locale: 'fr' });
    expect(
      await api.update(
        'page',
        second.documentId,
        { cards: [{ code: 'shared' }] },
        { locale: 'fr', ...DRAFT },
      ),
    ).not.toBeNull();
    await api.act('publish', 'page', first.documentId);
    expect(await issuesOf(api.update('page', second.documentId, { title: 'en' }))).toEqual(['cards.0.code']);
    const third = await api.create(
      'page',
      { hero: { code: 'draft' }, cards: [{ code: 'x' }, { code: 'x' }] },
      DRAFT,
    );
    expect(await issuesOf(api.act('publish', 'page', third.documentId))).toEqual([
      'cards.0.code',
      'cards.1.code',
      'hero.code',
    ]);
    expect(await issuesOf(api.create('page', { hero: { code: 'draft' } }))).toEqual(['hero.code']);
  });

  it.each<[string, unknown, string | null]>([
    ['the target field', { title: 'Größe & Élan!' }, 'groesse-and-elan'],
    ['the target field and a number', { title: 'GROESSE and Élan' }, 'groesse-and-elan-1'],
    ['the next number', { title: 'Größe and Élan?' }, 'groesse-and-elan-2'],
    ['what is sent', { title: 'Größe Élan?', slug: 'mine' }, 'mine'],
    ['null, where it is sent', { title: 'Größe Élan?', slug: null }, null],
    ['null without a target field', {}, null],
    ['the type’s name where no letter is left', { title: '日本' }, 'page'],
    ['no more than maxLength', { title: 'long '.repeat(20) }, 'long-long-long-long-long-long-lo'],
  ])('a uid is made from %s', async (_, data, slug) => {
    expect(await api.create('page', data, DRAFT)).toMatchObject({ slug });
  });

  it('a uid is made in every locale, on creating alone', async () => {
    const { documentId, slug } = await api.create('page', { title: 'Once' });
    expect(slug).toBe('once');
    expect(await api.update('page', documentId, { title: 'Twice', slug: null })).toMatchObject({
      slug: null,
    });
    expect(await api.update('page', documentId, { title: 'Thrice' })).toMatchObject({ slug: null });
    expect(await api.update('page', documentId, { title: 'Once' }, { locale: 'fr' })).toMatchObject({
      slug: 'once',
    });
  });

  it('uids of concurrent creations get different numbers', async () => {
    const pages = await Promise.all([1, 2, 3].map(() => api.create('page', { title: 'Race' })));
    expect(new Set(pages.map(({ slug }) => slug))).toEqual(new Set(['race', 'race-1', 'race-2']));
  });
});
