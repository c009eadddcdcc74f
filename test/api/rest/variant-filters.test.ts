import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const schema = (name: string, attributes: object): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: 'string' }, ...attributes },
  });

const part = (attributes: object): string =>
  JSON.stringify({ info: { displayName: 'Part' }, attributes: { name: { type: 'string' }, ...attributes } });

const FILES = {
  'src/api/page/content-types/page/schema.json': schema('page', {
    zone: { type: 'dynamiczone', components: ['c.count', 'c.text'] },
    things: { type: 'relation', relation: 'morphToMany' },
  }),
  'src/api/tag/content-types/tag/schema.json': schema('tag', {
    pages: { type: 'relation', relation: 'morphMany', target: 'api::page.page', morphBy: 'things' },
  }),
  'src/api/pen/content-types/pen/schema.json': schema('pen', {
    pages: { type: 'relation', relation: 'morphMany', target: 'api::page.page', morphBy: 'things' },
  }),
  // The same name has another type in each.
  'src/components/c/count.json': part({
    value: { type: 'integer' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
  }),
  'src/components/c/text.json': part({ value: { type: 'string' } }),
};

const COUNT = 'populate[zone][on][c.count]';
const TEXT = 'populate[zone][on][c.text]';
const THINGS = 'populate[things][on]';

describe.each(databases)('filters of what is of several types on $name', (database) => {
  let site: Site;
  let page = '';
  const ids: Record<string, { readonly documentId: string; readonly id: number }> = {};

  const send = async <T>(path: string, method = 'GET', data?: unknown): Promise<T> => {
    const response = await fetch(`${site.server.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    return (await response.json()) as T;
  };
  const create = async (type: string, title: string): Promise<string> => {
    const { data } = await send<{ data: { documentId: string; id: number } }>(type, 'POST', { title });
    ids[title] = data;
    return data.documentId;
  };

  interface Page {
    readonly data?: { readonly zone?: { name: string }[]; readonly things?: { title: string }[] };
    readonly error?: { readonly message: string };
  }
  const shown = async (query: string): Promise<string> => {
    const { data, error } = await send<Page>(`pages/${page}?${query}`);
    const list = data?.zone?.map(({ name }) => name) ?? data?.things?.map(({ title }) => title);
    return error?.message ?? (list ?? []).join('');
  };

  beforeAll(async () => {
    site = await createSite({ project: 'launchpad', database, files: FILES });
    const tag = await create('tags', 'x');
    for (const title of ['y', 'z']) await create('tags', title);
    await create('pens', 'p');
    await create('pens', 'q');
    const count = (name: string, value: number | null, more = {}): object => ({
      __component: 'c.count',
      name,
      value,
      ...more,
    });
    const text = (name: string, value: string): object => ({ __component: 'c.text', name, value });
    const { data } = await send<{ data: { documentId: string } }>('pages', 'POST', {
      zone: [
        count('a', 3),
        text('b', 'z'),
        count('c', 1, { tag }),
        count('d', null),
        text('e', '5'),
        count('f', 2),
      ],
    });
    page = data.documentId;
  });
  afterAll(() => site.close());

  it.each([
    [`${COUNT}[filters][value][$lt]=3`, 'cf'],
    [`${COUNT}[filters][value][$lt]=3&${TEXT}[filters][value][$contains]=z`, 'bcf'],
    [`${COUNT}[filters][value][$lt]=3&${TEXT}=true`, 'bcef'],
    [`${TEXT}[filters][value]=5`, 'e'],
    [`${COUNT}[filters][value][$null]=true`, 'd'],
    [`${COUNT}[filters][$or][0][value]=1&${COUNT}[filters][$or][1][value]=2`, 'cf'],
    [`${COUNT}[filters][tag][title]=x`, 'c'],
    [`${COUNT}[filters][tag][title]=y`, ''],
    [`${COUNT}[sort]=value`, 'dcfa'],
    [`${COUNT}[sort]=value:desc`, 'afcd'],
    [`${COUNT}[sort]=value&${TEXT}=true`, 'dbcfea'],
    [`${COUNT}[sort]=value:desc&${TEXT}[sort]=value`, 'aefcbd'],
    [`${COUNT}[sort]=value&${COUNT}[filters][value][$notNull]=true&${TEXT}=true`, 'cbfea'],
    [`${COUNT}[fields]=name&${COUNT}[sort]=name:desc`, 'fdca'],
    [
      `${COUNT}[filters][nope]=3`,
      'Invalid parameter populate.zone.on.c.count.filters.nope: c.count has no such attribute here. ' +
        'Did you mean name?',
    ],
    [`${COUNT}[sort]=nope`, 'Invalid parameter populate.zone.on.c.count.sort.nope'],
  ])('%s shows %s', async (query, expected) => {
    const shownText = await shown(query);
    expect(shownText.startsWith('Invalid') ? shownText.slice(0, 50) : shownText).toBe(expected.slice(0, 50));
  });

  it('places what is connected beside a document of another type', async () => {
    const of = (title: string, type = 'tag', position?: unknown): object => ({
      __type: `api::${type}.${type}`,
      documentId: ids[title]?.documentId,
      position,
    });
    const connect = async (...items: object[]): Promise<string> => {
      const { error } = await send<Page>(`pages/${page}`, 'PUT', { things: { connect: items } });
      return error?.message ?? shown('populate=things');
    };
    expect(await connect(of('x'), of('p', 'pen'))).toBe('xp');
    expect(await connect(of('y', 'tag', { before: ids['p']?.id, __type: 'api::pen.pen' }))).toBe('xyp');
    expect(await connect(of('z', 'tag', { after: ids['x']?.id }))).toBe('xzyp');
    expect(await connect(of('x', 'tag', 'end'))).toBe('zypx');
    expect(await connect(of('q', 'pen', { before: ids['x']?.documentId, __type: 'api::tag.tag' }))).toBe(
      'zypqx',
    );
  });

  it('filters polymorphic relations by type', async () => {
    expect(await shown(`${THINGS}[api::tag.tag][filters][title][$ne]=y`)).toBe('zx');
    expect(await shown(`${THINGS}[api::tag.tag][filters][title]=y&${THINGS}[api::pen.pen]=true`)).toBe('ypq');
    expect(await shown(`${THINGS}[api::tag.tag][sort]=title`)).toContain('no such option here');
  });
});
