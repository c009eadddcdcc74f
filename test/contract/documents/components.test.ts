import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const POPULATE = {
  seo: { populate: '*' },
  links: { populate: '*' },
  sections: { on: { 'sections.quote': true, 'sections.text': true, 'sections.related': { populate: '*' } } },
};
const DRAFT = { status: 'draft' };

describe.each(databases)('components and dynamic zones on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  let tag: string;
  let file: ReturnedRecord;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment);
    tag = (await api.create('tag', { name: 'tag' })).documentId;
    file = await api.create('file', {
      name: 'f',
      hash: 'h',
      mime: 'image/png',
      size: 1,
      url: '/f',
      provider: 'local',
    });
  });
  afterAll(() => testEnvironment.close());

  const read = (documentId: string, params: object = {}) =>
    api.one('article', documentId, { ...params, populate: POPULATE, fields: ['title'] });
  const items = (value: unknown) => value as readonly ReturnedRecord[];

  const full = () => ({
    title: 'C',
    seo: {
      metaTitle: 'One',
      metaDescription: 'D',
      image: file.id,
      social: [{ network: 'bluesky', handle: 'x' }, { network: 'mastodon' }],
    },
    links: [
      { label: 'A', tag },
      { label: 'B', external: true },
    ],
    sections: [
      { __component: 'sections.quote', text: 'Q' },
      { __component: 'sections.related', heading: 'H', tags: [tag] },
      { __component: 'sections.text', body: 'T' },
    ],
  });

  it('are stored with all values, and with ids that are positive, safe integers and unique', async () => {
    const { documentId } = await api.create('article', full());
    const article = await read(documentId);
    expect(article).toMatchObject({
      seo: {
        metaTitle: 'One',
        canonical: null,
        image: { id: file.id },
        social: [
          { network: 'bluesky', handle: 'x' },
          { network: 'mastodon', handle: null },
        ],
      },
      links: [
        { label: 'A', href: null, external: false, tag: { name: 'tag' } },
        { label: 'B', external: true, tag: null },
      ],
      sections: [
        { __component: 'sections.quote', text: 'Q', source: null },
        { __component: 'sections.related', heading: 'H', tags: [{ name: 'tag' }] },
        { __component: 'sections.text', body: 'T' },
      ],
    });
    const seo = article?.['seo'] as ReturnedRecord;
    const ids = [
      seo,
      ...items(seo['social']),
      ...items(article?.['links']),
      ...items(article?.['sections']),
    ].map(({ id }) => id);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(8);
  });

  it('keep their ids in both versions when other attributes are updated', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    await api.update('article', documentId, { title: 'C2' });
    expect(await read(documentId)).toEqual({ ...before, title: 'C2' });
    expect((await read(documentId, DRAFT))?.['links']).toEqual(before?.['links']);
  });

  it('are unchanged, except for their order, when they are sent as they were read', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    const links = [...items(before?.['links'])].reverse();
    await api.update('article', documentId, { seo: before?.['seo'], links, sections: before?.['sections'] });
    expect(await read(documentId)).toEqual({ ...before, links });
  });

  it('that are sent with an id keep the values that are not sent, links included', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    const seo = before?.['seo'] as ReturnedRecord;
    const related = items(before?.['sections'])[1];
    const other = await api.create('tag', { name: `other ${database.name}` });
    await api.update('article', documentId, {
      seo: { id: seo.id, canonical: 'c', social: [{ id: items(seo['social'])[1]?.id, handle: 'h' }] },
      links: [{ id: items(before?.['links'])[0]?.id, label: 'A2', tag: null }],
      sections: [
        {
          __component: 'sections.related',
          id: related?.id,
          tags: { connect: [{ documentId: other.documentId, position: { start: true } }] },
        },
      ],
    });
    expect(await read(documentId)).toMatchObject({
      seo: {
        id: seo.id,
        metaTitle: 'One',
        metaDescription: 'D',
        canonical: 'c',
        image: { id: file.id },
        social: [{ id: items(seo['social'])[1]?.id, network: 'mastodon', handle: 'h' }],
      },
      links: [{ id: items(before?.['links'])[0]?.id, label: 'A2', tag: null }],
      sections: [
        { id: related?.id, heading: 'H', tags: [{ name: `other ${database.name}` }, { name: 'tag' }] },
      ],
    });
  });

  it('of the published version can be sent by id when the draft has them no longer', async () => {
    const { documentId } = await api.create('article', full());
    const published = await read(documentId);
    await api.update('article', documentId, { links: [] }, DRAFT);
    await api.update('article', documentId, { links: published?.['links'] });
    expect((await read(documentId))?.['links']).toMatchObject([{ label: 'A' }, { label: 'B' }]);
    expect(
      await issuesOf(api.update('article', documentId, { links: [{ id: 123_456, label: 'nobody’s' }] })),
    ).toEqual(['links.0.id']);
  });

  it('get new ids when a new document is created from the data of another', async () => {
    const source = await read((await api.create('article', full())).documentId);
    const { id: _id, documentId: _documentId, ...data } = source as ReturnedRecord;
    const copy = await read((await api.create('article', data)).documentId);
    expect(items(copy?.['links']).map(({ label }) => label)).toEqual(['A', 'B']);
    expect(items(copy?.['links'])[0]?.id).not.toBe(items(source?.['links'])[0]?.id);
  });

  it('of a draft do not change the published version', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    await api.update(
      'article',
      documentId,
      { seo: null, links: [{ href: 'no label' }], sections: [] },
      DRAFT,
    );
    expect(await read(documentId)).toEqual(before);
    expect(await read(documentId, DRAFT)).toMatchObject({
      seo: null,
      links: [{ label: null, href: 'no label' }],
      sections: [],
    });
    expect(await issuesOf(api.act('publish', 'article', documentId))).toEqual(['links.0.label']);
  });

  it('that all locales share can be written through any of them', async () => {
    const { documentId } = await api.create('article', full());
    await api.update('article', documentId, { title: 'fr', links: [{ label: 'partout' }] }, { locale: 'fr' });
    expect(await read(documentId)).toMatchObject({
      title: 'C',
      seo: { metaTitle: 'One' },
      links: [{ label: 'partout' }],
    });
    expect(await read(documentId, { locale: 'fr' })).toMatchObject({
      seo: null,
      links: [{ label: 'partout' }],
      sections: [],
    });
  });

  it('can be filtered by the documents that they link', async () => {
    const found = await api.list('article', {
      filters: { links: { tag: { name: 'tag' } } },
      fields: ['title'],
    });
    expect(found.length).toBeGreaterThan(0);
    expect(await api.list('article', { filters: { links: { tag: { name: 'nobody' } } } })).toEqual([]);
  });

  it('can be thousands in one document, each with its own id', async () => {
    const social = Array.from({ length: 5000 }, (_, index) => ({ handle: `h${index}` }));
    const { documentId } = await api.create('article', { title: 'big', seo: { metaTitle: 'm', social } });
    const seo = (await read(documentId))?.['seo'] as ReturnedRecord;
    expect(items(seo['social'])).toHaveLength(5000);
    expect(new Set(items(seo['social']).map(({ id }) => id)).size).toBe(5000);
  });
});
