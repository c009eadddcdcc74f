import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { createSite } from './support/site.js';
import type { Site } from './support/site.js';

const JSON_TYPE = 'application/json';
const nest = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** Bodies no create may accept, by what is wrong with them. `raw` is sent as it is. */
const BODIES: readonly (readonly [what: string, path: string, body: unknown, raw?: boolean])[] = [
  ['broken JSON', '/api/tags', '{"data": {', true],
  ['JSON with a comma too many', '/api/tags', '{"data": {"name": "x",}}', true],
  ['two documents', '/api/tags', '{"data": {"name": "x"}} {}', true],
  ['single quotes', '/api/tags', "{'data': {'name': 'x'}}", true],
  ['NaN', '/api/tags', '{"data": {"name": "x", "weight": NaN}}', true],
  ['text alone', '/api/tags', '"data"', true],
  ['a number alone', '/api/tags', '1', true],
  ['null alone', '/api/tags', 'null', true],
  ['nothing', '/api/tags', '', true],
  ['brackets without end', '/api/tags', `{"data": ${nest(5000, '[', ']')}}`, true],
  ['objects without end', '/api/articles', `{"data": {"title": "x", "extra": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`, true],
  ['a prototype', '/api/tags', '{"data": {"name": "x", "__proto__": {"isAdmin": true}}}', true],
  ['a prototype in JSON content', '/api/articles', '{"data": {"title": "x", "extra": {"__proto__": {"isAdmin": true}}}}', true],
  ['a prototype by way of the constructor', '/api/tags', '{"data": {"name": "x", "constructor": {"prototype": {"isAdmin": true}}}}', true],
  ['no data', '/api/tags', {}],
  ['data beside data', '/api/tags', { name: 'x' }],
  ['an unknown attribute', '/api/tags', { data: { name: 'x', nope: 1 } }],
  ['an attribute every object has', '/api/tags', { data: { name: 'x', toString: 'y' } }],
  ['an attribute named constructor', '/api/tags', { data: { name: 'x', constructor: 'y' } }],
  ['an id', '/api/tags', { data: { name: 'x', id: 1 } }],
  ['a document id', '/api/tags', { data: { name: 'x', documentId: 'mine' } }],
  ['a time of its own', '/api/tags', { data: { name: 'x', updatedAt: '2001-01-01T00:00:00.000Z' } }],
  ['a status inside data', '/api/articles', { data: { title: 'x', status: 'published' } }],
  ['a number for text', '/api/tags', { data: { name: 1 } }],
  ['a list for text', '/api/tags', { data: { name: ['x'] } }],
  ['an object for text', '/api/tags', { data: { name: { $ne: null } } }],
  ['NUL in text', '/api/tags', { data: { name: 'a\u0000b' } }],
  ['half a surrogate pair', '/api/tags', '{"data": {"name": "\\ud800"}}', true],
  ['NUL in JSON content', '/api/articles', { data: { title: 'x', extra: { a: ['\u0000'] } } }],
  ['NUL in a JSON key', '/api/articles', { data: { title: 'x', extra: { 'a\u0000': 1 } } }],
  ['text for an integer', '/api/tags', { data: { name: 'x', weight: 'heavy' } }],
  ['SQL for an integer', '/api/tags', { data: { name: 'x', weight: '1; DROP TABLE tags' } }],
  ['a fraction for an integer', '/api/tags', { data: { name: 'x', weight: 1.5 } }],
  ['an integer beyond 32 bits', '/api/tags', { data: { name: 'x', weight: 2 ** 31 } }],
  ['an integer beyond 53 bits', '/api/tags', '{"data": {"name": "x", "weight": 99999999999999999999999}}', true],
  ['an integer below 32 bits', '/api/tags', { data: { name: 'x', weight: -(2 ** 31) - 1 } }],
  ['a number that is infinite', '/api/articles', '{"data": {"title": "x", "rating": 1e999}}', true],
  ['a big integer beyond 64 bits', '/api/articles', { data: { title: 'x', reads: '9223372036854775808' } }],
  ['a float that is infinite', '/api/articles', '{"data": {"title": "x", "score": -1e999}}', true],
  ['a date that never was', '/api/articles', { data: { title: 'x', eventDate: '2025-02-30' } }],
  ['a year of five digits', '/api/articles', { data: { title: 'x', startsAt: '+99999-01-01T00:00:00.000Z' } }],
  ['another enumeration value', '/api/articles', { data: { title: 'x', kind: 'NEWS' } }],
  ['a relation to nothing', '/api/tags', { data: { name: 'x', articles: ['nothing'] } }],
  ['a relation to a number beyond all ids', '/api/tags', { data: { name: 'x', articles: [9_007_199_254_740_991] } }],
  ['a relation to NUL', '/api/tags', { data: { name: 'x', articles: ['\u0000'] } }],
  ['a relation by an object of its own', '/api/tags', { data: { name: 'x', articles: { where: { id: 1 } } } }],
  ['a medium that is none', '/api/articles', { data: { title: 'x', cover: 4711 } }],
  ['a component for a list', '/api/articles', { data: { title: 'x', links: { label: 'x' } } }],
  ['an unknown component', '/api/articles', { data: { title: 'x', sections: [{ __component: 'sections.nope' }] } }],
  ['a component named after a property of objects', '/api/articles', { data: { title: 'x', sections: [{ __component: '__proto__' }] } }],
  ['blocks of no known kind', '/api/articles', { data: { title: 'x', content: [{ type: 'script', children: [] }] } }],
];

