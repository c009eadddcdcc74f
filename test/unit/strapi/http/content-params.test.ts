import { describe, expect, it } from 'vitest';
import { assertKnownParams, createContentParams } from '../../../../src/strapi/http/content-params.js';
import type { RouteState } from '../../../../src/strapi/http/context.js';

const text = { safeParse: (value: unknown) => ({ success: typeof value === 'string', data: value }) };
const route = (method: string, path: string, request?: unknown): RouteState => ({
  method,
  path,
  handler: 'api::tag.tag.find',
  info: { apiName: 'tag', type: 'content-api' },
  config: {},
  ...(request === undefined ? {} : { request }),
});

describe('parameters that code adds', () => {
  it('belong to the routes that they match, besides those that a route declares', () => {
    const params = createContentParams(() => 'zod');
    const seen: unknown[] = [];
    params.addQuery({
      everywhere: { schema: text },
      reading: {
        schema: (z: unknown) => {
          seen.push(z);
          return text;
        },
        matchRoute: ({ method, path }) => method === 'GET' && path.includes('tags'),
      },
    });
    params.addInput({ mutation: { schema: text } });
    const declared = {
      query: { own: text, filters: text, other: 'not a schema' },
      body: { 'application/json': { shape: { data: text, extra: text } } },
    };
    const namesOf = (found: RouteState | undefined): readonly (readonly string[])[] => {
      const { query, input } = params.of(found);
      return [[...query.keys()], [...input.keys()]];
    };
    expect(seen).toEqual(['zod']);
    expect(namesOf(route('GET', '/tags'))).toEqual([['everywhere', 'reading'], ['mutation']]);
    expect(namesOf(route('POST', '/tags', declared))).toEqual([
      ['own', 'everywhere'],
      ['extra', 'mutation'],
    ]);
    expect(namesOf(undefined)).toEqual([['everywhere'], ['mutation']]);
  });

  it.each([
    ['addQuery', { filters: { schema: text } }, 'filters is a name of the API'],
    ['addQuery', { page: { schema: text } }, 'page is a name of the API'],
    ['addInput', { documentId: { schema: text } }, 'documentId is a name of the API'],
    ['addQuery', { search: { schema: 'string' } }, 'the schema of search must be a schema of zod'],
    ['addInput', { search: { schema: () => null } }, 'the schema of search must be a schema of zod'],
  ] as const)('%s refuses %o', (method, added, message) => {
    const call = `strapi.contentAPI.${method}Params`;
    expect(() => createContentParams(() => null)[method](added)).toThrow(message);
    expect(() => createContentParams(() => null)[method](added)).toThrow(call);
  });

  it('have one schema each', () => {
    const params = createContentParams(() => null);
    params.addQuery({ search: { schema: text } });
    expect(() => params.addQuery({ search: { schema: text } })).toThrow('search has been added before');
  });

  it('are the only ones besides those of the API where others are refused', () => {
    const params = createContentParams(() => null);
    params.addQuery({ search: { schema: text } });
    assertKnownParams(params.of(undefined), { filters: {}, search: 'a' });
    expect(() => assertKnownParams(params.of(undefined), { serach: 'a' })).toThrow('serach');
  });
});
