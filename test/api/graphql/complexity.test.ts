import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { errorSummaryOf, REFUSED } from './support/limits.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

const deepSelection = (levels: number): string =>
  levels === 0
    ? '{ title }'
    : `{ title tags_connection { nodes { articles ${deepSelection(levels - 1)} } } }`;

const tooMany = (limit: number) => ({
  message: expect.stringContaining(`would contain more than ${limit} records`) as string,
  extensions: { code: 'BAD_USER_INPUT', error: { name: 'ValidationError' } },
});

describe.each(databases)('complexityLimit on $name', (database) => {
  const startEndpoint = magazineEndpoints(database);
  const start = (config: Readonly<Record<string, unknown>> = {}): Promise<Endpoint> =>
    startEndpoint({ config });

  it('returns nested lists that contain little, regardless of their maximum', async () => {
    const endpoint = await start();
    for (const query of [
      `{ articles ${deepSelection(3)} }`,
      `{
        articles(pagination: {limit: 100}) {
          author {
            articles(pagination: {limit: 100}) {
              author {
                articles { author { articles(pagination: {limit: -1}) { tags { articles { title } } } } }
              }
            }
          }
        }
      }`,
    ]) {
      const { status, body, statements } = await endpoint.ask(query);
      expect([status, body.errors, statements]).toEqual([200, undefined, 1]);
    }
  });

  it('returns nine levels of lists with pages as sites send them, by default', async () => {
    const endpoint = await start();
    const levels = (rest: number): string => {
      if (rest === 0) return 'documentId';
      const [list, name] = rest % 2 === 0 ? ['tags', 'name'] : ['articles', 'title'];
      return `${list}(pagination: {limit: 25}, sort: "${name}:asc") { ${name} ${levels(rest - 1)} }`;
    };
    // Pages of 25 could hold more than 10^12 records.
    const { status, body, statements } = await endpoint.ask(`{ ${levels(9)} }`);
    expect([status, body.errors, statements]).toEqual([200, undefined, 1]);
    let deepest: unknown = body.data;
    for (let rest = 9; rest > 0; rest -= 1) {
      const list: unknown = Reflect.get(Object(deepest), rest % 2 === 0 ? 'tags' : 'articles');
      deepest = Array.isArray(list) ? (list as unknown[]).at(0) : undefined;
    }
    expect(deepest).toMatchObject({ documentId: expect.any(String) as string });
  });

  it('counts the records that a root field reads, and fails that field alone', async () => {
    const endpoint = await start({ complexityLimit: 8 });
    const nested = '{ name articles { title tags { name } } }';
    const { status, body } = await endpoint.ask(`{ tags ${nested} }`);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors).toMatchObject([{ path: ['tags'], ...tooMany(8) }]);
    expect(
      (await endpoint.ask('{ tag(documentId: "t0") { articles { title } } }')).body.errors,
    ).toBeUndefined();
    expect((await endpoint.ask('{ tags(pagination: {limit: -1}) { name } }')).body.errors).toBeUndefined();
    const connection = await endpoint.ask(`{
      tags_connection(filters: {name: {eq: "none"}}) { nodes ${nested} }
      article(documentId: "a1") { title tags_connection { nodes ${nested} } }
    }`);
    expect(connection.body.data).toEqual({ tags_connection: { nodes: [] }, article: null });
    expect(connection.body.errors).toMatchObject([{ path: ['article'], ...tooMany(4) }]);
  });

  it('is shared by the root fields of a request, in any fragment', async () => {
    const endpoint = await start({ complexityLimit: 32 });
    const tags = 'tags { name articles { title } }';
    expect((await endpoint.ask(`{ ${tags} }`)).body.errors).toBeUndefined();
    const query = `
      query ($no: Boolean = false) {
        a: ${tags}
        ...b
        skipped: ${tags.replace('{', '@include(if: $no) {')}
      }
      fragment b on Query { c: tags { name } }
    `;
    expect((await endpoint.ask(query)).body.errors).toBeUndefined();
    const { body } = await endpoint.ask(query, { variables: { no: true } });
    expect(body.errors?.[0]).toMatchObject(tooMany(11));
  });

  it('does not keep a request from planning too much, which another limit does', async () => {
    const endpoint = await start({ depthLimit: 20 });
    const fragments = Array.from(
      { length: 11 },
      (_, level) =>
        `fragment f${level} on Article { related { ...f${level + 1} } localizations { ...f${level + 1} } }`,
    );
    const query = `{ articles { ...f0 } } ${fragments.join(' ')} fragment f11 on Article { title }`;
    expect(errorSummaryOf(await endpoint.ask(query))).toEqual({
      ...REFUSED,
      message:
        'The request selects more than 2000 nested fields, counting those of a fragment at every spread.',
      code: 'BAD_USER_INPUT',
    });
  });
});
