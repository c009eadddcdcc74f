import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenapiDocument } from '../../../src/project/openapi-document.js';
import { databases } from '../../support/databases.js';
import { printAllTypes } from '../../support/print-all-types.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const ifVideo = { conditions: { visible: { '==': [{ var: 'kind' }, 'video'] } } };
const ifNot = { conditions: { visible: { '!=': [{ var: 'kind' }, 'plain'] } } };
const KIND = { type: 'enumeration', enum: ['plain', 'video'], default: 'plain' };
const URL = { type: 'string', required: true, minLength: 5, ...ifVideo };

const clip = (draftAndPublish: boolean): object => ({
  url: URL,
  kind: KIND,
  count: { type: 'integer', required: true, min: 3, ...ifNot },
  cover: { type: 'media', required: true, ...ifVideo },
  author: {
    type: 'relation',
    relation: 'manyToOne',
    target: 'api::maker.maker',
    required: true,
    ...ifVideo,
  },
  part: { type: 'component', component: 'c.part', required: true, ...ifVideo },
  parts: { type: 'component', component: 'c.part', repeatable: true, required: true, min: 1, ...ifVideo },
  zone: { type: 'dynamiczone', components: ['c.part'], required: true, min: 1, ...ifVideo },
  ...(draftAndPublish ? {} : { note: { type: 'string' } }),
});

const schema = (name: string, attributes: object, more: { kind?: string; options?: object } = {}): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    ...more,
  });

const pathOf = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;

const FILES = {
  [pathOf('clip')]: schema('clip', clip(true), { options: { draftAndPublish: true } }),
  [pathOf('reel')]: schema('reel', clip(false)),
  [pathOf('box')]: schema('box', { items: { type: 'component', component: 'c.part', repeatable: true } }),
  [pathOf('intro')]: schema('intro', { kind: KIND, url: URL }, { kind: 'singleType' }),
  [pathOf('maker')]: schema('maker', { name: { type: 'string' } }),
  'src/components/c/part.json': JSON.stringify({
    info: { displayName: 'Part' },
    attributes: { kind: KIND, label: URL, picture: { type: 'media', required: true, ...ifVideo } },
  }),
};

const HIDDEN = { kind: 'plain' };
const MISSING = ['url', 'count', 'cover', 'author', 'part', 'parts', 'zone'];

