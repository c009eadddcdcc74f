import { seed } from '../../../contract/query/compile/seed.js';
import type { ProjectLiteral } from '../../../support/models.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

const PAGE = 'api::page.page';
const TOPIC = 'api::topic.topic';
const FILE = 'plugin::upload.file';

const localized = { pluginOptions: { i18n: { localized: true } } };

const SCALARS = {
  label: { type: 'string', required: true },
  note: { type: 'text' },
  count: { type: 'integer' },
  total: { type: 'biginteger' },
  ratio: { type: 'float' },
  active: { type: 'boolean' },
  day: { type: 'date' },
  'some-data': { type: 'json' },
  'kind-of': { type: 'enumeration', enum: ['long-read', 'news & views', '1st', 'plain'] },
  tone: { type: 'enumeration', enum: ['loud', 'low'], required: true },
};

/** Every kind of attribute, with names and values that GraphQL renames. */
export const PROJECT: ProjectLiteral = {
  types: {
    page: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        ...SCALARS,
        title: { type: 'string', ...localized },
        code: { type: 'password' },
        'starts-at': { type: 'datetime' },
        hour: { type: 'time' },
        body: { type: 'blocks' },
        main: { type: 'relation', relation: 'manyToOne', target: TOPIC, inversedBy: 'pages' },
        needed: { type: 'relation', relation: 'oneToOne', target: TOPIC, required: true },
        topics: { type: 'relation', relation: 'manyToMany', target: TOPIC, inversedBy: 'featured' },
        pinned: { type: 'relation', relation: 'morphToOne' },
        'see-also': { type: 'relation', relation: 'morphToMany' },
        cover: { type: 'media', multiple: false },
        gallery: { type: 'media', multiple: true },
        card: { type: 'component', component: 'parts.card' },
        cards: { type: 'component', component: 'parts.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['parts.card', 'parts.quote'] },
      },
    },
    topic: {
      attributes: {
        ...SCALARS,
        pages: { type: 'relation', relation: 'oneToMany', target: PAGE, mappedBy: 'main' },
        featured: { type: 'relation', relation: 'manyToMany', target: PAGE, mappedBy: 'topics' },
        parent: { type: 'relation', relation: 'manyToOne', target: TOPIC },
      },
    },
    site: {
      kind: 'singleType',
      attributes: {
        label: { type: 'string', required: true },
        home: { type: 'relation', relation: 'oneToOne', target: PAGE },
      },
    },
  },
  components: {
    'parts.card': {
      attributes: {
        ...SCALARS,
        topic: { type: 'relation', relation: 'oneToOne', target: TOPIC },
        image: { type: 'media', multiple: false },
        inner: { type: 'component', component: 'parts.quote', repeatable: true },
      },
    },
    'parts.quote': { attributes: { text: { type: 'string' }, 'kind-of': SCALARS['kind-of'] } },
  },
};

const GOOD = {
  label: 'One "quoted" \\ line\n',
  note: 'é – 漢字',
  count: 5,
  total: 9_007_199_254_740_993n,
  ratio: 4,
  active: true,
  day: '2026-01-01',
  'some-data': { a: [1, 2.5, null], b: { c: 'x' } },
  'kind-of': 'news & views',
  tone: 'loud',
};
const POOR = {
  label: 'Two',
  total: -12n,
  ratio: 0.1,
  active: false,
  'kind-of': '1st',
  tone: 'low',
  count: -7,
};
/** Values that GraphQL refuses, or prints otherwise than they are stored. */
const ODD = { note: 'galley:unprintable', 'kind-of': 'gone', tone: 'shrill', total: 9_007_199_254_740_991n };

/** Inside components, long integers are text. */
const inComponent = ({ total, ...values }: Readonly<Record<string, unknown>>) => ({
  ...values,
  ...(typeof total === 'bigint' ? { total: String(total) } : {}),
});

const card = (id: number, values: Readonly<Record<string, unknown>>) => ({ id, ...inComponent(values) });

const WRONG = {
  id: 'seven',
  label: 5,
  count: '12',
  total: 'many',
  ratio: '1.5',
  active: 1,
  tone: true,
  note: null,
};

export const DOCUMENT_IDS = ['p1', 'p2', 'p3', 'p4', 't1', 't2', 'nothing'];

const topics = [
  { documentId: 't1', values: GOOD },
  { documentId: 't2', values: POOR, links: { parent: 't1' } },
  { documentId: 't3', values: { ...POOR, label: null }, links: { parent: 't2' } },
  { documentId: 't4', values: { ...GOOD, tone: null, label: 'Four' } },
];

const pages = [
  {
    documentId: 'p1',
    values: {
      ...GOOD,
      title: 'First',
      code: 'hash',
      'starts-at': new Date('2026-01-01T10:00:00.000Z'),
      hour: '10:00:00.000',
      body: [{ type: 'paragraph', children: [{ type: 'text', text: 'Words' }] }],
      card: {
        ...card(1, GOOD),
        topic: 't1',
        image: 'f1',
        inner: [{ id: 2, text: 'in', 'kind-of': 'plain' }],
      },
      cards: [card(3, GOOD), { ...card(4, POOR), topic: 'gone' }],
      zone: [
        { __component: 'parts.quote', id: 5, text: 'Q' },
        { __component: 'parts.card', ...card(6, POOR), topic: 't2' },
      ],
    },
    links: {
      main: 't1',
      needed: 't2',
      topics: ['t2', 't1', 't3'],
      pinned: `${TOPIC}=t1`,
      'see-also': [`${TOPIC}=t2`, `${PAGE}=p2`],
      cover: 'f1',
      gallery: ['f2', 'f1'],
    },
  },
  {
    documentId: 'p2',
    values: {
      ...POOR,
      title: 'Second',
      cards: [],
      card: card(8, POOR),
      zone: [{ __component: 'parts.gone', id: 9 }],
    },
    links: { main: 't2', needed: 't1', 'see-also': [`${PAGE}=p1`], topics: ['t4'] },
  },
  {
    documentId: 'p3',
    values: { ...GOOD, ...ODD, title: null, card: { ...card(10, GOOD), ...ODD, total: '7' } },
    links: { main: 't1' },
  },
  {
    documentId: 'p4',
    values: { ...POOR, title: 'Fourth', card: WRONG, cards: [WRONG, card(11, { label: null })] },
    links: { needed: 't4' },
  },
];

/** Documents in two locales and both statuses, some of whose values no validator would let in. */
export async function seedContent(testEnvironment: TestEnvironment): Promise<void> {
  const file = {
    hash: 'h',
    ext: '.png',
    mime: 'image/png',
    size: 0.11,
    url: '/uploads/x',
    provider: 'local',
  };
  await seed(testEnvironment, FILE, [
    { documentId: 'f1', values: { ...file, name: 'one' } },
    { documentId: 'f2', values: { ...file, name: 'two', width: 10 } },
  ]);
  await seed(testEnvironment, TOPIC, topics);
  await seed(
    testEnvironment,
    PAGE,
    pages.flatMap((row) => [{ ...row, status: 'draft' as const }, row]),
  );
  await seed(testEnvironment, PAGE, [
    {
      documentId: 'p1',
      locale: 'fr',
      values: { ...POOR, title: 'Premier' },
      links: { needed: 't1', topics: ['t2'] },
    },
  ]);
  await seed(testEnvironment, 'api::site.site', [
    { documentId: 's1', values: { label: 'Site' }, links: { home: 'p1' } },
  ]);
}
