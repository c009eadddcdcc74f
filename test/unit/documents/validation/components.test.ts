import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/lib/stored-value.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { issuesOf, parseInput } from './support.js';
import type { ContextLiteral } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const article = (data: Readonly<Record<string, unknown>>, context?: ContextLiteral) =>
  parseInput(model, 'article', { title: 't', ...data }, context);
const written = async (
  name: string,
  value: unknown,
  context?: ContextLiteral,
): Promise<JsonValue | undefined> => (await article({ [name]: value }, context)).components.get(name);

const seo = {
  id: 7,
  metaTitle: 'One',
  metaDescription: 'D',
  canonical: null,
  image: 'file1',
  social: [
    { id: 8, network: 'bluesky', handle: 'x' },
    { id: 9, network: null, handle: 'y' },
  ],
};

describe('a new component', () => {
  it('gets an id, defaults and nulls, and so do its nested components', async () => {
    expect(await written('seo', { metaTitle: 'm', social: [{ network: 'mastodon' }] })).toEqual({
      id: 1001,
      metaTitle: 'm',
      metaDescription: null,
      canonical: null,
      image: null,
      social: [{ id: 1002, network: 'mastodon', handle: null }],
    });
    expect(await written('links', [{ label: 'A' }, { label: 'B', external: true }])).toEqual([
      { id: 1001, label: 'A', href: null, external: false, tag: null },
      { id: 1002, label: 'B', href: null, external: true, tag: null },
    ]);
  });

  it('has its __component in a dynamic zone', async () => {
    expect(await written('sections', [{ __component: 'sections.text', body: 'b' }])).toEqual([
      { __component: 'sections.text', id: 1001, body: 'b' },
    ]);
  });

  it('refuses an id from the client in a new document', async () => {
    expect(await written('seo', { id: 5, metaTitle: 'm' })).toMatchObject({ id: 1001 });
  });

  it('keeps times and big integers as the API writes them', async () => {
    const literal = modelFrom({
      types: { log: { attributes: { entry: { type: 'component', component: 'shared.entry' } } } },
      components: {
        'shared.entry': {
          attributes: { at: { type: 'datetime' }, size: { type: 'biginteger' }, extra: { type: 'json' } },
        },
      },
    });
    const { components } = await parseInput(literal, 'log', {
      entry: { at: '2026-02-28T13:45:10+02:00', size: '9007199254740993', extra: { a: [1] } },
    });
    expect(components.get('entry')).toEqual({
      id: 1001,
      at: '2026-02-28T11:45:10.000Z',
      size: '9007199254740993',
      extra: { a: [1] },
    });
  });
});

describe('absent and null components', () => {
  it('become null and the empty list in a new document', async () => {
    const { components } = await article({ links: null });
    expect(Object.fromEntries(components)).toEqual({ seo: null, links: [], sections: [] });
  });

  it('in a stored document: absent keeps the value, null clears it', async () => {
    const { components } = await article(
      { links: null, seo: null },
      { stored: { title: 't', seo, links: [], sections: [] } },
    );
    expect(Object.fromEntries(components)).toEqual({ seo: null, links: [] });
  });
});

describe('a stored component', () => {
  const stored = {
    title: 't',
    seo,
    links: [
      { id: 1, label: 'A', href: 'a', external: true, tag: 'tag1' },
      { id: 2, label: 'B', href: null, external: false, tag: null },
    ],
    sections: [{ __component: 'sections.quote', id: 3, text: 'q', source: 's' }],
  };

  it('is replaced when it is sent without its id', async () => {
    expect(await written('seo', { metaTitle: 'Two' }, { stored })).toEqual({
      id: 1001,
      metaTitle: 'Two',
      metaDescription: null,
      canonical: null,
      image: null,
      social: [],
    });
  });

  it.each([[7], ['7']])('is partly updated when it is sent with its id (%o)', async (id) => {
    expect(await written('seo', { id, canonical: 'c' }, { stored })).toEqual({ ...seo, canonical: 'c' });
  });

  it('keeps nested components that are sent with their id', async () => {
    expect(
      await written(
        'seo',
        { id: 7, social: [{ id: 9, network: 'mastodon' }, { handle: 'new' }] },
        { stored },
      ),
    ).toEqual({
      ...seo,
      social: [
        { id: 9, network: 'mastodon', handle: 'y' },
        { id: 1001, network: null, handle: 'new' },
      ],
    });
  });

  it('keeps its values when its id is sent at another position', async () => {
    expect(await written('links', [{ id: 2 }, { id: 1, label: 'A2' }], { stored })).toEqual([
      stored.links[1],
      { ...stored.links[0], label: 'A2' },
    ]);
  });

  it('in a dynamic zone keeps its id only with the same __component', async () => {
    expect(
      await written('sections', [{ __component: 'sections.quote', id: 3, source: null }], { stored }),
    ).toEqual([{ __component: 'sections.quote', id: 3, text: 'q', source: null }]);
    expect(
      await issuesOf(article({ sections: [{ __component: 'sections.text', id: 3 }] }, { stored })),
    ).toEqual(['sections.0.id']);
  });

  it('refuses the id of another attribute, a repeated id and an invalid id', async () => {
    expect(await issuesOf(article({ links: [{ id: 3, label: 'x' }] }, { stored }))).toEqual(['links.0.id']);
    expect(await issuesOf(article({ links: [{ id: 1 }, { id: 1, label: 'x' }] }, { stored }))).toEqual([
      'links.1.id',
    ]);
    expect(
      await issuesOf(
        article(
          {
            links: [
              { id: 'x', label: 'x' },
              { id: 1.5, label: 'x' },
              { id: -1, label: 'x' },
            ],
          },
          { stored },
        ),
      ),
    ).toEqual(['links.0.id', 'links.1.id', 'links.2.id']);
  });

  it('is copied under a new id when its id belongs to another version of the document', async () => {
    expect(
      await written('links', [{ id: 77, label: 'copied' }], { stored, isKnownComponent: (id) => id === 77 }),
    ).toEqual([{ id: 1001, label: 'copied', href: null, external: false, tag: null }]);
  });

  it('drops attributes that the model no longer has, and adds new ones as null or default', async () => {
    const old = { ...stored, links: [{ id: 1, label: 'A', gone: true }] };
    expect(await written('links', [{ id: 1 }], { stored: old })).toEqual([
      { id: 1, label: 'A', href: null, external: false, tag: null },
    ]);
  });
});

