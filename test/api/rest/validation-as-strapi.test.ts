import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const AUTHOR = 'api::writer.writer';
const PICTURE = { type: 'media', multiple: false, required: true };

const schema = (name: string, attributes: object): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: name === 'book' },
    attributes,
  });

const FILES = {
  'src/api/writer/content-types/writer/schema.json': schema('writer', { name: { type: 'string' } }),
  'src/api/book/content-types/book/schema.json': schema('book', {
    title: { type: 'string', required: true },
    author: { type: 'relation', relation: 'manyToOne', target: AUTHOR, required: true },
    editors: { type: 'relation', relation: 'manyToMany', target: AUTHOR, required: true },
    picture: PICTURE,
    pictures: { ...PICTURE, multiple: true },
    quote: { type: 'component', component: 'c.quote' },
    kind: { type: 'enumeration', enum: ['a', 'b'], unique: true },
    isOld: { type: 'boolean', unique: true },
    code: { type: 'string', unique: true },
  }),
  'src/components/c/quote.json': JSON.stringify({
    info: { displayName: 'Quote' },
    attributes: {
      text: { type: 'string', required: true },
      picture: PICTURE,
      kind: { type: 'enumeration', enum: ['a', 'b'], unique: true },
    },
  }),
};

const LINKS = ['author', 'editors', 'picture', 'pictures', 'quote.picture'];
const BOOK = { title: 'x', kind: 'a', isOld: true, quote: { text: 'x', kind: 'a' } };

describe.each(databases)('validation on $name', (database) => {
  const open = (api: object, files = {}): Promise<Site> =>
    createSite({ project: 'launchpad', database, files: { ...FILES, ...files }, config: { api } });

  const send = async (site: Site, path: string, body: unknown): Promise<[number, never]> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [response.status, (await response.json()) as never];
  };
  const refused = async (site: Site, data: object, query = ''): Promise<[number, readonly string[]]> => {
    const [status, body] = await send(site, `/api/books${query}`, { data });
    const { error } = body as { error?: { details: { errors?: { path: string[] }[] } } };
    return [status, (error?.details.errors ?? []).map(({ path }) => path.join('.'))];
  };

  describe('as in Strapi', () => {
    let site: Site;
    beforeAll(async () => {
      site = await open({ validation: 'strapi' });
    });
    afterAll(() => site.close());

    it('lets relations and files be missing, and enumerations and booleans be the same', async () => {
      expect(await refused(site, BOOK)).toEqual([201, []]);
      expect(await refused(site, { ...BOOK, author: null, pictures: [], editors: null })).toEqual([201, []]);
      expect(await refused(site, {})).toEqual([400, ['title']]);
      expect(await refused(site, { title: 'x', quote: {} })).toEqual([400, ['quote.text']]);
      expect(await refused(site, { title: 'x', code: 'c' })).toEqual([201, []]);
      expect(await refused(site, { title: 'x', code: 'c' })).toEqual([400, ['code']]);
    });

    it('accepts milliseconds for moments in filters, as Date.now() prints them', async () => {
      await send(site, '/api/writers', { data: { name: 'x' } });
      const count = async (filter: string): Promise<[number, number | undefined]> => {
        const response = await fetch(`${site.server.url}/api/writers?filters[updatedAt]${filter}`, {
          headers: { authorization: `Bearer ${site.tokens['full']}` },
        });
        return [response.status, ((await response.json()) as { data?: unknown[] }).data?.length];
      };
      expect(await count('[$gt]=1770000000000')).toEqual([200, 1]);
      expect(
        await count(`[$between]=1770000000000&filters[updatedAt][$between]=${Date.now() + 60_000}`),
      ).toEqual([200, 1]);
      expect(await count('[$lt]=1770000000000')).toEqual([200, 0]);
      expect(await count('[$lt]=NaN')).toEqual([400, undefined]);
    });

    it('publishes and bulks alike, and GraphQL returns null', async () => {
      const [, created] = await send(site, '/api/books?status=draft', { data: { title: 'y' } });
      const { documentId } = (created as { data: { documentId: string } }).data;
      const items = [
        { action: 'publish', documentId },
        { action: 'create', data: { title: 'z' } },
      ];
      expect((await send(site, '/api/books/bulk', { data: items }))[0]).toBe(200);
      const fields = 'author { name } picture { name } quote { picture { name } }';
      const query = `{ book(documentId: "${documentId}") { ${fields} } }`;
      expect((await send(site, '/graphql', { query }))[1]).toEqual({
        data: { book: { author: null, picture: null, quote: null } },
      });
    });
  });

  it('checks required relations and files where config/api has strictRelations', async () => {
    const api = 'module.exports = { documents: { strictRelations: true } };\n';
    const site = await open({ validation: 'strapi' }, { 'config/api.js': api });
    expect(await refused(site, BOOK)).toEqual([400, LINKS]);
    await site.close();
  });

  it('is strict otherwise', async () => {
    const site = await open({});
    expect(await refused(site, BOOK)).toEqual([400, LINKS]);
    const draft = '?status=draft';
    expect(await refused(site, BOOK, draft)).toEqual([201, []]);
    await site.close();
  });
});
