import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const schema = (singularName: string, attributes: object, kind = 'collectionType'): string =>
  JSON.stringify({
    kind,
    collectionName: `${singularName}_rows`,
    info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
    options: { draftAndPublish: false, cacheControl: 'public, max-age=60' },
    attributes,
  });

const relation = (kind: string, more: object = {}): object => ({
  type: 'relation',
  relation: kind,
  target: 'api::writer.writer',
  ...more,
});

const FILES: Readonly<Record<string, string>> = {
  'src/api/writer/content-types/writer/schema.json': schema('writer', { name: { type: 'string' } }),
  'src/api/novel/content-types/novel/schema.json': schema('novel', {
    title: { type: 'string' },
    facts: { type: 'json' },
    writer: relation('manyToOne'),
    friends: relation('manyToMany'),
    cover: { type: 'media' },
    extra: { type: 'component', component: 'novels.extra' },
    extras: { type: 'component', component: 'novels.extra', repeatable: true },
    zone: { type: 'dynamiczone', components: ['novels.extra'] },
  }),
  'src/api/shelf/content-types/shelf/schema.json': schema(
    'shelf',
    { place: { type: 'string' } },
    'singleType',
  ),
  'src/components/novels/extra.json': JSON.stringify({
    collectionName: 'components_novels_extras',
    info: { displayName: 'extra' },
    attributes: { text: { type: 'string' }, reader: relation('oneToOne') },
  }),
  'src/api/writer/controllers/writer.js': `
    const { createCoreController } = require('@strapi/strapi').factories;
    module.exports = createCoreController('api::writer.writer', () => ({
      async find(ctx) { return super.find(ctx); },
    }));`,
  'src/api/writer/routes/writer.js': `
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::writer.writer');`,
};

const V4 = { 'strapi-response-format': 'v4' };

type Json = { readonly data: { readonly documentId: string; readonly id: number }; readonly meta: unknown };

describe.each(databases)('responses in the shape of Strapi 4, on $name', (database) => {
  let site: Site;
  let writer: Json['data'];
  let novel: Json['data'];

  const send = async (method: string, path: string, headers: Record<string, string> = {}, data?: object) => {
    const response = await fetch(`${site.server.url}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${site.tokens['full'] ?? ''}`,
        ...(data === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };

  const TIMES = {
    createdAt: expect.any(String) as string,
    updatedAt: expect.any(String) as string,
    publishedAt: expect.any(String) as string,
  };
  const shownWriter = () => ({
    id: writer.id,
    documentId: writer.documentId,
    attributes: { name: 'Ada', ...TIMES },
  });
  const extra = () => ({ id: expect.any(Number) as number, text: 'x', reader: { data: shownWriter() } });
  const POPULATE =
    'populate[extra][populate]=*&populate[extras]=true&populate[zone]=true&populate[writer]=true';
  const ALL = `${POPULATE}&populate[friends]=true&populate[cover]=true`;

  beforeAll(async () => {
    site = await createSite({ project: 'launchpad', database, files: FILES });
    ({ data: writer } = (await send('POST', 'writers', {}, { name: 'Ada' })).body);
    const part = { text: 'x', reader: writer.documentId };
    ({ data: novel } = (
      await send(
        'POST',
        'novels',
        {},
        {
          title: 'One',
          facts: { id: 1, data: [] },
          writer: writer.documentId,
          friends: [writer.documentId],
          extra: part,
          extras: [part],
          zone: [{ __component: 'novels.extra', ...part }],
        },
      )
    ).body);
  });
  afterAll(async () => site.close());

  const shownNovel = () => ({
    id: novel.id,
    documentId: novel.documentId,
    attributes: {
      title: 'One',
      facts: { id: 1, data: [] },
      ...TIMES,
      writer: { data: shownWriter() },
      friends: { data: [shownWriter()] },
      cover: { data: null },
      extra: extra(),
      extras: [{ id: expect.any(Number) as number, text: 'x' }],
      zone: [{ id: expect.any(Number) as number, __component: 'novels.extra', text: 'x' }],
    },
  });

  it('have data around relations and media, also nested in components', async () => {
    const one = await send('GET', `novels/${novel.documentId}?${ALL}`, V4);
    expect(one.body).toEqual({ data: shownNovel(), meta: {} });
    const many = await send('GET', `novels?${ALL}`, V4);
    expect(many.body.data).toEqual([shownNovel()]);
    expect(many.body.meta).toMatchObject({ pagination: { total: 1 } });
    expect(many.headers.get('vary')).toContain('Strapi-Response-Format');
  });

  it('are never those of requests without the header, nor the other way round', async () => {
    const path = `novels?${ALL}`;
    for (let round = 0; round < 4; round += 1) {
      const plain = await send('GET', path);
      expect(plain.body.data).toEqual([expect.objectContaining({ title: 'One' })]);
      expect(plain.headers.get('vary')).toContain('Strapi-Response-Format');
      expect((await send('GET', path, V4)).body.data).toEqual([shownNovel()]);
      expect((await send('GET', path, { 'strapi-response-format': 'v5' })).body).toEqual(plain.body);
    }
    const { headers } = await send('GET', path);
    const etag = headers.get('etag') ?? 'none';
    expect((await send('GET', path, { ...V4, 'if-none-match': etag })).body.data).toEqual([shownNovel()]);
  });

  it('are given to writes, single types and controllers of the project', async () => {
    const updated = await send('PUT', `novels/${novel.documentId}?populate=writer`, V4, { title: 'Two' });
    expect(updated.body.data).toMatchObject({
      attributes: { title: 'Two', writer: { data: shownWriter() } },
    });
    const created = await send('POST', 'novels', V4, { title: 'Three' });
    expect([created.status, created.body.data]).toEqual([
      201,
      expect.objectContaining({ attributes: expect.objectContaining({ title: 'Three' }) as object }),
    ]);
    const single = await send('PUT', 'shelf', V4, { place: 'attic' });
    expect(single.body.data).toMatchObject({ attributes: { place: 'attic' } });
    expect((await send('GET', 'shelf', V4)).body.data).toMatchObject({ attributes: { place: 'attic' } });
    const own = await send('GET', 'writers', V4);
    expect(own.body.data).toEqual([shownWriter()]);
  });

  it('leave errors as they are', async () => {
    const { status, body } = await send('GET', 'novels/none', V4);
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ data: null, error: expect.anything() as unknown }),
    ]);
  });
});
