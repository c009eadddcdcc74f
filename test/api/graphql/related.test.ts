import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/access/access.js';
import { createApi, steppingClock } from '../../contract/documents/service.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint, GraphqlAnswer } from './support/endpoint.js';

const FILE = { name: 'a.png', hash: 'h', mime: 'image/png', size: 1, url: '/uploads/a.png', provider: 'local' };
const FIND_FILES = 'plugin::upload.content-api.find';
const FIND_ARTICLES = 'api::article.article.find';

const granted = (actions: readonly string[], rules: Extract<Grants, { kind: 'actions' }>['rules'] = new Map()): Grants => ({ kind: 'actions', actions: new Set(actions), rules });

describe.each(databases)('what shows a file, by GraphQL on $name', (database) => {
  let world: World;
  let endpoint: Endpoint;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    endpoint = await createEndpoint({
      world,
      callers: {
        files: granted([FIND_FILES]),
        covers: granted([FIND_FILES, FIND_ARTICLES], new Map([[FIND_ARTICLES, { fields: new Set(['title', 'cover']), where: {} }]])),
        some: granted([FIND_FILES, FIND_ARTICLES], new Map([[FIND_ARTICLES, { fields: null, where: { title: { $ne: 'Both' } } }]])),
      },
    });
    const api = createApi(world, { clock: steppingClock() });
    const [shown] = [await api.create('file', FILE), await api.create('file', FILE)];
    const gallery = [shown.id];
    await api.create('article', { title: 'Both', cover: shown.id, gallery });
    await api.create('article', { title: 'Gallery', gallery });
    await api.create('article', { title: 'Unpublished', cover: shown.id }, { status: 'draft' });
    await api.create('author', { name: 'Ada', avatar: shown.id });
  });
  afterAll(async () => {
    await endpoint.close();
    await world.close();
  });

  const RELATED = '{ uploadFiles(sort: "id:asc") { related { __typename ... on Article { title cover { related { ... on Author { name } } } } ... on Author { name } } } }';

  /** Asked until the document is compiled. */
  const ask = async (as: string): Promise<GraphqlAnswer> => {
    const first = await endpoint.ask(RELATED, { as });
    for (let run = 0; run < 3; run += 1) expect(await endpoint.ask(RELATED, { as })).toEqual(first);
    return first;
  };

  it('is read with the files: each published document once, whichever attributes show the file', async () => {
    const { body, statements } = await ask('full');
    const ada = { name: 'Ada' };
    expect(body).toEqual({
      data: {
        uploadFiles: [
          {
            related: [
              { __typename: 'Article', title: 'Both', cover: { related: [{}, {}, ada] } },
              { __typename: 'Article', title: 'Gallery', cover: null },
              { __typename: 'Author', ...ada },
            ],
          },
          { related: [] },
        ],
      },
    });
    expect(statements).toBe(1);
  });

  const titlesFor = async (as: string): Promise<unknown> => {
    const { body } = await endpoint.ask('{ uploadFiles(sort: "id:asc", pagination: { limit: 1 }) { related { ... on Article { title } } } }', { as });
    return body.data?.['uploadFiles'] ?? body.errors?.[0]?.extensions['error'];
  };

  it('goes as far as the right to what shows it, and to the attributes that do', async () => {
    expect(await titlesFor('covers')).toEqual([{ related: [{ title: 'Both' }] }]);
    expect(await titlesFor('some')).toEqual([{ related: [{ title: 'Gallery' }] }]);
    const { body } = await endpoint.ask('{ uploadFiles(sort: "id:asc", pagination: { limit: 1 }) { related { __typename } } }', { as: 'files' });
    expect(body.data).toEqual({ uploadFiles: [{ related: null }] });
    expect(body.errors?.map(({ message }) => message)).toEqual(['Forbidden']);
  });
});