describe('the shape of components', () => {
  it.each([
    ['a list for a single component', { seo: [{ metaTitle: 'x' }] }, ['seo']],
    ['text for a single component', { seo: 'x' }, ['seo']],
    ['an object for a repeatable one', { links: { label: 'x' } }, ['links']],
    ['an object for a zone', { sections: { __component: 'sections.quote', text: 'x' } }, ['sections']],
    ['null in a list', { links: [null] }, ['links.0']],
    ['no __component', { sections: [{ text: 'x' }] }, ['sections.0.__component']],
    ['an unknown __component', { sections: [{ __component: 'sections.nope' }] }, ['sections.0.__component']],
    [
      'a __component that the zone does not allow',
      { sections: [{ __component: 'shared.seo', metaTitle: 'x' }] },
      ['sections.0.__component'],
    ],
    [
      'a __component that is a prototype',
      { sections: [{ __component: '__proto__' }, { __component: 'constructor' }] },
      ['sections.0.__component', 'sections.1.__component'],
    ],
  ])('%s is refused', async (_, data, paths) => {
    expect(await issuesOf(article(data))).toEqual(paths);
    const draft = await issuesOf(article(data, { strictness: 'draft' }));
    expect(draft).toEqual(paths);
  });

  it('checks min, max and required only when publishing', async () => {
    const literal = modelFrom({
      types: {
        page: {
          draftAndPublish: true,
          attributes: {
            blocks: {
              type: 'component',
              repeatable: true,
              component: 'shared.block',
              min: 2,
              required: true,
            },
            hero: { type: 'component', component: 'shared.block', required: true },
            zone: { type: 'dynamiczone', components: ['shared.block'], min: 2, max: 3 },
          },
        },
      },
      components: {
        'shared.block': { attributes: { text: { type: 'string', required: true, minLength: 2 } } },
      },
    });
    const page = (data: unknown, context?: ContextLiteral) => parseInput(literal, 'page', data, context);
    const complete = { blocks: [{ text: 'ok' }, { text: 'ok' }], hero: { text: 'ok' } };
    expect(await issuesOf(page({}))).toEqual(['blocks', 'hero']);
    expect(await issuesOf(page({ blocks: null, hero: null }))).toEqual(['blocks', 'hero']);
    expect(await issuesOf(page({ blocks: [], hero: { text: 'ok' } }))).toEqual(['blocks']);
    expect(
      await issuesOf(
        page({
          blocks: [{ text: 'ok' }, { text: 'x' }],
          hero: {},
          zone: [{ __component: 'shared.block', text: 'ok' }],
        }),
      ),
    ).toEqual(['blocks.1.text', 'hero.text', 'zone']);
    expect(
      (
        await page(
          { blocks: [{}], hero: { text: 'x' }, zone: [{ __component: 'shared.block' }] },
          { strictness: 'draft' },
        )
      ).components.get('hero'),
    ).toMatchObject({ text: 'x' });
    const block = { __component: 'shared.block', text: 'ok' };
    const tooMany = { ...complete, zone: [block, block, block, block] };
    expect((await page(tooMany, { strictness: 'draft' })).components.get('zone')).toHaveLength(4);
    expect(await issuesOf(page(tooMany))).toEqual(['zone']);
    const stored = { zone: tooMany.zone.map((item, id) => ({ ...item, id })) };
    expect(await issuesOf(page(complete, { stored, isNew: false }))).toEqual(['zone']);
    expect((await page({ ...complete, zone: [] })).components.get('zone')).toEqual([]);
  });

  it('takes a __component in items of a zone alone', async () => {
    const stray = { __component: 'shared.seo', metaTitle: 'x' };
    expect(await issuesOf(article({ seo: stray }))).toBe('request/invalid-key');
    const links = [{ __component: 'shared.link', label: 'x' }];
    expect(await issuesOf(article({ links }))).toBe('request/invalid-key');
  });

  it('refuses more components than one write may hold', async () => {
    const social = Array.from({ length: 10_001 }, () => ({}));
    expect(await issuesOf(article({ seo: { metaTitle: 'x', social } }))).toBe('request/too-many-items');
  });
});

describe('publishing', () => {
  it('checks every stored component that the write keeps', async () => {
    const stored = {
      title: 't',
      seo: { id: 1, metaTitle: null, social: [{ id: 2, network: 'gone', handle: null }] },
      links: [{ id: 3, label: 'ok' }, { id: 4 }],
      sections: [
        { __component: 'sections.quote', id: 5, text: null },
        { __component: 'sections.removed', id: 6 },
      ],
    };
    expect(await issuesOf(article({}, { stored }))).toEqual([
      'seo.metaTitle',
      'seo.social.0.network',
      'links.1.label',
      'sections.0.text',
    ]);
    expect(
      await issuesOf(
        article({ seo: { id: 1, social: [] } }, { stored: { ...stored, links: [], sections: [] } }),
      ),
    ).toEqual(['seo.metaTitle']);
  });
});
