import type { TestEnvironment } from '../../../support/test-environment.js';
import { seed } from './seed.js';

export const ARTICLE = 'api::article.article';
export const AUTHOR = 'api::author.author';
export const CATEGORY = 'api::category.category';
const PROFILE = 'api::profile.profile';
export const TAG = 'api::tag.tag';
const FILE = 'plugin::upload.file';

const TAGS = [
  { name: 'alpha', weight: 0, label: null },
  { name: 'Beta', weight: 1, label: 'BETA' },
  { name: 'gamma', weight: 2, label: 'GAMMA' },
  { name: 'Delta', weight: null, label: null },
  { name: 'epsilon', weight: 4, label: 'EPSILON' },
  { name: 'Zeta_1', weight: 5, label: 'ZETA_1' },
  { name: '100% eta', weight: 6, label: null },
  { name: "o'theta", weight: null, label: "O'THETA" },
  { name: 'iota-é', weight: 8, label: 'IOTA-É' },
  { name: 'Alphabet', weight: 9, label: null },
];

const file = (name: string) => ({
  name,
  alternativeText: `About ${name}`,
  hash: name,
  ext: '.png',
  mime: 'image/png',
  size: 0.11,
  url: `/uploads/${name}`,
  provider: 'local',
});

const BLOCKS = [{ type: 'paragraph', children: [{ type: 'text', text: 'Words, "quoted" and \\ back' }] }];

const FIRST = {
  title: 'First',
  views: 10,
  rating: 4.5,
  reads: 9007199254740993n,
  featured: false,
  kind: 'news',
  startsAt: new Date('2026-01-01T10:00:00.000Z'),
  eventDate: '2026-01-01',
  eventTime: '10:00:00.000',
  content: BLOCKS,
  extra: { b: 1, a: [1, 2.5, null, true] },
  seo: {
    id: 1,
    metaTitle: 'One',
    canonical: 'https://x/1',
    image: 'f1',
    social: [
      { id: 2, network: 'bluesky', handle: '@a' },
      { id: 3, network: 'mastodon' },
    ],
  },
  links: [
    { id: 4, label: 'L1', href: 'https://a', external: false, tag: 't1' },
    { id: 5, label: 'L2' },
  ],
  sections: [
    { __component: 'sections.quote', id: 6, text: 'Q', source: 'S' },
    { __component: 'sections.related', id: 7, heading: 'R', tags: ['t4', 'gone', 't1'] },
    { __component: 'sections.text', id: 8, body: 'T' },
  ],
};

/**
 * Writes ten tags, two authors, two categories, and four published articles with drafts. The recorded
 * filter requests use the same content.
 */
export async function seedMagazine(testEnvironment: TestEnvironment): Promise<void> {
  await seed(testEnvironment, FILE, [
    { documentId: 'f1', values: file('one.png') },
    { documentId: 'f2', values: file('two.png') },
  ]);
  await seed(
    testEnvironment,
    TAG,
    TAGS.map((values, index) => ({ documentId: `t${index}`, values })),
  );
  await seed(testEnvironment, PROFILE, [
    { documentId: 'p1', values: { nickname: 'ada' }, links: { favouriteTags: ['t2', 't0'] } },
  ]);
  await seed(testEnvironment, AUTHOR, [
    { documentId: 'ada', values: { name: 'Ada Lovelace', age: 36 }, links: { profile: 'p1', avatar: 'f1' } },
    { documentId: 'bob', values: { name: 'Bob Stone', age: 51 } },
  ]);
  const categories = [
    { documentId: 'tech', values: { name: 'Tech' } },
    { documentId: 'life', values: { name: 'Life' }, links: { parent: 'tech' } },
  ];
  await seed(
    testEnvironment,
    CATEGORY,
    categories.flatMap((row) => [{ ...row, status: 'draft' as const }, row]),
  );
  await seed(testEnvironment, CATEGORY, [
    { documentId: 'secret', values: { name: 'Secret' }, status: 'draft' },
  ]);
  const articles = [
    {
      documentId: 'a1',
      values: FIRST,
      links: {
        author: 'ada',
        category: 'tech',
        tags: ['t1', 't0'],
        cover: 'f1',
        gallery: ['f2', 'f1'],
        related: ['a3', 'a2'],
      },
    },
    {
      documentId: 'a2',
      values: {
        title: 'Second',
        internalNote: 'confidential',
        views: 20,
        startsAt: new Date('2026-02-01T10:00:00.000Z'),
        rating: 2,
        featured: true,
        kind: 'opinion',
        seo: { id: 9, metaTitle: 'Two' },
      },
      links: { author: 'bob', category: 'life', tags: ['t1'] },
    },
    {
      documentId: 'a3',
      values: { title: 'Third', views: 30, kind: 'news', featured: false, extra: { a: 1 }, links: [] },
      links: { author: 'ada', category: 'secret' },
    },
    { documentId: 'a4', values: { title: 'Fourth', views: 40, kind: 'review', featured: false } },
  ];
  await seed(
    testEnvironment,
    ARTICLE,
    articles.flatMap((row) => [{ ...row, status: 'draft' as const }, row]),
  );
  await seed(testEnvironment, ARTICLE, [
    {
      documentId: 'a5',
      values: { title: 'Unpublished' },
      status: 'draft',
      links: { author: 'ada', tags: ['t1'] },
    },
    {
      documentId: 'a1',
      locale: 'fr',
      values: { title: 'Premier' },
      links: { author: 'ada', tags: ['t2'], related: ['a2'] },
    },
    {
      documentId: 'a1',
      locale: 'fr',
      status: 'draft',
      values: { title: 'Brouillon' },
      links: { author: 'ada' },
    },
  ]);
}
