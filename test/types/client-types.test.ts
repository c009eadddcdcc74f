import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileFrontEnd } from '../support/compile-front-end.js';
import { loadFixtureModel, modelFrom } from '../support/models.js';

const CLIENT = fileURLToPath(new URL('../../src/client.js', import.meta.url));
const BROWSER = ['--lib', 'es2022,dom,dom.asynciterable'];

/** Each mistake stands below a comment that fails to compile where the mistake is accepted. */
const USAGE = `
import { ApiError, createClient, NotFoundError, RateLimitError, ValidationError } from '${CLIENT}';
import type { Article, ClientSchema, Query } from './types/index.js';

const url = 'http://localhost:1337';
const client = createClient<ClientSchema>({ url, token: 'key', storage: localStorage });
const only = <T>(value: T): void => void value;

// Reading
const { data, meta } = await client.articles.find({
  fields: ['title', 'slug'],
  populate: { author: { fields: ['name'], populate: { avatar: true } }, tags: true, seo: true, cover: true },
  filters: {
    title: { $containsi: 'sea' },
    views: { $gte: 10 },
    featured: true,
    kind: { $in: ['news', 'review'] },
    startsAt: { $between: ['2024-01-01', '2025-01-01'] },
    author: { name: { $startsWith: 'A' } },
    extra: { $contains: 'x' },
    $or: [{ slug: { $null: true } }, { $not: { kind: 'news' } }],
  },
  sort: ['views:desc', 'author.name'],
  pagination: { page: 2, pageSize: 10 },
  status: 'published',
  locale: 'fr',
});
only<string | undefined>(data[0]?.title);
only<string | undefined>(data[0]?.author?.avatar?.url);
only<string | undefined>(data[0]?.author?.name);
only<string[] | undefined>(data[0]?.tags.map(({ name }) => name));
only<string | undefined>(data[0]?.seo?.metaTitle);
only<string | undefined>(data[0]?.cover?.url);
only<number>(meta.pagination.page);
// @ts-expect-error not selected
data[0]?.views;
// @ts-expect-error not selected
data[0]?.author?.bio;
// @ts-expect-error not populated
data[0]?.gallery;
const bare = await client.articles.find();
only<string | undefined>(bare.data[0]?.title);
// @ts-expect-error not populated
bare.data[0]?.author;
only<string | null>((await client.articles.findOne('id', { status: 'draft' })).data.title);
// @ts-expect-error may be null in a draft
only<string>((await client.articles.findOne('id', { status: 'draft' })).data.title);
only<string | null>((await client.articles.find({ pagination: { after: '' } })).meta.pagination.next);
only<number>((await client.articles.find({ pagination: { start: 5 } })).meta.pagination.start);
// @ts-expect-error a page by cursor has no number
(await client.articles.find({ pagination: { after: '' } })).meta.pagination.page;
declare const open: Query<Article>;
only<string | undefined>((await client.articles.find(open)).data[0]?.author?.name);

// Zones
const { sections } = (
  await client.homepage.find({
    populate: { sections: { on: { 'sections.quote': { fields: ['text'] }, 'sections.text': true } } },
  })
).data;
for (const section of sections) {
  if (section.__component === 'sections.quote') {
    only<string>(section.text);
    // @ts-expect-error not selected
    section.source;
  } else only<'sections.text'>(section.__component);
}

// Mistakes of queries
// @ts-expect-error no such type
client.articels;
// @ts-expect-error no such attribute
client.articles.find({ filters: { colour: 'red' } });
// @ts-expect-error one of them is no attribute
client.articles.find({ filters: { title: 'x', colour: 'red' } });
// @ts-expect-error no attribute of the author
client.articles.find({ filters: { title: 'x', author: { name: 'x', colour: 'red' } } });
// @ts-expect-error no attribute within a group
client.articles.find({ filters: { $or: [{ title: 'x' }, { title: 'y', colour: 'red' }] } });
// @ts-expect-error a number has no text in it
client.articles.find({ filters: { views: { $contains: '1' } } });
// @ts-expect-error a number is not compared with text
client.articles.find({ filters: { views: { $gt: 'many' } } });
// @ts-expect-error booleans have no order
client.articles.find({ filters: { featured: { $gt: true } } });
// @ts-expect-error no such kind
client.articles.find({ filters: { kind: 'gossip' } });
// @ts-expect-error no such operator
client.articles.find({ filters: { title: { $matches: 'x' } } });
// @ts-expect-error no such operator beside another
client.articles.find({ filters: { title: { $eq: 'x', $matches: 'x' } } });
// @ts-expect-error no relation
client.articles.find({ populate: { author: true, title: true } });
// @ts-expect-error no such attribute
client.articles.find({ fields: ['colour'] });
// @ts-expect-error no such parameter
client.articles.find({ fields: ['title'], limit: 5 });
// @ts-expect-error one document has no filters
client.articles.findOne('id', { filters: { title: 'x' } });
// @ts-expect-error single types have no list
client.homepage.findOne('id');

// Writing
const made = await client.articles.create(
  { title: 'Hello', kind: 'news', tags: ['a'], sections: [{ __component: 'sections.quote', text: 'Q' }] },
  { populate: 'tags' },
);
only<string | undefined>(made.data.tags[0]?.name);
client.articles.create({ summary: 'not yet complete' }, { status: 'draft' });
client.articles.update('id', { summary: null }, { locale: 'fr' });
client.homepage.update({ headline: 'Hello' });
only<Promise<void>>(client.articles.delete('id', { locale: 'fr' }));
only<string | null>((await client.articles.unpublish('id')).data.title);
only<string>((await client.articles.publish('id', { fields: ['title'] })).data.title);
const bulk = await client.articles.bulk(
  [
    { action: 'create', data: { title: 'New' } },
    { action: 'update', documentId: 'x', data: { slug: 'x' }, status: 'draft' },
    { action: 'publish', documentId: 'x', locale: 'fr' },
  ],
  { atomic: false, fields: ['title'] },
);
only<number>(bulk.meta.failed);
only<string | null | undefined>(bulk.data[0]?.data?.title);
// @ts-expect-error a title is required
client.articles.create({ slug: 'x' });
// @ts-expect-error no such attribute
client.articles.create({ title: 'x', colour: 'red' });
// @ts-expect-error no such attribute
client.articles.update('id', { colour: 'red' });
// @ts-expect-error not in this zone
client.articles.create({ title: 'x', sections: [{ __component: 'shared.seo', metaTitle: 'x' }] });
// @ts-expect-error nothing to publish
client.articles.bulk([{ action: 'publish' }]);

// Figures
const total = await client.articles.aggregate({ filters: { featured: true } });
only<number>(total.data.count);
const sums = await client.articles.aggregate({ sum: 'views', max: ['publishedAt', 'views'] });
only<number | null>(sums.data.sum.views);
only<string | null>(sums.data.max.publishedAt);
// @ts-expect-error not asked for
sums.data.count;
const groups = await client.articles.aggregate({
  count: true,
  groupBy: { kind: true, author: true, createdAt: 'month' },
  sort: 'count:desc',
});
only<boolean>(groups.meta.pagination.hasMore);
only<'news' | 'opinion' | 'review' | null | undefined>(groups.data[0]?.group.kind);
only<string | null | undefined>(groups.data[0]?.group.author);
only<number | undefined>(groups.data[0]?.count);
// @ts-expect-error no such attribute
client.articles.aggregate({ sum: 'colour' });

// Everything else
for await (const article of client.articles.iterate({ fields: ['title'], pagination: { limit: 50 } })) {
  only<string>(article.title);
  // @ts-expect-error not selected
  article.slug;
}
// @ts-expect-error the pages are those of the client
client.articles.iterate({ pagination: { page: 2 } });
const [file] = await client.upload(new Blob(['x']), { info: { alternativeText: 'A lamp' } });
only<string | undefined>(file?.url);
await client.files.find({ filters: { mime: { $startsWith: 'image/' } } });
const { user } = await client.auth.signIn({ identifier: 'ada', password: 'secret' });
only<string>(user.email);
only<string>((await client.auth.me()).username);
const answer = await client.graphql<{ articles: { title: string }[] }>('…', { limit: 1 });
only<string | undefined>(answer.articles[0]?.title);
const { signal } = new AbortController();
for await (const event of client.subscribe<{ articlePublished: { title: string } }>('…', {}, { signal }))
  only<string>(event.articlePublished.title);
const named = client.collection('articles');
only<typeof named>(client.articles);
const typed = { __apiType: (_: { id: string }): { hello: number } => ({ hello: 1 }) };
only<number>((await client.graphql(typed, { id: '1' })).hello);
// @ts-expect-error its variables are other ones
client.graphql(typed, { id: 1 });

const endLive: () => void = client.live(
  ({ articles }) => articles.find({ fields: ['title'] }),
  ({ data, meta }) => {
    only<string | undefined>(data[0]?.documentId);
    only<number | undefined>(meta.pagination.total);
    // @ts-expect-error It is not selected.
    data[0]?.kind;
  },
  { signal, onError: (error: unknown) => void error },
);
endLive();

try {
  await client.articles.findOne('id', {}, { signal });
} catch (error) {
  if (error instanceof ValidationError) only<readonly string[] | undefined>(error.issues[0]?.path);
  if (error instanceof RateLimitError) only<number | null>(error.retryAfter);
  if (error instanceof NotFoundError || error instanceof ApiError) only<number>(error.status);
}
`;

describe('the types of the client', () => {
  it('follow the query, and refuse its mistakes', async () => {
    expect(await compileFrontEnd(await loadFixtureModel('magazine'), USAGE, BROWSER)).toBe('');
  });

  it('keep types whose names the client has itself, or that hold a hyphen', async () => {
    const attributes = { name: { type: 'string', required: true } } as const;
    const usage = `
      import { createClient } from '${CLIENT}';
      import type { ClientSchema } from './types/index.js';
      const client = createClient<ClientSchema>({ url: 'http://localhost:1337' });
      export const session: string | undefined = client.auth.session?.jwt;
      export const list = client.collection('auth').find().then(({ data }) => data[0]?.name.trim());
      export const notes = client['side-notes'].find({ fields: ['name'] });
    `;
    const model = modelFrom({
      types: { key: { pluralName: 'auth', attributes }, note: { pluralName: 'side-notes', attributes } },
    });
    expect(await compileFrontEnd(model, usage, BROWSER)).toBe('');
  });
});
