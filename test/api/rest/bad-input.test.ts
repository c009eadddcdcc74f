import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { BODIES, QUERIES } from './bad-input-cases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const JSON_TYPE = 'application/json';

describe.each(databases)('bad input on $name', (database) => {
  let site: Site;
  let before = '';

  const get = (path: string): Promise<Response> =>
    fetch(`${site.server.url}${path}`, { headers: { authorization: `Bearer ${site.tokens['full']}` } });
  const send = (
    method: string,
    path: string,
    body?: string | Uint8Array,
    type = JSON_TYPE,
  ): Promise<Response> =>
    fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    });

  /** All stored rows as JSON, to detect unwanted writes. */
  const contents = async (): Promise<string> => {
    const { database: opened } = site.server.app;
    const all = await opened.transact(async (tx) => {
      const rows: unknown[] = [];
      for (const { storage } of site.project.model.types) {
        rows.push(
          await tx.model(storage.document.model).findMany({ orderBy: { documentId: 'asc' } }),
          await tx.model(storage.version.model).findMany({ orderBy: { id: 'asc' } }),
        );
      }
      return rows;
    });
    return JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  };

  /** Expects a 4xx status and an error body that reveals no internals. */
  const expectRefusal = async (response: Response): Promise<void> => {
    const text = await response.text();
    expect(response.status, text).toBeGreaterThanOrEqual(400);
    expect(response.status, text).toBeLessThan(500);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toEqual({
      data: null,
      error: {
        status: response.status,
        name: expect.any(String) as string,
        message: expect.any(String) as string,
        details: expect.any(Object) as object,
      },
    });
    expect(text).not.toMatch(/\bselect\b.*\bfrom\b|node_modules|\.ts:\d|\.js:\d|prisma|sqlite|postgres/i);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    await send('POST', '/api/tags', JSON.stringify({ data: { name: 'kept' } }));
    await send(
      'POST',
      '/api/articles',
      JSON.stringify({ data: { title: 'Kept', secret: 'hunter22', internalNote: 'hush' } }),
    );
    before = await contents();
  });
  afterAll(() => site.close());

  /** Expects that no row changed, no warning was logged, and requests still work. */
  const expectUnharmed = async (): Promise<void> => {
    expect(await contents()).toBe(before);
    expect(site.log).toEqual([]);
    expect(await (await get('/api/tags?fields=name')).json()).toMatchObject({ data: [{ name: 'kept' }] });
    expect(await (await get('/api/articles?fields=title')).json()).toMatchObject({
      data: [{ title: 'Kept' }],
    });
    expect({}).not.toHaveProperty('isAdmin');
  };

  it.each(
    BODIES.map(([what, path, body, raw]) => ({
      what,
      path,
      text: raw === true ? String(body) : JSON.stringify(body),
    })),
  )('refuses a body with $what', async ({ path, text }) => {
    await expectRefusal(await send('POST', path, text));
    await expectUnharmed();
  });

  it.each(QUERIES)('refuses a query with %s', async (_what, path, query) => {
    await expectRefusal(await get(`${path}?${query}`));
    await expectUnharmed();
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'application/jsonx',
    'x',
    '',
  ])('refuses the content type %j', async (type) => {
    await expectRefusal(await send('POST', '/api/tags', '{"data":{"name":"x"}}', type));
    await expectUnharmed();
  });

  it.each([
    ['/api/tags', JSON_TYPE, '{"data":{"name":"caf\u00e9"}}'],
    ['/api/tags', `${JSON_TYPE}; charset=iso-8859-1`, '{"data":{"name":"caf\u00e9"}}'],
    ['/api/tags', 'application/x-www-form-urlencoded', 'data[name]=caf\u00e9'],
    ['/graphql', JSON_TYPE, '{"query":"mutation { createTag(data: {name: \\"caf\u00e9\\"}) { name } }"}'],
  ])('refuses bytes that are not UTF-8 at %s as %s', async (path, type, text) => {
    const response = await send('POST', path, Buffer.from(text, 'latin1'), type);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('not UTF-8')]);
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

  it('accepts a filter of a thousand characters, and refuses one of ten thousand', async () => {
    for (const needle of ['x', '%', '_', "'", '"', '\\', '-', 'é', '(', '$']) {
      const times = 1000 / encodeURIComponent(needle).length;
      const text = encodeURIComponent(needle.repeat(times));
      const long = await get(`/api/tags?filters[name][$containsi]=${text}`);
      expect([needle, long.status, await long.json()]).toMatchObject([needle, 200, { data: [] }]);
    }
    for (const operator of ['$eq', '$containsi', '$startsWith', '$in][0'])
      await expectRefusal(await get(`/api/tags?filters[name][${operator}]=${'x'.repeat(10_000)}`));
    await expectUnharmed();
  });

  it('finds nothing by numbers outside the range of the column, or refuses them', async () => {
    for (const value of [
      '99999999999999999999999999',
      '-99999999999999999999999999',
      '1e300',
      '2147483648',
    ]) {
      const response = await get(`/api/tags?filters[weight]=${value}`);
      const { data } = (await response.json()) as { readonly data: unknown };
      expect([value, response.status, data]).toEqual([
        value,
        ...(response.status === 200 ? [200, []] : [400, null]),
      ]);
    }
    await expectUnharmed();
  });

  it('treats SQL in values as text', async () => {
    for (const text of [
      "' OR '1'='1",
      "'; DROP TABLE tags; --",
      '" OR ""="',
      "kept' --",
      '\\',
      "'",
      '$1',
      '?',
      '%',
      '/*',
    ]) {
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

  it('does not fail on unknown, malformed or prototype parameters', async () => {
    for (const query of [
      'nope=1',
      'filters[__proto__][isAdmin]=true',
      '__proto__[isAdmin]=true',
      'constructor[prototype][isAdmin]=true',
      'pagination[size]=1',
      '%',
      '%zz',
      '&&&',
      '=',
      '[',
      ']=[',
      'filters',
      'sort',
      'populate',
      'fields',
      'pagination',
      'status',
      'locale',
    ]) {
      const response = await get(`/api/tags?${query}`);
      expect([query, response.status >= 500]).toEqual([query, false]);
    }
    await expectUnharmed();
  });

  it('refuses invalid updates and leaves the document unchanged', async () => {
    const list = (await (await get('/api/articles')).json()) as {
      readonly data: readonly [{ readonly documentId: string }];
    };
    const path = `/api/articles/${list.data[0].documentId}`;
    const bad = [
      {},
      { data: null },
      { data: { title: null } },
      { data: { title: 'ok', nope: 1 } },
      { data: { title: 'ok', rating: 99 } },
      { data: { title: 'ok', author: 'nobody' } },
      { data: { title: 'x'.repeat(121) } },
    ];
    for (const body of bad) await expectRefusal(await send('PUT', path, JSON.stringify(body)));
    await expectRefusal(await send('PUT', `${path}?locale=xx`, JSON.stringify({ data: { title: 'ok' } })));
    await expectRefusal(await send('PUT', `${path}?status=nope`, JSON.stringify({ data: { title: 'ok' } })));
    await expectUnharmed();
  });
});