/** Query strings no read may accept. */
const QUERIES: readonly (readonly [what: string, path: string, query: string])[] = [
  ['an unknown field in a filter', '/api/tags', 'filters[nope]=1'],
  ['a field of every object in a filter', '/api/tags', 'filters[constructor]=1'],
  ['an unknown operator', '/api/tags', 'filters[name][$regex]=.*'],
  ['SQL for a number', '/api/tags', `filters[weight]=${encodeURIComponent('1 OR 1=1')}`],
  ['NUL in a filter', '/api/tags', 'filters[name]=%00'],
  ['text for a filter', '/api/tags', 'filters=name'],
  ['an unknown field to sort by', '/api/tags', 'sort=nope'],
  ['SQL to sort by', '/api/tags', `sort=${encodeURIComponent('name; DROP TABLE tags')}`],
  ['an unknown direction', '/api/tags', 'sort=name:sideways'],
  ['an unknown field to read', '/api/tags', 'fields=nope'],
  ['a private field to read', '/api/articles', 'fields=internalNote'],
  ['a private field in a filter', '/api/articles', 'filters[internalNote][$contains]=a'],
  ['a password in a filter', '/api/articles', 'filters[secret][$startsWith]=a'],
  ['a password to sort by', '/api/articles', 'sort=secret'],
  ['a user\'s password over a relation', '/api/articles', 'filters[author][articles][secret][$contains]=a'],
  ['an unknown relation', '/api/tags', 'populate=nope'],
  ['a page that is none', '/api/tags', 'pagination[page]=one'],
  ['a page of an object', '/api/tags', 'pagination[page][$gt]=1'],
  ['two ways of pagination', '/api/tags', 'pagination[page]=1&pagination[start]=1'],
  ['a status that is none', '/api/articles', 'status=secret'],
  ['a list of locales', '/api/articles', 'locale[]=en&locale[]=fr'],
  ['NUL for a locale', '/api/articles', 'locale=%00'],
  ['populate without end', '/api/articles', `populate${'[author][populate][articles][populate]'.repeat(15)}=*`],
  ['logic without end', '/api/tags', `filters${'[$not]'.repeat(50)}[name]=x`],
  ['brackets without end', '/api/tags', `filters${'[$and][0]'.repeat(200)}[name]=x`],
  ['parameters without end', '/api/tags', Array.from({ length: 1100 }, (_item, index) => `a${index}`).join('&')],
  ['conditions without end', '/api/tags', Array.from({ length: 600 }, (_item, index) => `filters[$or][${index}][id]=1`).join('&')],
];

