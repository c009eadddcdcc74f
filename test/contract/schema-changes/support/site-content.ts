import type { Api } from '../../documents/service.js';

type Data = Readonly<Record<string, unknown>>;

/** Documents that others point at, by type. */
interface Targets {
  readonly files: readonly string[];
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly events: readonly string[];
  readonly categories: readonly string[];
}

const pick = <T>(list: readonly T[], index: number): T => {
  const value = list[index % list.length];
  if (value === undefined) throw new RangeError('The list is empty');
  return value;
};

const COLOURS = ['red', 'green', 'blue'];
const SHAPES = ['round', 'square'];

const pad = (number: number): string => String(number).padStart(2, '0');

const blocks = (text: string): unknown => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

/** A value for every scalar attribute, different for each `seed`. */
const scalars = (seed: number): Data => ({
  title: `Title ${seed}`,
  summary: `A "summary", number ${seed}\nof two lines`,
  body: `**Body** ${seed}`,
  content: blocks(`Words ${seed} with 'quotes' and \\ and ü`),
  contact: `reader${seed}@example.com`,
  secret: `hunter${seed}`,
  handle: `handle-${seed}`,
  colour: pick(COLOURS, seed),
  rank: seed - 5,
  views: `${9_007_199_254_740_993n + BigInt(seed)}`,
  score: seed + 0.25,
  price: seed * 10 + 0.99,
  featured: seed % 2 === 0,
  day: `2026-02-${pad((seed % 27) + 1)}`,
  alarm: `10:${pad(seed % 60)}:00.000`,
  starts: `2026-03-${pad((seed % 27) + 1)}T12:30:15.250Z`,
  seen: `2026-04-${pad((seed % 27) + 1)}T01:02:03.004Z`,
  extra: { number: seed, list: [1, 2.5, null, true], nested: { text: `"${seed}"` } },
  wholeText: String(seed * 7 - 20),
  fractionText: String(seed + 0.5),
  mixedText: seed % 3 === 0 ? String(seed) : `number ${seed}`,
  flagText: seed % 2 === 0 ? 'true' : 'false',
  dayText: `2026-05-${pad((seed % 27) + 1)}`,
  clockText: `08:${pad(seed % 60)}:30.000`,
  momentText: `2026-06-${pad((seed % 27) + 1)}T08:09:10.011Z`,
  mailText: `writer${seed}@example.com`,
  slugText: `slug-${seed}`,
  choiceText: pick(COLOURS, seed),
  bit: seed % 2,
  wholeScore: seed * 3,
  blocksJson: blocks(`Stored as JSON ${seed}`),
});

/** A document is a draft, published, or published and modified since. */
const STATES = ['draft', 'published', 'modified'] as const;

const stateOf = (index: number): (typeof STATES)[number] => pick(STATES, index);

const badge = ({ files }: Targets, seed: number): Data => ({
  label: `Badge ${seed}`,
  level: seed,
  icon: seed % 2 === 0 ? pick(files, seed) : null,
  shape: pick(SHAPES, seed),
});

const every = (targets: Targets, seed: number): Data => ({
  ...scalars(seed),
  image: pick(targets.files, seed),
  images: [pick(targets.files, seed + 1), pick(targets.files, seed)],
  tag: pick(targets.tags, seed),
  tags: [pick(targets.tags, seed + 2), pick(targets.tags, seed)],
  badge: badge(targets, seed),
  badges: [badge(targets, seed + 1), badge(targets, seed + 2)],
});

const fact = (targets: Targets, seed: number): Data => ({
  label: `Fact ${seed}`,
  amount: seed * 100,
  every: every(targets, seed),
});

const sections = (targets: Targets, seed: number): readonly Data[] => [
  {
    __component: 'blocks.quote',
    text: `Quote ${seed}`,
    author: `Quoted ${seed}`,
    source: pick(targets.tags, seed),
  },
  { __component: 'parts.every', ...every(targets, seed + 20) },
  {
    __component: 'blocks.gallery',
    caption: `Gallery ${seed}`,
    images: [pick(targets.files, seed), pick(targets.files, seed + 1)],
  },
  {
    __component: 'blocks.group',
    title: `Group ${seed}`,
    items: [fact(targets, seed + 40), { label: `Bare fact ${seed}` }],
  },
  { __component: 'blocks.quote', text: `Second quote ${seed}` },
];

/** The first event has no published version: published links to it would be invisible. */
const eventOf = ({ events }: Targets, index: number, offset = 0): string =>
  pick(stateOf(index) === 'draft' ? events : events.slice(1), index + offset);

const articleRelations = (targets: Targets, index: number): Data => ({
  author: pick(targets.authors, index),
  editor: pick(targets.authors, index + 1),
  tags: [pick(targets.tags, index + 1), pick(targets.tags, index)],
  sources: [pick(targets.tags, index + 2), pick(targets.tags, index + 4)],
  event: eventOf(targets, index),
  events: [eventOf(targets, index, 1), eventOf(targets, index)],
  category: pick(targets.categories, index),
  owned: [pick(targets.tags, index + 3)],
  about: { __type: 'api::tag.tag', documentId: pick(targets.tags, index) },
  mentions: [
    { __type: 'api::tag.tag', documentId: pick(targets.tags, index) },
    { __type: 'api::author.author', documentId: pick(targets.authors, index) },
  ],
});

