import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/access/access.js';
import { createApi, steppingClock } from '../../contract/documents/service.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint, GraphqlResult } from './support/endpoint.js';

const FILE = {
  name: 'a.png',
  hash: 'h',
  mime: 'image/png',
  size: 1,
  url: '/uploads/a.png',
  provider: 'local',
};
const FIND_FILES = 'plugin::upload.content-api.find';
const FIND_ARTICLES = 'api::article.article.find';

const granted = (
  actions: readonly string[],
  rules: Extract<Grants, { kind: 'actions' }>['rules'] = new Map(),
): Grants => ({ kind: 'actions', actions: new Set(actions), rules });

describe.each(databases)('related documents of files over GraphQL on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    endpoint = await createEndpoint({
      testEnvironment,
      callers: {
        files: granted([FIND_FILES]),
        covers: granted(
          [FIND_FILES, FIND_ARTICLES],
          new Map([[FIND_ARTICLES, { fields: new Set(['title', 'cover']), where: {} }]]),
        ),
        some: granted(
          [FIND_FILES, FIND_ARTICLES],
          new Map([[FIND_ARTICLES, { fields: null, where: { title: { $ne: 'Both' } } }]]),
        ),
      },
    });
    const api = createApi(testEnvironment, { clock: steppingClock() });
    const [file] = [await api.create('file', FILE), await api.create('file', FILE)];
    const gallery = [file.id];
    await api.create('article', { title: 'Both', cover: file.id, gallery });
    await api.create('article', { title: 'Gallery', gallery });
    await api.create('article', { title: 'Unpublished', cover: file.id }, { status: 'draft' });
    await api.create('author', { name: 'Ada', avatar: file.id });
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  const RELATED = `
    {
      uploadFiles(sort: "id:asc") {
        related {
          __typename
          ... on Article {
            title
            cover {
              related {
                ... on Author {
                  name
                }
              }
            }
          }
          ... on Author {
            name
          }
        }
      }
    }
  `;

  /** Repeats the request until the document is compiled, and checks that the results are equal. */
  const ask = async (as: string): Promise<GraphqlResult> => {
    const first = await endpoint.ask(RELATED, { as });
    for (let run = 0; run < 3; run += 1) expect(await endpoint.ask(RELATED, { as })).toEqual(first);
    return first;
  };

  it('are read with the files: each published document once, for any owner of the file', async () => {
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
    const { body } = await endpoint.ask(
      `
        {
          uploadFiles(sort: "id:asc", pagination: {limit: 1}) {
            related {
              ... on Article {
                title
              }
            }
          }
        }
      `,
      { as },
    );
    return body.data?.['uploadFiles'] ?? body.errors?.[0]?.extensions['error'];
  };

  it('are limited to the types and attributes that the caller may see', async () => {
    expect(await titlesFor('covers')).toEqual([{ related: [{ title: 'Both' }] }]);
    expect(await titlesFor('some')).toEqual([{ related: [{ title: 'Gallery' }] }]);
    const { body } = await endpoint.ask(
      `
        {
          uploadFiles(sort: "id:asc", pagination: {limit: 1}) {
            related {
              __typename
            }
          }
        }
      `,
      { as: 'files' },
    );
    expect(body.data).toEqual({ uploadFiles: [{ related: null }] });
    expect(body.errors?.map(({ message }) => message)).toEqual(['Forbidden']);
  });
});
