import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { errorSummaryOf, REFUSED } from './support/limits.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

const deepSelection = (levels: number): string =>
  levels === 0 ? '{ title }' : `{ title tags { articles ${deepSelection(levels - 1)} } }`;

describe.each(databases.slice(0, 1))('complexityLimit', (database) => {
  const startEndpoint = magazineEndpoints(database);
  const start = (config: Readonly<Record<string, unknown>> = {}): Promise<Endpoint> =>
    startEndpoint({ config });

  it('complexityLimit multiplies the limits of nested lists and refuses before execution', async () => {
    const endpoint = await start({ complexityLimit: 100 });
    const ten = await endpoint.ask(
      `
        {
          tags(pagination: {limit: 5}) {
            name
            articles(pagination: {pageSize: 10}) {
              title
            }
          }
        }
      `,
    );
    expect([ten.status, ten.body.errors]).toEqual([200, undefined]);
    const message = (complexity: number) =>
      `The response could contain ${complexity} records (the limits of nested lists multiplied); ` +
      'plugins.graphql.config.complexityLimit allows 100.';
    const query = `
      query q($p: PaginationArg = {limit: 20}) {
        tags(pagination: {limit: 5}) {
          ...t
        }
      }

      fragment t on Tag {
        articles(pagination: $p) {
          title
        }
      }
    `;
    expect(errorSummaryOf(await endpoint.ask(query))).toEqual({
      ...REFUSED,
      message: message(105),
      code: 'BAD_USER_INPUT',
    });
    expect(errorSummaryOf(await endpoint.ask(query, { variables: { p: { limit: 40 } } }))).toMatchObject({
      ...REFUSED,
      message: message(205),
    });
    expect((await endpoint.ask(query, { variables: { p: { limit: 3 } } })).body.errors).toBeUndefined();
    expect(
      errorSummaryOf(
        await endpoint.ask(
          `
            {
              tags(pagination: {limit: 5}) {
                articles_connection(pagination: {limit: 20}) {
                  nodes {
                    title
                  }
                }
              }
            }
          `,
        ),
      ),
    ).toMatchObject({ ...REFUSED, message: message(110) });
    expect(
      errorSummaryOf(
        await endpoint.ask(
          `
            {
              tags_connection(pagination: {limit: -1}) {
                nodes {
                  name
                }
                pageInfo {
                  total
                }
              }
            }
          `,
        ),
      ),
    ).toMatchObject({ ...REFUSED, message: message(102) });
    expect(
      (
        await endpoint.ask(
          `
            query q($no: Boolean = false) {
              tags {
                articles @include(if: $no) {
                  tags {
                    articles {
                      title
                    }
                  }
                }
              }
            }
          `,
        )
      ).body.errors,
    ).toBeUndefined();
    expect(
      errorSummaryOf(
        await endpoint.ask(`
          mutation {
            createTag(data: {name: "no"}) {
              articles {
                tags {
                  name
                }
              }
            }
          }
        `),
      ),
    ).toMatchObject(REFUSED);
  });

  it('the default allows usual documents and refuses relations nested back and forth', async () => {
    const endpoint = await start();
    expect(
      (
        await endpoint.ask(
          `
            {
              articles(pagination: {limit: 100}) {
                title
                author {
                  name
                }
                category {
                  name
                }
                tags {
                  name
                }
                cover {
                  url
                }
                sections {
                  __typename
                }
                localizations {
                  title
                }
              }
            }
          `,
        )
      ).body.errors,
    ).toBeUndefined();
    expect(
      (
        await endpoint.ask(
          `
            {
              articles(pagination: {limit: -1}) {
                title
                tags(pagination: {limit: -1}) {
                  name
                }
              }
            }
          `,
        )
      ).body.errors,
    ).toBeUndefined();
    expect((await endpoint.ask(`{ articles ${deepSelection(1)} }`)).body.errors).toBeUndefined();
    expect(errorSummaryOf(await endpoint.ask(`{ articles ${deepSelection(2)} }`))).toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('plugins.graphql.config.complexityLimit allows 12000') as string,
    });
    expect(
      errorSummaryOf(
        await endpoint.ask(
          `
            {
              articles(pagination: {limit: 100}) {
                author {
                  articles(pagination: {limit: 100}) {
                    author {
                      articles {
                        title
                      }
                    }
                  }
                }
              }
            }
          `,
        ),
      ),
    ).toMatchObject(REFUSED);
  });
});