describe.each(databases)('bad input on $name', (database) => {
  let site: Site;
  let before = '';

  const get = (path: string): Promise<Response> => fetch(`${site.server.url}${path}`, { headers: { authorization: `Bearer ${site.tokens['full']}` } });
  const send = (method: string, path: string, body?: string, type = JSON_TYPE): Promise<Response> =>
    fetch(`${site.server.url}${path}`, { method, headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': type }, ...(body === undefined ? {} : { body }) });

  /** Everything stored, so that a write that should not have been shows. */
  const contents = async (): Promise<string> => {
    const { database: opened } = site.server.app;
    const all = await opened.transact(async (tx) => {
      const rows: unknown[] = [];
      for (const { storage } of site.project.model.types) {
        rows.push(await tx.model(storage.anchor.model).findMany({ orderBy: { documentId: 'asc' } }), await tx.model(storage.version.model).findMany({ orderBy: { id: 'asc' } }));
      }
      return rows;
    });
    return JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  };

  /** A 4xx with the envelope, and not a word about how it came about. */
  const expectRefusal = async (response: Response): Promise<void> => {
    const text = await response.text();
    expect(response.status, text).toBeGreaterThanOrEqual(400);
    expect(response.status, text).toBeLessThan(500);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toEqual({ data: null, error: { status: response.status, name: expect.any(String) as string, message: expect.any(String) as string, details: expect.any(Object) as object } });
    expect(text).not.toMatch(/\bselect\b.*\bfrom\b|node_modules|\.ts:\d|\.js:\d|prisma|sqlite|postgres/i);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    await send('POST', '/api/tags', JSON.stringify({ data: { name: 'kept' } }));
    await send('POST', '/api/articles', JSON.stringify({ data: { title: 'Kept', secret: 'hunter22', internalNote: 'hush' } }));
    before = await contents();
  });
  afterAll(() => site.close());

  /** Nothing was written, nothing worth a warning logged, and the next request is answered as ever. */
  const expectUnharmed = async (): Promise<void> => {
    expect(await contents()).toBe(before);
    expect(site.log).toEqual([]);
    expect(await (await get('/api/tags?fields=name')).json()).toMatchObject({ data: [{ name: 'kept' }] });
    expect(await (await get('/api/articles?fields=title')).json()).toMatchObject({ data: [{ title: 'Kept' }] });
    expect({}).not.toHaveProperty('isAdmin');
  };

  it.each(BODIES.map(([what, path, body, raw]) => ({ what, path, text: raw === true ? String(body) : JSON.stringify(body) })))('refuses a body with $what', async ({ path, text }) => {
    await expectRefusal(await send('POST', path, text));
    await expectUnharmed();
  });

  it.each(QUERIES)('refuses a query with %s', async (_what, path, query) => {
    await expectRefusal(await get(`${path}?${query}`));
    await expectUnharmed();
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'application/jsonx', 'x', ''])('refuses the content type %j', async (type) => {
    await expectRefusal(await send('POST', '/api/tags', '{"data":{"name":"x"}}', type));
    await expectUnharmed();
  });

  it('refuses a body that is too large, and an address that is too long', async () => {
    const large = await send('POST', '/api/tags', JSON.stringify({ data: { name: 'x'.repeat(1_100_000) } }));
    expect(large.status).toBe(413);
    await expectRefusal(large);
    const long = await get(`/api/tags?filters[name]=${'x'.repeat(20_000)}`);
    expect(long.status).toBe(431);
    await expectRefusal(long);
    await expectUnharmed();
  });

  it('answers a long filter and refuses one of ten thousand characters, whatever stands in it', async () => {
    for (const needle of ['x', '%', '_', "'", '"', '\\', '-', 'é', '(', '$']) {
      const filterOf = (length: number): string => `/api/tags?filters[name][$containsi]=${encodeURIComponent(needle.repeat(length / encodeURIComponent(needle).length))}`;
      const long = await get(filterOf(1000));
      expect([needle, long.status, await long.json()]).toMatchObject([needle, 200, { data: [] }]);
    }
    for (const operator of ['$eq', '$containsi', '$startsWith', '$in][0']) await expectRefusal(await get(`/api/tags?filters[name][${operator}]=${'x'.repeat(10_000)}`));
    await expectUnharmed();
  });

  it('finds nothing by numbers no column can hold', async () => {
    for (const value of ['99999999999999999999999999', '-99999999999999999999999999', '1e300', '2147483648']) {
      const response = await get(`/api/tags?filters[weight]=${value}`);
      const { data } = (await response.json()) as { readonly data: unknown };
      expect([value, response.status, data]).toEqual([value, ...(response.status === 200 ? [200, []] : [400, null])]);
    }
    await expectUnharmed();
  });

  it('takes SQL for the text it is', async () => {
    for (const text of ["' OR '1'='1", "'; DROP TABLE tags; --", '" OR ""="', 'kept\' --', '\\', '\'', '$1', '?', '%', '/*']) {
      for (const operator of ['$eq', '$ne', '$contains', '$startsWithi', '$in][0']) {
        const response = await get(`/api/tags?filters[name][${operator}]=${encodeURIComponent(text)}`);
        const { data } = (await response.json()) as { readonly data: readonly unknown[] };
        expect([response.status, data.length]).toEqual([200, operator === '$ne' ? 1 : 0]);
      }
      expect((await get(`/api/tags/${encodeURIComponent(text)}`)).status).toBe(404);
      expect((await send('DELETE', `/api/tags/${encodeURIComponent(text)}`)).status).toBe(204);
    }
    await expectUnharmed();
  });

  it('ignores parameters it does not know, and those that reach for a prototype', async () => {
    for (const query of ['nope=1', 'filters[__proto__][isAdmin]=true', '__proto__[isAdmin]=true', 'constructor[prototype][isAdmin]=true', 'pagination[size]=1', '%', '%zz', '&&&', '=', '[', ']=[', 'filters', 'sort', 'populate', 'fields', 'pagination', 'status', 'locale']) {
      const response = await get(`/api/tags?${query}`);
      expect([query, response.status >= 500]).toEqual([query, false]);
    }
    await expectUnharmed();
  });

  it('refuses updates that make no sense and leaves the document as it was', async () => {
    const list = (await (await get('/api/articles')).json()) as { readonly data: readonly [{ readonly documentId: string }] };
    const path = `/api/articles/${list.data[0].documentId}`;
    const bad = [{}, { data: null }, { data: { title: null } }, { data: { title: 'ok', nope: 1 } }, { data: { title: 'ok', rating: 99 } }, { data: { title: 'ok', author: 'nobody' } }, { data: { title: 'x'.repeat(121) } }];
    for (const body of bad) await expectRefusal(await send('PUT', path, JSON.stringify(body)));
    await expectRefusal(await send('PUT', `${path}?locale=xx`, JSON.stringify({ data: { title: 'ok' } })));
    await expectRefusal(await send('PUT', `${path}?status=nope`, JSON.stringify({ data: { title: 'ok' } })));
    await expectUnharmed();
  });
});
