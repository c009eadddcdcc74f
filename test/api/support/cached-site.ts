import pg from 'pg';
import { vi } from 'vitest';
import { isRecord } from '../../../src/lib/records.js';
import type { Site } from './site.js';

/** What the random runs write and read. */
export interface Tag {
  readonly documentId: string;
  readonly weight: number;
}

/** Returns all tags anywhere in an answer. */
function findTags(value: unknown): readonly Tag[] {
  if (Array.isArray(value)) return value.flatMap(findTags);
  if (!isRecord(value)) return [];
  const { documentId, weight } = value;
  if (typeof documentId === 'string' && typeof weight === 'number') return [{ documentId, weight }];
  return Object.values(value).flatMap(findTags);
}

interface Ids {
  readonly articleId: string;
  readonly tagIds: readonly string[];
}

const queriesOf = ({ articleId, tagIds }: Ids): readonly string[] => [
  '{ tags(sort: "name") { documentId weight } }',
  '{ tags_connection { pageInfo { total } nodes { weight documentId } } }',
  `{ article(documentId: "${articleId}") { tags(sort: "name") { documentId weight } } }`,
  ...tagIds.map((id) => `{ first: tag(documentId: "${id}") { documentId weight } }`),
];

const pathsOf = ({ articleId, tagIds }: Ids): readonly string[] => [
  '/api/tags?sort=name&fields=weight',
  `/api/articles/${articleId}?populate[tags][sort]=name`,
  ...tagIds.map((id) => `/api/tags/${id}?fields=weight`),
];

/** Sends an operation, and returns the response. */
export function askGraphql(site: Site, query: string, method: 'GET' | 'POST' = 'POST'): Promise<Response> {
  const headers = {
    authorization: `Bearer ${site.tokens['full']}`,
    'content-type': 'application/json',
  };
  const address = `${site.server.url}/graphql`;
  return method === 'GET'
    ? fetch(`${address}?query=${encodeURIComponent(query)}`, { headers })
    : fetch(address, { method: 'POST', headers, body: JSON.stringify({ query }) });
}

/** Reads of the same tags, over each transport. Each returns the tags of its answer. */
export function readsOf(site: Site, ids: Ids): readonly (() => Promise<readonly Tag[]>)[] {
  const headers = { authorization: `Bearer ${site.tokens['full']}` };
  const tagsIn = async (response: Promise<Response>): Promise<readonly Tag[]> =>
    findTags(await (await response).json());
  return [
    ...pathsOf(ids).map((path) => () => tagsIn(fetch(`${site.server.url}${path}`, { headers }))),
    ...queriesOf(ids).flatMap((query) => [
      () => tagsIn(askGraphql(site, query)),
      () => tagsIn(askGraphql(site, query, 'GET')),
    ]),
  ];
}

/** Calls `listener` once the connections of this process were told of a change of a content-type. */
export function onNotification(listener: (type: string) => void): () => void {
  const { emit } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'emit').mockImplementation(function emitAndTell(
    this: pg.Client,
    ...args: Parameters<typeof emit>
  ) {
    const isHandled = Reflect.apply(emit, this, args);
    const [event, message]: readonly unknown[] = args;
    if (event === 'notification') listener(String(Reflect.get(Object(message), 'payload')));
    return isHandled;
  });
  return () => spy.mockRestore();
}