describe.each(databases)('attributes that a condition hides on $name', (database) => {
  let site: Site;
  let file = 0;
  let author = '';

  const send = async (method: string, path: string, body?: unknown): Promise<[number, never]> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [response.status, (response.status === 204 ? null : await response.json()) as never];
  };
  const missing = async (
    method: string,
    path: string,
    data: object,
  ): Promise<[number, readonly string[]]> => {
    const [status, body] = await send(method, path, { data });
    const { error } = body as { error?: { details: { errors?: { path: string[] }[] } } };
    return [status, (error?.details.errors ?? []).map(({ path: keys }) => keys.join('.'))];
  };
  const created = async (path: string, data: object): Promise<string> =>
    ((await send('POST', path, { data }))[1] as { data: { documentId: string } }).data.documentId;
  const graphql = async (query: string): Promise<unknown> => (await send('POST', '/graphql', { query }))[1];
  const shown = (): object => ({
    kind: 'video',
    url: 'https://v',
    count: 3,
    cover: file,
    author,
    part: { kind: 'plain' },
    parts: [{ kind: 'plain' }],
    zone: [{ __component: 'c.part', kind: 'plain' }],
  });

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
    const form = new FormData();
    form.append('files', new Blob([PNG], { type: 'image/png' }), 'a.png');
    const uploaded = await fetch(`${site.server.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}` },
      body: form,
    });
    file = ((await uploaded.json()) as [{ id: number }])[0].id;
    author = await created('/api/makers', { name: 'Ada' });
  });
  afterAll(() => site.close());

  it.each(['clips', 'reels'])('are not required on creating %s, by default and as sent', async (plural) => {
    expect(await missing('POST', `/api/${plural}`, {})).toEqual([201, []]);
    expect(await missing('POST', `/api/${plural}`, HIDDEN)).toEqual([201, []]);
    expect(await missing('POST', `/api/${plural}`, { ...HIDDEN, url: 'x', count: 1, parts: [] })).toEqual([
      201,
      [],
    ]);
    expect(await missing('POST', `/api/${plural}`, { kind: 'video' })).toEqual([400, MISSING]);
    expect(await missing('POST', `/api/${plural}`, shown())).toEqual([201, []]);
    // Without a value, "is not plain" holds.
    expect(await missing('POST', `/api/${plural}`, { kind: null })).toEqual([400, ['count']]);
  });

  it.each(['clips', 'reels'])('are required of %s once an update shows them', async (plural) => {
    const id = await created(`/api/${plural}`, HIDDEN);
    const path = `/api/${plural}/${id}`;
    expect(await missing('PUT', path, { url: null, part: null, author: null })).toEqual([200, []]);
    const { author: _author, cover: _cover, ...rest } = shown() as Record<string, unknown>;
    // Links that a write does not mention are looked up, after its values have been checked.
    expect((await missing('PUT', path, rest))[0]).toBe(400);
    expect((await missing('PUT', path, { ...rest, cover: file }))[1]).toEqual(['author']);
    expect(await missing('PUT', path, shown())).toEqual([200, []]);
    expect(await missing('PUT', path, { url: null })).toEqual([400, ['url']]);
    expect(await missing('PUT', path, { url: null, author: null, ...HIDDEN })).toEqual([200, []]);
    expect((await missing('PUT', path, { kind: 'video', url: 'https://w' }))[1]).toEqual(['author']);
  });

  it('publishing a draft heeds them', async () => {
    const id = await created('/api/clips?status=draft', { kind: 'video' });
    const publish = { data: [{ action: 'publish', documentId: id }] };
    expect((await missing('PUT', `/api/clips/${id}`, {}))[1]).toEqual([
      'url',
      'count',
      'part',
      'parts',
      'zone',
    ]);
    expect((await send('POST', '/api/clips/bulk', publish))[0]).toBe(400);
    await send('PUT', `/api/clips/${id}?status=draft`, { data: HIDDEN });
    expect((await send('POST', '/api/clips/bulk', publish))[0]).toBe(200);
  });

  it('bulks heed them', async () => {
    const item = (data: object): object => ({ action: 'create', data });
    expect((await send('POST', '/api/reels/bulk', { data: [item(HIDDEN), item({})] }))[0]).toBe(200);
    expect(
      (await send('POST', '/api/reels/bulk', { data: [item(HIDDEN), item({ kind: 'video' })] }))[0],
    ).toBe(400);
    const ids = [await created('/api/reels', HIDDEN), await created('/api/reels', HIDDEN)];
    const updates = ids.map((documentId) => ({
      action: 'update',
      documentId,
      data: { kind: 'video', url: 'https://v' },
    }));
    expect((await send('POST', '/api/reels/bulk', { data: updates }))[0]).toBe(400);
    const rest = { ...shown(), author: undefined };
    const [status, body] = await send('POST', '/api/reels/bulk', {
      data: ids.map((documentId) => ({ action: 'update', documentId, data: rest })),
    });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('author') as string]);
  });

  it('components have their own', async () => {
    const items = [{ kind: 'plain' }, { kind: 'video' }];
    expect(await missing('POST', '/api/boxs', { items: [{}] })).toEqual([201, []]);
    expect(await missing('POST', '/api/boxs', { items })).toEqual([
      400,
      ['items.1.label', 'items.1.picture'],
    ]);
    const id = await created('/api/boxs', { items: [{ kind: 'plain' }] });
    const [, body] = await send('GET', `/api/boxs/${id}?populate=items`);
    const [item] = (body as { data: { items: [{ id: number }] } }).data.items;
    expect(await missing('PUT', `/api/boxs/${id}`, { items: [{ id: item.id, kind: 'video' }] })).toEqual([
      400,
      ['items.0.label', 'items.0.picture'],
    ]);
    expect(await missing('PUT', `/api/boxs/${id}`, { items: [{ id: item.id }] })).toEqual([200, []]);
  });

  it('single types have them', async () => {
    expect(await missing('PUT', '/api/intro', HIDDEN)).toEqual([200, []]);
    expect(await missing('PUT', '/api/intro', { kind: 'video' })).toEqual([400, ['url']]);
  });

  it('GraphQL may omit them, and returns null', async () => {
    expect(
      await graphql(
        'mutation { createReel(data: { kind: plain }) { url count part { label } author { name } } }',
      ),
    ).toEqual({ data: { createReel: { url: null, count: null, part: null, author: null } } });
    expect(await graphql('mutation { createReel(data: { kind: video }) { url } }')).toHaveProperty('errors');
  });

  it('OpenAPI and types have them optional', async () => {
    const document: unknown = createOpenapiDocument(site.project, []);
    const { schemas } = (document as { components: { schemas: Record<string, { required?: string[] }> } })
      .components;
    expect(schemas['ReelInput']?.required ?? []).toEqual([]);
    expect(JSON.stringify(schemas['Reel'])).toContain('"url":{"type":["string","null"]}');
    const files = await printAllTypes(site.project.model);
    const text = files.find(({ path }) => path === 'types/content-types.d.ts')?.text ?? '';
    expect(/interface Reel \{[\s\S]*?\n\}/.exec(text)?.[0]).toMatch(/url: string \| null/);
    expect(/interface ReelInput \{[\s\S]*?\n\}/.exec(text)?.[0]).toMatch(/url\?:/);
  });
});
