import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRestEndpoint, errorResponse } from './rest-endpoint.js';
import type { RestEndpoint } from './rest-endpoint.js';

let endpoint: RestEndpoint;
beforeAll(async () => {
  endpoint = await createRestEndpoint();
});
afterAll(() => endpoint.app.close());
beforeEach(() => endpoint.reset());

describe('paths and methods', () => {
  it('respond with 405 and the allowed methods to other methods, for every caller', async () => {
    const cases = [
      ['PATCH', '/api/tags/d1'],
      ['POST', '/api/tags/d1'],
      ['PUT', '/api/tags'],
      ['DELETE', '/api/tags'],
      ['POST', '/api/homepage'],
      ['POST', '/api/i18n/locales'],
    ] as const;
    for (const [method, path] of cases) {
      for (const as of ['full', 'none', 'nonsense']) {
        const response = await endpoint.sendRequest(method, path, { as, body: { data: {} } });
        expect(response).toMatchObject(errorResponse(405, 'MethodNotAllowedError'));
        expect(response.headers['allow']).toContain('GET');
      }
    }
    const malformed = await endpoint.app.inject({
      method: 'PATCH',
      url: '/api/tags/d1',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(malformed.statusCode).toBe(405);
    expect(endpoint.calls).toEqual([]);
  });

  it('take forms as bodies, with nested names', async () => {
    const send = (payload: string) =>
      endpoint.app.inject({
        method: 'POST',
        url: '/api/tags',
        payload,
        headers: {
          authorization: 'full',
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        },
      });
    const response = await send(
      'data[name]=a+b%26c&data[weight]=7&data[__proto__][x]=1&data[list][]=1&data[empty]',
    );
    expect(response.statusCode).toBe(201);
    expect(endpoint.calls).toMatchObject([
      ['create', { data: { name: 'a b&c', weight: '7', list: ['1'], empty: '' } }],
    ]);
    for (const [payload, status] of [
      ['title=x', 400],
      [`data${'[a]'.repeat(70)}=x`, 400],
      [Array.from({ length: 1100 }, (_item, index) => `a${index}=`).join('&'), 400],
      [`data[name]=${'x'.repeat(11_000)}`, 413],
    ] as const)
      expect([payload.slice(0, 20), (await send(payload)).statusCode]).toEqual([
        payload.slice(0, 20),
        status,
      ]);
  });

  it('respond with 404 to unknown paths, also with invalid credentials', async () => {
    for (const path of ['/api/nothings', '/api', '/', '/api/tags/d1/more', '/api/files']) {
      for (const as of ['full', 'none', 'nonsense'])
        expect(await endpoint.sendRequest('GET', path, { as })).toMatchObject(
          errorResponse(404, 'NotFoundError'),
        );
    }
  });
});

describe('rights', () => {
  it('are checked first: 403 without a grant, 401 with an invalid credential', async () => {
    const requests = [
      ['GET', '/api/tags'],
      ['GET', '/api/tags/missing'],
      ['PUT', '/api/tags/missing'],
      ['POST', '/api/tags'],
      ['GET', '/api/homepage'],
      ['GET', '/api/i18n/locales'],
    ] as const;
    for (const [method, path] of requests) {
      expect(await endpoint.sendRequest(method, path, { as: 'none' })).toMatchObject(
        errorResponse(403, 'ForbiddenError'),
      );
      expect(await endpoint.sendRequest(method, path, { as: 'nonsense' })).toMatchObject(
        errorResponse(401, 'UnauthorizedError'),
      );
    }
    const malformed = await endpoint.app.inject({
      method: 'POST',
      url: '/api/tags',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(malformed.statusCode).toBe(403);
    expect(endpoint.calls).toEqual([]);
  });

  it('allow a read-only token to read and nothing else', async () => {
    expect((await endpoint.sendRequest('GET', '/api/tags', { as: 'read' })).status).toBe(200);
    expect((await endpoint.sendRequest('GET', '/api/tags/d1', { as: 'read' })).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/api/tags'],
      ['PUT', '/api/tags/d1'],
      ['DELETE', '/api/tags/d1'],
      ['PUT', '/api/homepage'],
      ['DELETE', '/api/homepage'],
    ] as const) {
      expect((await endpoint.sendRequest(method, path, { as: 'read', body: { data: {} } })).status).toBe(403);
    }
  });
});

describe('locales', () => {
  it('are listed without an envelope', async () => {
    const { status, body } = await endpoint.sendRequest('GET', '/api/i18n/locales');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: 1,
        documentId: 'l1',
        name: 'English (en)',
        code: 'en',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
        publishedAt: '2026-01-01T00:00:00.000Z',
        isDefault: true,
      },
    ]);
  });
});

describe('parameters', () => {
  it.each([
    'status=modified',
    'pagination[page]=abc',
    'sort=nope',
    'fields=nope',
    'filters=text',
    `${'filters[$and][0]'.repeat(1)}[$not]`.concat('[$not]'.repeat(40), '=1'),
    Array.from({ length: 1200 }, (_item, index) => `a${index}=1`).join('&'),
  ])('that are invalid are rejected: %.40s', async (query) => {
    const response = await endpoint.sendRequest('GET', `/api/tags?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ data: null, error: { status: 400, name: 'ValidationError' } });
    expect(endpoint.calls).toEqual([]);
  });

  it('that are unknown are ignored', async () => {
    expect(
      (
        await endpoint.sendRequest(
          'GET',
          '/api/tags?nope=1&pagination[size]=3&filters[__proto__]=1&__proto__[x]=1&%ZZ=%ZZ',
        )
      ).status,
    ).toBe(200);
  });
});
