import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import { defined } from '../../../src/lib/assert.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from '../security/testbed.js';
import type { Testbed } from '../security/testbed.js';
import { expectMessages, listen } from './event-client.js';
import type { EventClient, EventClientOptions } from './event-client.js';

const NOTE = 'api::note.note';
const TAG = 'api::tag.tag';
/** The number of documents with different values and links that have too many tags. */
const MANY = 100;
const POSSIBLE = ['all', 'note!', 'note*'];

const FILES = {
  'src/api/code/content-types/code/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'codes',
    info: { singularName: 'code', pluralName: 'codes', displayName: 'Code' },
    options: { draftAndPublish: false },
    attributes: {
      title: { type: 'string', unique: true },
      invitation: { type: 'string', unique: true, private: true },
    },
  }),
};

describe.each(databases)('streams of cache tags on $name', (database) => {
  let testbed: Testbed;
  let other: RunningServer;
  const open: EventClient[] = [];
  const full = (): string => defined(testbed.site.tokens['full'], 'the full-access token');
  const startOther = () =>
    startServer(testbed.site.root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
    });
  const connect = async (
    query: string,
    options: Partial<EventClientOptions> = {},
    server: RunningServer = testbed.site.server,
  ): Promise<EventClient> => {
    const client = listen({ url: server.url, as: full(), query, ...options });
    open.push(client);
    await client.opened;
    return client;
  };
  const send = async (
    method: string,
    path: string,
    data?: unknown,
    server: RunningServer = testbed.site.server,
  ): Promise<string> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${full()}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const text = await response.text();
    expect([method, path, response.status < 300 ? 'done' : text]).toEqual([method, path, 'done']);
    return text === '' ? '' : (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
  };
  const tagsOf = ({ messages }: EventClient): readonly (readonly string[])[] =>
    messages.map(({ data }) => data['tags'] as readonly string[]);
  /** Waits until the client has received messages with exactly these tags. */
  const expectTags = async (client: EventClient, ...expected: readonly (readonly string[])[]) => {
    await expectMessages(
      client,
      expected.map(() => ({ event: 'tags' })),
    );
    expect(tagsOf(client).map((tags) => tags.toSorted())).toEqual(expected.map((tags) => tags.toSorted()));
  };
  /** Ends the record of tags, as if nobody had asked for them for a day. */
  const forgetTags = () =>
    testbed.site.server.app.database.transact((tx) =>
      tx.execute(`delete from cms_change_listeners where id = 'tags'`, []),
    );
  let made = 0;
  const named = (): { readonly name: string } => ({ name: `tag ${(made += 1)}` });

  beforeAll(async () => {
    testbed = await createTestbed({ database, files: FILES });
    other = await startOther();
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await other.close();
    await testbed.site.close();
  });

  it('send those of the written documents that were asked for', async () => {
    const [first, second] = [await send('POST', '/tags', named()), await send('POST', '/tags', named())];
    const [one, header, list, all] = await Promise.all([
      connect(`?tag=tag:${first}`),
      connect(`?tag=${encodeURIComponent(`all,tag!,tag:${first},tag.name`)}`),
      connect('?tag=tag&tag=author'),
      connect('?tag=*&type=tag'),
    ]);
    expect(one.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await send('PUT', `/tags/${second}`, named());
    await send('PUT', `/tags/${first}`, named());
    await send('POST', '/authors', { name: 'Ada' });
    await send('DELETE', `/tags/${second}`);
    await expectTags(list, ['author'], ['tag']);
    await expectTags(one, [`tag:${first}`]);
    await expectTags(header, ['tag.name'], [`tag:${first}`, 'tag.name']);
    const [renamed, , deleted] = tagsOf(all);
    expect(all.messages.map(({ event }) => event)).toEqual(['tags', 'tags', 'tags']);
    expect(renamed).toEqual(expect.arrayContaining([`tag:${second}`, 'tag.name', 'tag*']));
    expect(renamed).not.toContain('tag');
    expect(deleted).toEqual(expect.arrayContaining([`tag:${second}`, 'tag', 'tag*']));
    expect(all.messages.map(({ id }) => /^\d+-\w+$/.test(id))).toEqual([true, true, true]);
  });

  it('send nothing for drafts, and those of the locale of a published version', async () => {
    const client = await connect('?tag=*&type=article');
    const events = await connect('?type=article');
    const id = await send('POST', '/articles?status=draft', { title: 'A draft' });
    await send('PUT', `/articles/${id}?locale=fr`, { title: 'Un article' });
    await expectMessages(events, [
      { action: 'create', status: 'draft' },
      { action: 'update', status: 'published' },
    ]);
    await expectMessages(client, [{ event: 'tags' }]);
    expect(tagsOf(client)[0]).toContain(`article@fr:${id}`);
    expect(tagsOf(client).join()).not.toContain('@en');
  });

  it('continue after an id on another server and after a restart', async () => {
    const id = await send('POST', '/tags', named());
    const first = await connect(`?tag=tag:${id}`);
    await send('PUT', `/tags/${id}`, named());
    await expectTags(first, [`tag:${id}`]);
    const { lastEventId } = first;
    first.close();
    await send('PUT', `/tags/${id}`, named(), other);
    await other.close();
    await send('PUT', `/tags/${id}`, named());
    other = await startOther();
    const again = await connect(`?tag=tag:${id}`, { lastEventId }, other);
    await expectTags(again, [`tag:${id}`], [`tag:${id}`]);
    await send('PUT', `/tags/${id}`, named());
    await expectTags(again, [`tag:${id}`], [`tag:${id}`], [`tag:${id}`]);
  });

  it('send all tags of the type that were asked for if another process does not know of them', async () => {
    const [asked, written] = [await send('POST', '/tags', named()), await send('POST', '/tags', named())];
    await forgetTags();
    await send('PUT', `/tags/${written}`, named(), other);
    const client = await connect(`?tag=tag:${asked}&tag=tag.name&tag=author`);
    await send('PUT', `/tags/${written}`, named(), other);
    await send('PUT', `/tags/${written}`, named(), other);
    await expectTags(client, [`tag:${asked}`, 'tag.name'], ['tag.name']);
  });

  it('send all tags of the type that were asked for after a write with very many', async () => {
    const bulk = async (path: string, data: readonly unknown[]): Promise<readonly string[]> => {
      const response = await fetch(`${testbed.site.server.url}/api/${path}/bulk?atomic=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${full()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data: data.map((each) => ({ action: 'create', data: each })) }),
      });
      const body = (await response.json()) as { data: { data: { documentId: string } }[] };
      return body.data.map(({ data: { documentId } }) => documentId);
    };
    const id = await send('POST', '/articles', { title: 'asked for' });
    const linked = await bulk('tags', Array.from({ length: 2 * MANY }, named));
    const [one, all] = await Promise.all([
      connect(`?tag=article@en:${id}&tag=author`),
      connect('?tag=*&type=article&type=author'),
    ]);
    await bulk(
      'articles',
      Array.from({ length: MANY }, (_, index) => ({
        title: `one of many ${index}`,
        slug: `one-of-many-${index}`,
        tags: linked.slice(2 * index, 2 * index + 2),
      })),
    );
    await expectTags(all, ['article!', 'article*']);
    await expectTags(one, [`article@en:${id}`]);
  });

  it('begin with a reset if tags were not recorded since the id', async () => {
    const events = await connect('?type=tag');
    const id = await send('POST', '/tags', named());
    await expectMessages(events, [{ documentId: id }]);
    for (const client of open.splice(0)) client.close();
    await forgetTags();
    await send('PUT', `/tags/${id}`, named());
    // A process that has not recorded tags before.
    await other.close();
    other = await startOther();
    const client = await connect(`?tag=tag:${id}`, { lastEventId: events.lastEventId }, other);
    // The tags of the first write follow its event.
    await expectMessages(client, [{ event: 'tags' }, { event: 'reset' }]);
    const later = await connect('?type=tag', { lastEventId: events.lastEventId }, other);
    await expectMessages(later, [{ action: 'update', documentId: id }]);
  });

  it('send the tags of files and users, but not those of all files without the permission', async () => {
    await testbed.grant('public', NOTE, { find: true });
    await testbed.site.server.app.access.refresh();
    const client = await connect('?tag=file&tag=user');
    const [asked, everything] = [
      await connect('?tag=file', { as: undefined }),
      await connect('?tag=*', { as: undefined }),
    ];
    const form = new FormData();
    form.append('files', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
    const upload = await fetch(`${testbed.site.server.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${full()}` },
      body: form,
    });
    expect(upload.status).toBe(201);
    await testbed.createUser(`reader ${database.name}`.replace(' ', ''));
    await expectTags(client, ['file'], ['user']);
    await expectTags(asked, ['file']);
    const id = await send('POST', '/notes', { title: 'visible' });
    await expectTags(everything, [`note:${id}`, 'note', 'note*']);
    await testbed.grant('public', NOTE, {});
  });

  it('never contain values of private attributes', async () => {
    const client = await connect('?tag=*&type=code');
    const id = await send('POST', '/codes', { title: 'one', invitation: 'secret' });
    await send('PUT', `/codes/${id}`, { invitation: 'changed' });
    await expectMessages(client, [{ event: 'tags' }, { event: 'tags' }]);
    const [created, updated] = tagsOf(client);
    // Those of `title` and of the documents.
    expect(created?.filter((tag) => tag.startsWith('code?'))).toHaveLength(1);
    expect(updated?.filter((tag) => tag.startsWith('code?'))).toHaveLength(1);
    expect(updated).not.toContain('code.invitation');
    expect(updated).toContain(`code:${id}`);
  });

  it('require find, and name no documents to those who may find only some', async () => {
    const [ada, bob] = [await testbed.createUser('ada'), await testbed.createUser('bob')];
    await testbed.grant('authenticated', TAG, {});
    await testbed.grant('authenticated', NOTE, { find: { where: { owner: { id: { $eq: '$user.id' } } } } });
    await testbed.site.server.app.access.refresh();
    const refused = await Promise.all(
      ['?tag=tag', '?tag=note&tag=tag:x', '?tag=*&type=tag'].map((query) => connect(query, { as: ada.jwt })),
    );
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    const [hers, all] = [
      await connect('?tag=note:unknown&tag=note', { as: ada.jwt }),
      await connect('?tag=*', { as: ada.jwt }),
    ];
    await send('POST', '/tags', named());
    await send('POST', '/notes', { title: 'his', owner: bob.id });
    await expectTags(all, ['note!', 'note*']);
    await expectTags(hers, ['note', 'note:unknown']);
    await testbed.grant('authenticated', NOTE, { find: { fields: ['title'] } });
    await expect.poll(() => tagsOf(all).at(-1), { timeout: 20_000 }).toEqual(['all']);
    await send('POST', '/notes', { title: 'visible', body: 'invisible' });
    await expect.poll(() => tagsOf(all).at(-1), { timeout: 20_000 }).toEqual(['note!', 'note*']);
    expect(
      tagsOf(all)
        .flat()
        .every((tag) => POSSIBLE.includes(tag)),
    ).toBe(true);
    await testbed.grant('authenticated', NOTE, {});
    await expect.poll(() => hers.isEnded, { timeout: 20_000 }).toBe(true);
  });

  it('send the tag of all responses to all once permissions change', async () => {
    await testbed.grant('public', NOTE, { find: true });
    await testbed.site.server.app.access.refresh();
    const [own, anonymous] = [await connect('?tag=tag'), await connect('?tag=note', { as: undefined })];
    expect([own.status, anonymous.status]).toEqual([200, 200]);
    await testbed.grant('public', TAG, { find: true });
    await expectTags(own, ['all']);
    await expectTags(anonymous, ['all']);
    await testbed.grant('public', TAG, {});
    await testbed.grant('public', NOTE, {});
  });

  it('reject what they cannot select', async () => {
    const queries = [
      '?tag=',
      '?tag=tga:x',
      '?tag[a]=tag',
      '?tag=tag&type=tag',
      '?tag=tag&documentId=x',
      '?tag=tag&status=published',
      '?tag=*&locale=en',
    ];
    const statuses = await Promise.all(
      queries.map(async (query) => {
        const { status, body } = await connect(query);
        return [query, status, body.includes('"error"')];
      }),
    );
    expect(statuses).toEqual(queries.map((query) => [query, 400, true]));
    expect((await connect('?tag=atricle:x')).body).toContain('Did you mean article?');
    expect((await connect('?tag=tag', { as: undefined })).status).toBe(403);
  });

  it('log nothing', () => {
    expect(testbed.site.log).toEqual([]);
  });
});
