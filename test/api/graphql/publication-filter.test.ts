import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi, steppingClock } from '../../contract/documents/service.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

const DRAFT = { status: 'draft' };

describe.each(databases)('publicationFilter over GraphQL on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  let never: string;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    endpoint = await createEndpoint({ testEnvironment });
    const api = createApi(testEnvironment, { clock: steppingClock() });
    never = (await api.create('article', { title: 'never' }, DRAFT)).documentId;
    const { documentId: clean } = await api.create('article', { title: 'clean', related: [never] });
    const { documentId: edited } = await api.create('article', { title: 'edited', related: [never, clean] });
    await api.update('article', edited, { body: 'later' }, DRAFT);
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  const titles = async (
    operation: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> => {
    const { body, statements } = await endpoint.ask(operation, { variables });
    expect(statements).toBe(1);
    const { articles } = body.data as { readonly articles: readonly { readonly title: string }[] };
    return articles.map(({ title }) => title);
  };

  it('accepts every value of the enumeration', async () => {
    const seen: Record<string, unknown> = {};
    for (const value of [
      'NEVER_PUBLISHED',
      'NEVER_PUBLISHED_DOCUMENT',
      'HAS_PUBLISHED_VERSION',
      'HAS_PUBLISHED_VERSION_DOCUMENT',
      'MODIFIED',
      'UNMODIFIED',
      'PUBLISHED_WITH_DRAFT',
      'PUBLISHED_WITHOUT_DRAFT',
    ]) {
      seen[value] = [
        await titles(`{ articles(sort: "title", status: DRAFT, publicationFilter: ${value}) { title } }`),
        await titles(
          `
            query ($filter: PublicationFilter) {
              articles(sort: "title", publicationFilter: $filter) {
                title
              }
            }
          `,
          { filter: value },
        ),
      ];
    }
    const both = ['clean', 'edited'];
    expect(seen).toEqual({
      NEVER_PUBLISHED: [['never'], []],
      NEVER_PUBLISHED_DOCUMENT: [['never'], []],
      HAS_PUBLISHED_VERSION: [both, both],
      HAS_PUBLISHED_VERSION_DOCUMENT: [both, both],
      MODIFIED: [['edited'], ['edited']],
      UNMODIFIED: [['clean'], ['clean']],
      PUBLISHED_WITH_DRAFT: [[], both],
      PUBLISHED_WITHOUT_DRAFT: [[], []],
    });
  });

  it('applies to counts, single documents and relations, and overrides hasPublishedVersion', async () => {
    const { body } = await endpoint.ask(
      `
        query ($never: ID!) {
          articles_connection(
            status: DRAFT
            publicationFilter: MODIFIED
            hasPublishedVersion: false
          ) {
            nodes {
              title
              related {
                title
              }
            }
            pageInfo {
              total
            }
          }
          none: article(documentId: $never, status: DRAFT, publicationFilter: UNMODIFIED) {
            title
          }
          one: article(
            documentId: $never
            status: DRAFT
            publicationFilter: NEVER_PUBLISHED
          ) {
            title
          }
        }
      `,
      { variables: { never } },
    );
    expect(body.data).toEqual({
      articles_connection: { nodes: [{ title: 'edited', related: [] }], pageInfo: { total: 1 } },
      none: null,
      one: { title: 'never' },
    });
  });

  it('refuses an unknown value before anything is read', async () => {
    const { status, statements } = await endpoint.ask('{ articles(publicationFilter: ALL) { title } }');
    expect([status, statements]).toEqual([400, 0]);
  });
});
