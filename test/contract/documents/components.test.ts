import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, faultsOf } from './service.js';
import type { Answer, Api } from './service.js';

const POPULATE = { seo: { populate: '*' }, links: { populate: '*' }, sections: { on: { 'sections.quote': true, 'sections.text': true, 'sections.related': { populate: '*' } } } };
const DRAFT = { status: 'draft' };

describe.each(databases)('components and zones on $name', (database) => {
  let world: World;
  let api: Api;
  let tag: string;
  let file: Answer;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    api = createApi(world);
    tag = (await api.create('tag', { name: 'tag' })).documentId;
    file = await api.create('file', { name: 'f', hash: 'h', mime: 'image/png', size: 1, url: '/f', provider: 'local' });
  });
  afterAll(() => world.close());

  const read = (documentId: string, params: object = {}) => api.one('article', documentId, { ...params, populate: POPULATE, fields: ['title'] });
  const items = (value: unknown) => value as readonly Answer[];

  const full = () => ({
    title: 'C',
    seo: { metaTitle: 'One', metaDescription: 'D', image: file.id, social: [{ network: 'bluesky', handle: 'x' }, { network: 'mastodon' }] },
    links: [{ label: 'A', tag }, { label: 'B', external: true }],
    sections: [{ __component: 'sections.quote', text: 'Q' }, { __component: 'sections.related', heading: 'H', tags: [tag] }, { __component: 'sections.text', body: 'T' }],
  });

  it('are stored whole, with ids that are positive, exact and all different', async () => {
    const { documentId } = await api.create('article', full());
    const article = await read(documentId);
    expect(article).toMatchObject({
      seo: { metaTitle: 'One', canonical: null, image: { id: file.id }, social: [{ network: 'bluesky', handle: 'x' }, { network: 'mastodon', handle: null }] },
      links: [{ label: 'A', href: null, external: false, tag: { name: 'tag' } }, { label: 'B', external: true, tag: null }],
      sections: [{ __component: 'sections.quote', text: 'Q', source: null }, { __component: 'sections.related', heading: 'H', tags: [{ name: 'tag' }] }, { __component: 'sections.text', body: 'T' }],
    });
    const seo = article?.['seo'] as Answer;
    const ids = [seo, ...items(seo['social']), ...items(article?.['links']), ...items(article?.['sections'])].map(({ id }) => id);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(8);
  });

  it('keep their ids while they are kept, in both versions', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    await api.update('article', documentId, { title: 'C2' });
    expect(await read(documentId)).toEqual({ ...before, title: 'C2' });
    expect((await read(documentId, DRAFT))?.['links']).toEqual(before?.['links']);
  });

  it('sent back as they were read, they stay as they were', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    const links = [...items(before?.['links'])].reverse();
    await api.update('article', documentId, { seo: before?.['seo'], links, sections: before?.['sections'] });
    expect(await read(documentId)).toEqual({ ...before, links });
  });

  it('with an id are changed in part, links included', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    const seo = before?.['seo'] as Answer;
    const related = items(before?.['sections'])[1];
    const other = await api.create('tag', { name: `other ${database.name}` });
    await api.update('article', documentId, {
      seo: { id: seo.id, canonical: 'c', social: [{ id: items(seo['social'])[1]?.id, handle: 'h' }] },
      links: [{ id: items(before?.['links'])[0]?.id, label: 'A2', tag: null }],
      sections: [{ __component: 'sections.related', id: related?.id, tags: { connect: [{ documentId: other.documentId, position: { start: true } }] } }],
    });
    expect(await read(documentId)).toMatchObject({
      seo: { id: seo.id, metaTitle: 'One', metaDescription: 'D', canonical: 'c', image: { id: file.id }, social: [{ id: items(seo['social'])[1]?.id, network: 'mastodon', handle: 'h' }] },
      links: [{ id: items(before?.['links'])[0]?.id, label: 'A2', tag: null }],
      sections: [{ id: related?.id, heading: 'H', tags: [{ name: `other ${database.name}` }, { name: 'tag' }] }],
    });
  });

  it('of the published version are known when the draft has lost them', async () => {
    const { documentId } = await api.create('article', full());
    const published = await read(documentId);
    await api.update('article', documentId, { links: [] }, DRAFT);
    await api.update('article', documentId, { links: published?.['links'] });
    expect((await read(documentId))?.['links']).toMatchObject([{ label: 'A' }, { label: 'B' }]);
    expect(await faultsOf(api.update('article', documentId, { links: [{ id: 123_456, label: 'nobody’s' }] }))).toEqual(['links.0.id']);
  });

  it('of a document copied as a whole get ids of their own', async () => {
    const source = await read((await api.create('article', full())).documentId);
    const { id: _id, documentId: _documentId, ...data } = source as Answer;
    const copy = await read((await api.create('article', data)).documentId);
    expect(items(copy?.['links']).map(({ label }) => label)).toEqual(['A', 'B']);
    expect(items(copy?.['links'])[0]?.id).not.toBe(items(source?.['links'])[0]?.id);
  });

  it('belong to a version: a draft’s do not show in what is published', async () => {
    const { documentId } = await api.create('article', full());
    const before = await read(documentId);
    await api.update('article', documentId, { seo: null, links: [{ href: 'no label' }], sections: [] }, DRAFT);
    expect(await read(documentId)).toEqual(before);
    expect(await read(documentId, DRAFT)).toMatchObject({ seo: null, links: [{ label: null, href: 'no label' }], sections: [] });
    expect(await faultsOf(api.act('publish', 'article', documentId))).toEqual(['links.0.label']);
  });

  it('shared by all locales are written through any of them', async () => {
    const { documentId } = await api.create('article', full());
    await api.update('article', documentId, { title: 'fr', links: [{ label: 'partout' }] }, { locale: 'fr' });
    expect(await read(documentId)).toMatchObject({ title: 'C', seo: { metaTitle: 'One' }, links: [{ label: 'partout' }] });
    expect(await read(documentId, { locale: 'fr' })).toMatchObject({ seo: null, links: [{ label: 'partout' }], sections: [] });
  });

  it('filter and populate by what they link', async () => {
    const found = await api.list('article', { filters: { links: { tag: { name: 'tag' } } }, fields: ['title'] });
    expect(found.length).toBeGreaterThan(0);
    expect(await api.list('article', { filters: { links: { tag: { name: 'nobody' } } } })).toEqual([]);
  });

  it('in their thousands are one value of one row', async () => {
    const social = Array.from({ length: 5000 }, (_, index) => ({ handle: `h${index}` }));
    const { documentId } = await api.create('article', { title: 'big', seo: { metaTitle: 'm', social } });
    const seo = (await read(documentId))?.['seo'] as Answer;
    expect(items(seo['social'])).toHaveLength(5000);
    expect(new Set(items(seo['social']).map(({ id }) => id)).size).toBe(5000);
  });
});

