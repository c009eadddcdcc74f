import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const CATEGORIES = '/api/categories';

/** Refuses categories by name, and creates a tag for each category that is stored. */
const ENTRY = `
import * as galley from 'galley';
import { ApplicationError } from 'galley';
import type { RegisterContext } from 'galley';

export const register = ({ fastify, documents }: RegisterContext): void => {
  documents.before('create', async ({ documentId, data }, tx) => {
    const { name } = data as { name: string };
    if (name.endsWith('Error')) throw new galley[name]('Refused: ' + name, { name });
    if (name === 'copy') {
      throw Object.assign(new Error('From a copy'), { name: 'ForbiddenError', details: {} });
    }
    if (name === 'status') throw Object.assign(new Error('secret'), { statusCode: 500 });
    if (name === 'ordinary') throw new Error('secret');
    await tx.documents('api::tag.tag').create({ data: { name: 'of ' + documentId } });
  }, ['api::category.category']);
  documents.use(async (operation, next) => {
    if (operation.action === 'delete') throw new ApplicationError('Nothing is deleted', { ever: true });
    return next();
  }, ['api::category.category']);
  fastify.get('/closed', async () => { throw new galley.NotFoundError('Closed', { until: 8 }); });
};
`;

const ERRORS = [
  ['ApplicationError', 400, 'STRAPI_APPLICATION_ERROR'],
  ['ValidationError', 400, 'BAD_USER_INPUT'],
  ['PaginationError', 400, 'STRAPI_PAGINATION_ERROR'],
  ['UnauthorizedError', 401, 'FORBIDDEN'],
  ['ForbiddenError', 403, 'FORBIDDEN'],
  ['PolicyError', 403, 'FORBIDDEN'],
  ['NotFoundError', 404, 'STRAPI_NOT_FOUND_ERROR'],
  ['PayloadTooLargeError', 413, 'STRAPI_PAYLOAD_TOO_LARGE_ERROR'],
  ['NotImplementedError', 501, 'STRAPI_NOT_IMPLEMENTED_ERROR'],
] as const;

const INTERNAL = { status: 500, name: 'InternalServerError', message: 'Internal Server Error', details: {} };

describe.each(databases)('project code, on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: { 'src/index.ts': ENTRY } });
  });
  afterAll(() => site.close());

  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${site.tokens['full']}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const create = (name: string): Promise<unknown> => send('POST', CATEGORIES, { data: { name } });
  const ask = (query: string): Promise<unknown> => send('POST', '/graphql', { query });
  const createOverGraphql = (name: string): Promise<unknown> =>
    ask(`mutation { createCategory(data: { name: "${name}" }) { documentId } }`);

  it.each(ERRORS)('sends clients its %s over REST and GraphQL', async (name, status, code) => {
    const error = { name, message: `Refused: ${name}`, details: { name } };
    expect(await create(name)).toEqual({ data: null, error: { status, ...error } });
    expect(await createOverGraphql(name)).toMatchObject({
      errors: [{ message: error.message, path: ['createCategory'], extensions: { code, error } }],
    });
  });

  it('may throw public errors from middlewares and routes, also of another copy of the classes', async () => {
    expect(await create('copy')).toMatchObject({
      error: { status: 403, name: 'ForbiddenError', message: 'From a copy' },
    });
    expect(await send('DELETE', `${CATEGORIES}/any`)).toMatchObject({
      error: { status: 400, message: 'Nothing is deleted', details: { ever: true } },
    });
    expect(await send('GET', '/closed')).toEqual({
      data: null,
      error: { status: 404, name: 'NotFoundError', message: 'Closed', details: { until: 8 } },
    });
  });

  it('does not send clients its other errors, which are logged', async () => {
    for (const name of ['ordinary', 'status']) {
      expect(await create(name)).toEqual({ data: null, error: INTERNAL });
      expect(await createOverGraphql(name)).toMatchObject({ errors: [{ message: INTERNAL.message }] });
    }
    expect(site.log.filter((line) => line.includes('secret')).length).toBeGreaterThanOrEqual(4);
  });

  it('can write documents in hooks', async () => {
    const created = (await create('kept')) as { data: { documentId: string } };
    const tag = `of ${created.data.documentId}`;
    expect(await send('GET', `/api/tags?filters[name]=${encodeURIComponent(tag)}`)).toMatchObject({
      data: [{ name: tag }],
    });
  });

  it('leaves nothing behind once it is closed', async () => {
    const used = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    const disabled = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
    const closed = vi.spyOn(site.server.app.fastify.server, 'close');
    await create('last');
    await site.server.close();
    // Node.js tells each storage that is not disabled of each promise of the process.
    expect(used).toHaveBeenCalled();
    expect(disabled.mock.contexts).toEqual(expect.arrayContaining([...new Set(used.mock.contexts)]));
    expect(closed).toHaveBeenCalled();
  });
});