const article = (targets: Targets, seed: number, index: number): Data => ({
  ...scalars(seed),
  weight: index * 3,
  shade: index % 2 === 0 ? 'light' : 'dark',
  hero: every(targets, seed),
  facts: [fact(targets, seed), { label: `Fact without more ${seed}` }],
  sections: sections(targets, seed),
  cover: pick(targets.files, index),
  gallery: [pick(targets.files, index + 2), pick(targets.files, index)],
  ...articleRelations(targets, index),
});

const FILE = { hash: 'h', ext: '.png', mime: 'image/png', size: 0.11, provider: 'local' };

const createEach = async (
  count: number,
  create: (index: number) => Promise<string>,
): Promise<readonly string[]> => {
  const documentIds: string[] = [];
  for (let index = 0; index < count; index++) documentIds.push(await create(index));
  return documentIds;
};

const createAll = (
  api: Api,
  type: string,
  count: number,
  dataOf: (index: number) => Data,
): Promise<readonly string[]> =>
  createEach(count, async (index) => (await api.create(type, dataOf(index))).documentId);

const createTargets = async (api: Api): Promise<Targets> => {
  const files = await createAll(api, 'file', 4, (index) => ({
    ...FILE,
    name: `${index}.png`,
    url: `/uploads/${index}.png`,
  }));
  const tags = await createAll(api, 'tag', 6, (index) => ({ name: `tag ${index}` }));
  const authors = await createAll(api, 'author', 3, (index) => ({
    name: `author ${index}`,
    photo: pick(files, index),
  }));
  const events = await createEach(4, async (index) => {
    const data = {
      name: `event ${index}`,
      place: `place ${index}`,
      badge: { label: `e${index}`, level: index },
    };
    const status = index === 0 ? 'draft' : 'published';
    return (await api.create('event', data, { status })).documentId;
  });
  await api.update('event', pick(events, 1), { name: 'event 1, modified' }, { status: 'draft' });
  const categories = await createAll(api, 'category', 3, (index) => ({
    name: `category ${index}`,
    badges: [{ label: `c${index}`, level: index }],
  }));
  for (const [index, documentId] of categories.entries())
    for (const locale of ['fr', 'de'])
      await api.update('category', documentId, { name: `category ${index} in ${locale}` }, { locale });
  return { files, tags, authors, events, categories };
};

const ARTICLES = 9;

const createArticle = async (api: Api, targets: Targets, index: number): Promise<string> => {
  const state = stateOf(index);
  const locales = index % 3 === 2 ? ['fr', 'de'] : index % 2 === 0 ? ['fr'] : [];
  const status = state === 'draft' ? 'draft' : 'published';
  const { documentId } = await api.create('article', article(targets, index + 1, index), { status });
  for (const [offset, locale] of locales.entries())
    await api.update('article', documentId, article(targets, index + 10 * (offset + 1), index), {
      locale,
      status,
    });
  if (state === 'modified')
    await api.update(
      'article',
      documentId,
      {
        ...article(targets, index + 60, index),
        hero: null,
        mixedText: null,
        summary: 'A longer summary, which was changed after it was published',
      },
      { status: 'draft' },
    );
  return documentId;
};

const createNotes = (api: Api, { tags, files }: Targets): Promise<readonly string[]> =>
  createAll(api, 'note', 40, (index) => ({
    text: `Note ${index}${'!'.repeat(index % 8)}`,
    level: index % 4 === 0 ? null : index,
    old: index % 5 === 0 ? null : `old ${index}`,
    priority: pick(['low', 'high', null], index),
    files: index % 10 === 0 ? [pick(files, index), pick(files, index + 1)] : [],
    tag: index % 2 === 0 ? pick(tags, index) : null,
    badge: index % 3 === 0 ? { label: `n${index}`, level: index } : null,
  }));

const page = ({ tags, files }: Targets, seed: number): Data => ({
  title: `Page ${seed}`,
  order: Math.floor(seed / 10),
  badge: { label: `p${seed}`, level: seed },
  sections: [{ __component: 'blocks.quote', text: `p${seed}`, source: pick(tags, seed) }],
  cover: pick(files, seed),
  tag: pick(tags, seed),
  tags: [pick(tags, seed + 1), pick(tags, seed)],
});

/** Two drafts, two published and two modified pages, of which every second is in French as well. */
const createPages = (api: Api, targets: Targets): Promise<readonly string[]> =>
  createEach(6, async (index) => {
    const state = stateOf(index);
    const status = state === 'draft' ? 'draft' : 'published';
    const { documentId } = await api.create('page', page(targets, index * 10), { status });
    if (index < 3)
      await api.update('page', documentId, page(targets, index * 10 + 1), { locale: 'fr', status });
    if (state === 'modified')
      await api.update('page', documentId, page(targets, index * 10 + 2), { status: 'draft' });
    return documentId;
  });

/** Writes the content that all rows start from: some seventy documents in drafts and locales. */
export async function createContent(api: Api): Promise<void> {
  const targets = await createTargets(api);
  const articles = await createEach(ARTICLES, (index) => createArticle(api, targets, index));
  // Holds nothing but its title: what is missing must not be counted.
  await api.create('article', { title: 'Bare' }, { status: 'published' });
  await api.update('article', pick(articles, 0), { twin: pick(articles, 1) }, { status: 'draft' });
  await api.update('article', pick(articles, 1), { twin: pick(articles, 2) }, { status: 'published' });
  for (const [index, documentId] of targets.authors.entries())
    await api.update('author', documentId, { favourite: pick(articles, index * 3 + 1) });
  await createNotes(api, targets);
  await createPages(api, targets);
  await api.create('home', { title: 'Home', hero: { label: 'Welcome', level: 1 } }, { status: 'draft' });
}