const UNIQUE = {
  types: {
    page: {
      draftAndPublish: true, localized: true,
      attributes: {
        title: { type: 'string', pluginOptions: { i18n: { localized: true } } }, hero: { type: 'component', component: 'shared.card', pluginOptions: { i18n: { localized: true } } },
        cards: { type: 'component', component: 'shared.card', repeatable: true }, zone: { type: 'dynamiczone', components: ['shared.card', 'shared.box'] },
      },
    },
  },
  components: {
    'shared.card': { attributes: { code: { type: 'string', unique: true }, number: { type: 'integer', unique: true }, big: { type: 'biginteger', unique: true }, at: { type: 'datetime', unique: true }, ratio: { type: 'decimal', unique: true }, boxes: { type: 'component', component: 'shared.box', repeatable: true } } },
    'shared.box': { attributes: { label: { type: 'uid' }, code: { type: 'string', unique: true } } },
  },
} as const;

describe.each(databases)('unique values inside components on $name', (database) => {
  let world: World;
  let api: Api;
  beforeAll(async () => {
    world = await createWorld({ model: UNIQUE, database });
    api = createApi(world);
  });
  afterAll(() => world.close());

  it('are refused with their path, wherever another document has them in the same place', async () => {
    const values = { code: "it's", number: 7, big: '9007199254740993', at: '2026-01-01T00:00:00.000Z', ratio: 1.5 };
    const data = { hero: values, cards: [{ code: 'a' }, { code: 'b', boxes: [{ label: 'x' }, { label: 'y' }] }], zone: [{ __component: 'shared.box', code: 'z' }, { __component: 'shared.card', code: 'z' }] };
    const first = await api.create('page', data);
    expect(await faultsOf(api.create('page', { hero: values }))).toEqual(['hero.code', 'hero.number', 'hero.big', 'hero.at', 'hero.ratio']);
    expect(await faultsOf(api.create('page', { cards: [{ code: 'new' }, { code: 'b' }, { boxes: [{ label: 'new' }, { label: 'y' }] }] }))).toEqual(['cards.1.code', 'cards.2.boxes.1.label']);
    expect(await faultsOf(api.create('page', { zone: [{ __component: 'shared.card', code: 'new' }, { __component: 'shared.box', code: 'z' }] }))).toEqual(['zone.1.code']);
    expect(await api.update('page', first.documentId, data)).not.toBeNull();
    expect(await api.create('page', { hero: { code: 'a', number: null }, cards: [{ code: "it's", number: 7 }, { number: 8 }, {}, {}] })).not.toBeNull();
  });

  it('may not be given twice in one list', async () => {
    expect(await faultsOf(api.create('page', { cards: [{ code: 'twice' }, { code: 'once' }, { code: 'twice' }] }))).toEqual(['cards.2.code']);
  });

  it('are kept apart by locale and status, and checked when they are published', async () => {
    const first = await api.create('page', { hero: { code: 'draft' }, cards: [{ code: 'shared' }] }, DRAFT);
    const second = await api.create('page', { hero: { code: 'draft' } }, { locale: 'fr' });
    expect(await api.update('page', second.documentId, { cards: [{ code: 'shared' }] }, { locale: 'fr', ...DRAFT })).not.toBeNull();
    expect(await faultsOf(api.update('page', second.documentId, { title: 'en' }))).toEqual(['cards.0.code']);
    expect(await faultsOf(api.create('page', { hero: { code: 'draft' } }, DRAFT))).toEqual(['hero.code']);
    await api.act('publish', 'page', first.documentId);
    expect(await faultsOf(api.create('page', { hero: { code: 'draft' } }))).toEqual(['hero.code']);
  });
});
