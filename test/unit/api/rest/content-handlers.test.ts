import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRestEndpoint, errorResponse } from './rest-endpoint.js';
import type { RestEndpoint } from './rest-endpoint.js';

let endpoint: RestEndpoint;
beforeAll(async () => {
  endpoint = await createRestEndpoint();
});
afterAll(() => endpoint.app.close());
beforeEach(() => endpoint.reset());

describe('collection types', () => {
  it("list a page, putting the records' JSON text into the envelope", async () => {
    const { status, text, headers } = await endpoint.sendRequest(
      'GET',
      '/api/tags?pagination[page]=3&sort=name',
    );
    expect(status).toBe(200);
    expect(text).toBe(
      '{"data":[{"id":1},{"id":2}],"meta":{"pagination":{"page":3,"pageSize":25,"pageCount":3,"total":52}}}',
    );
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(endpoint.calls).toMatchObject([
      [
        'findMany',
        {
          type: 'api::tag.tag',
          locale: 'en',
          status: 'published',
          page: { offset: 50, limit: 25 },
          sort: [{ path: ['name'] }],
        },
      ],
    ]);
  });

  it('describe offset pagination with start and limit', async () => {
    const { body } = await endpoint.sendRequest('GET', '/api/tags?pagination[start]=10&pagination[limit]=5');
    expect(body).toMatchObject({ meta: { pagination: { start: 10, limit: 5, total: 52 } } });
  });

  it('respond to HEAD and a trailing slash like GET', async () => {
    expect(await endpoint.sendRequest('HEAD', '/api/tags')).toMatchObject({ status: 200, text: '' });
    expect((await endpoint.sendRequest('GET', '/api/tags/')).status).toBe(200);
    expect((await endpoint.sendRequest('GET', '/api/tags/d1/')).status).toBe(200);
  });

  it('create with 201 and update with 200', async () => {
    const created = await endpoint.sendRequest('POST', '/api/tags?status=draft&locale=en&fields=name', {
      body: { data: { name: 'red' } },
    });
    expect(created).toMatchObject({ status: 201, text: '{"data":{"id":1},"meta":{}}' });
    const updated = await endpoint.sendRequest('PUT', '/api/tags/d1', { body: { data: {} } });
    expect(updated).toMatchObject({ status: 200, text: '{"data":{"id":1},"meta":{}}' });
    expect(endpoint.calls).toMatchObject([
      [
        'create',
        {
          type: 'api::tag.tag',
          data: { name: 'red' },
          status: 'draft',
          locale: 'en',
          selection: { fields: ['name'] },
        },
      ],
      ['update', { type: 'api::tag.tag', documentId: 'd1', data: {}, status: 'published' }],
    ]);
  });

  it('respond with 404 to a missing document, and 204 to deleting it', async () => {
    expect(await endpoint.sendRequest('GET', '/api/tags/missing')).toMatchObject(
      errorResponse(404, 'NotFoundError'),
    );
    expect(await endpoint.sendRequest('PUT', '/api/tags/missing', { body: { data: {} } })).toMatchObject(
      errorResponse(404, 'NotFoundError'),
    );
    expect(await endpoint.sendRequest('DELETE', '/api/tags/missing')).toMatchObject({
      status: 204,
      text: '',
    });
    expect(await endpoint.sendRequest('GET', '/api/tags/%00')).toMatchObject(
      errorResponse(404, 'NotFoundError'),
    );
    expect(await endpoint.sendRequest('DELETE', '/api/tags/%00')).toMatchObject({ status: 204, text: '' });
    expect(endpoint.calls).toHaveLength(3);
  });

  it.each([
    ['no body', undefined],
    ['no data', {}],
    ['null', { data: null }],
    ['a list', { data: [] }],
    ['text', { data: 'x' }],
    ['no object', []],
  ])('reject %s', async (_what, body) => {
    expect(await endpoint.sendRequest('POST', '/api/tags', { body })).toMatchObject(
      errorResponse(400, 'ValidationError'),
    );
    expect(await endpoint.sendRequest('PUT', '/api/tags/d1', { body })).toMatchObject(
      errorResponse(400, 'ValidationError'),
    );
    expect(endpoint.calls).toEqual([]);
  });
});

describe('single types', () => {
  it('are read without an id', async () => {
    expect(await endpoint.sendRequest('GET', '/api/homepage')).toMatchObject({
      status: 200,
      text: '{"data":{"id":1},"meta":{}}',
    });
    expect(endpoint.calls).toMatchObject([['findOne', { type: 'api::homepage.homepage', page: null }, null]]);
  });

  it('are created by the first PUT and updated by the next, with 200 both times', async () => {
    expect(
      (await endpoint.sendRequest('PUT', '/api/homepage', { body: { data: { headline: 'x' } } })).status,
    ).toBe(200);
    endpoint.setSingleDocumentId('h1');
    expect(
      (await endpoint.sendRequest('PUT', '/api/homepage', { body: { data: { headline: 'x' } } })).status,
    ).toBe(200);
    expect(endpoint.calls).toMatchObject([
      ['create', {}],
      ['update', { documentId: 'h1' }],
    ]);
  });

  it('are deleted, also when absent', async () => {
    expect((await endpoint.sendRequest('DELETE', '/api/homepage')).status).toBe(204);
    expect(endpoint.calls).toEqual([]);
    endpoint.setSingleDocumentId('h1');
    expect((await endpoint.sendRequest('DELETE', '/api/homepage?locale=*')).status).toBe(204);
    expect(endpoint.calls).toEqual([
      [
        'delete',
        { type: 'api::homepage.homepage', documentId: 'h1', locale: '*', access: expect.anything() },
      ],
    ]);
  });

  it('have neither a plural path nor more segments', async () => {
    for (const path of ['/api/homepages', '/api/homepage/h1'])
      expect(await endpoint.sendRequest('GET', path)).toMatchObject(errorResponse(404, 'NotFoundError'));
  });
});
