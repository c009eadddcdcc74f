import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const schema = (name: string, attributes: object, options = {}): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  });

const MEDIA = { type: 'media', multiple: false };

const FILES = {
  'src/api/post/content-types/post/schema.json': schema(
    'post',
    {
      pic: MEDIA,
      pics: { ...MEDIA, multiple: true },
      hidden: { ...MEDIA, private: true },
      box: { type: 'component', component: 'c.box' },
      boxes: { type: 'component', component: 'c.box', repeatable: true },
      zone: { type: 'dynamiczone', components: ['c.box'] },
    },
    { draftAndPublish: true },
  ),
  'src/api/shelf/content-types/shelf/schema.json': schema('shelf', {
    posts: { type: 'relation', relation: 'oneToMany', target: 'api::post.post' },
  }),
  'src/components/c/box.json': JSON.stringify({
    info: { displayName: 'Box' },
    attributes: { label: { type: 'string' }, pic: MEDIA, pics: { ...MEDIA, multiple: true } },
  }),
};

interface File {
  readonly id: number;
  readonly documentId: string;
}

describe.each(databases)('filters by files on $name', (database) => {
  let site: Site;
  let image: File;
  let note: File;

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${site.tokens['full']}` });
  const send = async <T = unknown>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${site.server.url}${path}`, {
      headers: { ...headers(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  const upload = async (name: string, type: string, content: Uint8Array<ArrayBuffer>): Promise<File> => {
    const form = new FormData();
    form.append('files', new Blob([content], { type }), name);
    const response = await fetch(`${site.server.url}/api/upload`, {
      method: 'POST',
      headers: headers(),
      body: form,
    });
    return ((await response.json()) as [File])[0];
  };
  const create = async (type: string, data: object, query = ''): Promise<string> =>
    (await send<{ data: { documentId: string } }>(`/api/${type}${query}`, { data })).data.documentId;
  const titles = async (query: string): Promise<string> => {
    const body = await send(`/api/posts?sort=title&${query}`);
    const { data, error } = body as { data?: { title: string }[]; error?: { message: string } };
    return error?.message ?? (data ?? []).map(({ title }) => title).join();
  };

  beforeAll(async () => {
    site = await createSite({ project: 'launchpad', database, files: FILES });
    image = await upload('a.png', 'image/png', new Uint8Array(PNG));
    note = await upload('b.txt', 'text/plain', new Uint8Array(Buffer.from('b')));
    const post = await create('posts', {
      title: 'a',
      pic: image.id,
      pics: [image.id, note.id],
      box: { label: 'x', pic: image.id },
      boxes: [{ pic: note.id }, { pics: [image.id] }],
      zone: [
        { __component: 'c.box', label: 'y', pic: image.id },
        { __component: 'c.box', label: 'z', pic: note.id },
      ],
    });
    await create('posts', { title: 'b', pic: note.id, pics: [note.id], boxes: [{ pic: note.id }] });
    await create('posts', { title: 'c' });
    await create('posts', { title: 'd', pic: image.id }, '?status=draft');
    await create('shelfs', { title: 's', posts: [post] });
  });
  afterAll(() => site.close());

  it.each([
    ['filters[pic][ext]=.png', 'a'],
    ['filters[pic][ext][$eq]=.txt', 'b'],
    ['filters[pic][name][$contains]=a.p', 'a'],
    ['filters[pic][mime][$startsWith]=image/', 'a'],
    ['filters[pic][size][$gte]=0', 'a,b'],
    ['filters[pic][$notNull]=true', 'a,b'],
    ['filters[pic][$null]=true', 'c'],
    ['filters[pic][id][$notNull]=true', 'a,b'],
    ['filters[pic][id][$null]=true', 'c'],
    ['filters[pic][id]={image}', 'a'],
    ['filters[pic]={image}', 'a'],
    ['filters[pic][$in][0]={note}', 'b'],
    ['filters[pic][$ne]={note}', 'a'],
    ['filters[pic][documentId]={imageId}', 'a'],
    ['filters[$not][pic][ext]=.png', 'b'],
    ['filters[$or][0][pic][ext]=.png&filters[$or][1][title]=c', 'a,c'],
    ['filters[pics][ext]=.txt', 'a,b'],
    ['filters[pics][id]={image}', 'a'],
    ['filters[pics][$null]=true', 'c'],
    ['filters[box][pic][ext]=.png', 'a'],
    ['filters[box][pic][$notNull]=true', 'a'],
    ['filters[boxes][pic][ext]=.txt', 'a,b'],
    ['filters[boxes][pics][id]={image}', 'a'],
    ['filters[pic][ext]=.png&status=draft', 'a,d'],
    [
      'filters[pic]={imageId}',
      'Invalid parameter filters.pic: it compares the numeric id. ' +
        'For a documentId write filters[pic][documentId].',
    ],
    ['filters[hidden][ext]=.png', 'Invalid parameter filters.hidden: post has no such attribute here.'],
    ['filters[pic][zzzzz]=1', 'Invalid parameter filters.pic.zzzzz: file has no such attribute here.'],
    [
      'filters[zone][pic][ext]=.png',
      'Invalid parameter filters.zone: dynamic zones cannot be used in filters.',
    ],
  ])('%s finds %s', async (query, expected) => {
    const filled = query
      .replace('{image}', String(image.id))
      .replace('{note}', String(note.id))
      .replace('{imageId}', image.documentId);
    expect(await titles(filled)).toBe(expected);
  });

  it('work in what is populated', async () => {
    const query = [
      'populate[posts][filters][pic][ext]=.txt',
      'populate[posts][filters][pic][$notNull]=true',
    ].join('&');
    expect(await send(`/api/shelfs?${query}`)).toMatchObject({ data: [{ posts: [] }] });
    expect(await send('/api/shelfs?populate[posts][filters][pic][ext]=.png')).toMatchObject({
      data: [{ posts: [{ title: 'a' }] }],
    });
    expect(await send('/api/posts?filters[title]=a&populate[boxes][filters][pic][ext]=.txt')).toMatchObject({
      data: [{ boxes: [{ id: expect.any(Number) as number }] }],
    });
  });

  it.each([
    ['{ posts(filters: { pic: { ext: { eq: ".png" } } }) { title } }', ['a']],
    ['{ posts(filters: { not: { pic: { ext: { eq: ".png" } } } }) { title } }', ['b']],
    ['{ posts(filters: { pics: { mime: { startsWith: "image" } } }) { title } }', ['a']],
    ['{ posts(filters: { pic: { documentId: { notNull: true } } }, sort: "title") { title } }', ['a', 'b']],
    ['{ posts(filters: { box: { pic: { name: { eq: "a.png" } } } }) { title } }', ['a']],
  ])('GraphQL: %s', async (query, expected) => {
    const { data } = await send<{ data: { posts: { title: string }[] } }>('/graphql', { query });
    expect(data.posts.map(({ title }) => title)).toEqual(expected);
  });

  it('files come with the documents that link them, where populate asks for these', async () => {
    const related = async (query: string): Promise<unknown> => {
      const files = await send<{ name: string; related?: object[] }[]>(
        `/api/upload/files?sort=name&${query}`,
      );
      return files.map(({ related: documents }) => documents);
    };
    const post = { __type: 'api::post.post', id: expect.any(Number) as number };
    expect(await related('populate=related')).toMatchObject([
      [{ ...post, title: 'a' }],
      [
        { ...post, title: 'a' },
        { ...post, title: 'b' },
      ],
    ]);
    expect(await related('populate[related][on][api::post.post][fields]=title')).toEqual([
      [{ ...post, documentId: expect.any(String) as string, title: 'a' }],
      [expect.anything(), expect.anything()],
    ]);
    expect(await related('populate[related][populate]=*')).toMatchObject([[{ pic: { name: 'a.png' } }], {}]);
    expect(await related('fields=name')).toEqual([undefined, undefined]);
    expect(await send(`/api/upload/files/${image.id}?populate=related`)).toMatchObject({
      related: [{ title: 'a' }],
    });
    expect(await send('/api/posts?filters[title]=a&populate=pic.related')).toMatchObject({
      data: [{ pic: { related: [{ title: 'a' }] } }],
    });
  });

  it('GET /api/upload/files/page lists files in an envelope', async () => {
    const first = await send('/api/upload/files/page?sort=name&pagination[page]=1&pagination[pageSize]=1');
    expect(first).toMatchObject({
      data: [{ name: 'a.png', isUrlSigned: false }],
      meta: { pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
    });
    expect(
      await send('/api/upload/files/page?filters[ext]=.txt&pagination[start]=0&pagination[limit]=5'),
    ).toMatchObject({ data: [{ name: 'b.txt' }], meta: { pagination: { start: 0, limit: 5, total: 1 } } });
    expect(await send('/api/upload/files/page')).toMatchObject({
      data: [{}, {}],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 2 } },
    });
    const anonymous = await fetch(`${site.server.url}/api/upload/files/page`);
    expect(anonymous.status).toBe(403);
  });
});
