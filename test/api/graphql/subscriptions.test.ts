import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { createSubscriber, expectEvents, waitUntilReceiving } from './support/subscriber.js';
import type { ReceivedEvents, Subscriber } from './support/subscriber.js';
import { defined } from '../../../src/lib/assert.js';

interface Saved {
  readonly documentId: string;
}

describe.each(databases)('subscriptions between two servers on $name', (database) => {
  let site: Site;
  let other: RunningServer;
  const open: Subscriber[] = [];
  const subscriber = (as: string | undefined = 'full', server: RunningServer = site.server): Subscriber => {
    const client = createSubscriber({
      url: server.url,
      ...(as === undefined ? {} : { as: site.tokens[as] ?? as }),
    });
    open.push(client);
    return client;
  };
  const ask = async (server: RunningServer, method: string, path: string, body?: unknown): Promise<Saved> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([method, path, response.status < 300 ? 'done' : text]).toEqual([method, path, 'done']);
    return text === '' ? { documentId: '' } : (JSON.parse(text) as { readonly data: Saved }).data;
  };
  const graphql = async (server: RunningServer, query: string): Promise<unknown> =>
    (
      await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
    ).json();
  let made = 0;
  const anyTag = (server: RunningServer): Promise<Saved> => createTag(server, `tag ${(made += 1)}`);
  const createTag = (server: RunningServer, name: string): Promise<Saved> =>
    ask(server, 'POST', '/tags', { data: { name } });
  const countWatches = async (): Promise<number> => {
    const rows = await site.server.app.database.readTexts('select watches from cms_change_listeners', []);
    return rows.reduce((sum, text) => sum + Object.keys(JSON.parse(text ?? '{}') as object).length, 0);
  };

  const waitForNoWatches = async (): Promise<void> => {
    await expect.poll(countWatches, { timeout: 20_000 }).toBe(0);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    other = await startServer(site.root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
    });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.close();
    // A listener of this test would make the next test believe that its own is there.
    await waitForNoWatches();
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });

  it('sends events of writes of both servers, in order, with the selected fields', async () => {
    const near = subscriber().subscribe('subscription { tagCreated { documentId name } }');
    const far = subscriber('full', other).subscribe(
      'subscription Named { made: tagCreated { __typename name } }',
    );
    const changed = subscriber().subscribe('subscription { tagUpdated { name } }');
    await waitUntilReceiving([near, far], () => anyTag(site.server));
    const { documentId: sentinel } = await anyTag(other);
    await waitUntilReceiving([changed], () =>
      ask(other, 'PUT', `/tags/${sentinel}`, { data: { name: `changed ${(made += 1)}` } }),
    );
    near.data.length = 0;
    far.data.length = 0;

    const one = await createTag(site.server, 'one');
    const two = await createTag(other, 'two');
    await ask(site.server, 'PUT', `/tags/${two.documentId}`, { data: { name: 'second' } });
    await graphql(
      other,
      `mutation { updateTag(documentId: "${one.documentId}", data: { name: "first" }) { name } }`,
    );
    // An event contains the document as it is when the event is sent.
    const either = (...names: readonly string[]): string =>
      expect.stringMatching(new RegExp(`^(${names.join('|')})$`)) as string;
    await expectEvents(near, [
      { tagCreated: { documentId: one.documentId, name: either('one', 'first') } },
      { tagCreated: { documentId: two.documentId, name: either('two', 'second') } },
    ]);
    await expectEvents(far, [
      { made: { __typename: 'Tag', name: either('one', 'first') } },
      { made: { __typename: 'Tag', name: either('two', 'second') } },
    ]);
    await expectEvents(changed, [{ tagUpdated: { name: 'second' } }, { tagUpdated: { name: 'first' } }]);
    expect(site.log).toEqual([]);
  });

  it('sends ids of deleted documents to subscribers who could read them', async () => {
    const tags = await Promise.all(['keep', 'go'].map((name) => createTag(other, name)));
    const received = subscriber().subscribe('subscription { tagDeleted { documentId locale __typename } }');
    const named = subscriber().subscribe(
      `
        subscription Go($name: String) {
          tagDeleted(filters: {name: {eq: $name}}) {
            documentId
          }
        }
      `,
      { name: 'go' },
    );
    const single = subscriber().subscribe(
      'subscription One($id: ID) { tagDeleted(documentId: $id) { documentId } }',
      { id: tags[0]?.documentId },
    );
    await expect.poll(countWatches, { timeout: 20_000 }).toBe(2);
    await ask(other, 'DELETE', `/tags/${tags[0]?.documentId}`);
    await ask(site.server, 'DELETE', `/tags/${tags[1]?.documentId}`);
    await expectEvents(
      received,
      tags.map(({ documentId }) => ({
        tagDeleted: { documentId, locale: null, __typename: 'DeletedDocument' },
      })),
    );
    await expectEvents(named, [{ tagDeleted: { documentId: tags[1]?.documentId } }]);
    await expectEvents(single, [{ tagDeleted: { documentId: tags[0]?.documentId } }]);
  });

  it('sends events of drafts, publications and unpublications, per locale', async () => {
    const on = (field: string): ReceivedEvents => subscriber().subscribe(`subscription { ${field} }`);
    const published = on('articlePublished { title publishedAt }');
    const french = on('articlePublished(locale: "fr") { title locale }');
    const anywhere = on('articleUpdated(locale: "*", status: DRAFT) { locale title }');
    const drafts = on('articleCreated(status: DRAFT) { title publishedAt }');
    const createdPublished = on('articleCreated { title }');
    const write = (method: string, path: string, title: string): Promise<Saved> =>
      ask(other, method, path, { data: { title } });
    const { documentId: sentinel } = await write('POST', '/articles', 'sentinel');
    await waitUntilReceiving([published, french, anywhere], async () => {
      await write('PUT', `/articles/${sentinel}`, 'sentinel');
      await write('PUT', `/articles/${sentinel}?locale=fr`, 'sentinelle');
    });
    await waitUntilReceiving([drafts, createdPublished], () => write('POST', '/articles', 'sentinel'));
    for (const { data } of [published, french, anywhere]) data.length = 0;

    const { documentId } = await write('POST', '/articles?status=draft', 'a draft');
    await expectEvents(drafts, [{ articleCreated: { title: 'a draft', publishedAt: null } }]);
    await write('PUT', `/articles/${documentId}?status=draft`, 'edited');
    await expectEvents(anywhere, [{ articleUpdated: { locale: 'en', title: 'edited' } }]);
    expect([published.data, createdPublished.data, french.data]).toEqual([[], [], []]);
    await ask(other, 'PUT', `/articles/${documentId}`, { data: {} });
    await expectEvents(published, [
      { articlePublished: { title: 'edited', publishedAt: expect.any(String) as string } },
    ]);
    await write('PUT', `/articles/${documentId}?locale=fr`, 'en français');
    await expectEvents(french, [{ articlePublished: { title: 'en français', locale: 'fr' } }]);
    expect(createdPublished.data).toEqual([]);

    const unpublished = on('articleUnpublished { documentId locale }');
    const deletedFrench = on('articleDeleted(locale: "fr") { documentId locale }');
    const deletedDrafts = on('articleDeleted(status: DRAFT) { documentId locale }');
    await expect.poll(countWatches, { timeout: 20_000 }).toBe(3);
    const { app } = other;
    await app.documents.unpublish({
      type: 'api::article.article',
      documentId,
      selection: { fields: [], populate: [] },
    });
    await expectEvents(unpublished, [{ articleUnpublished: { documentId, locale: 'en' } }]);
    await ask(site.server, 'DELETE', `/articles/${documentId}`);
    await expectEvents(deletedDrafts, [{ articleDeleted: { documentId, locale: 'en' } }]);
    await ask(site.server, 'DELETE', `/articles/${documentId}?locale=fr`);
    await expectEvents(deletedFrench, [{ articleDeleted: { documentId, locale: 'fr' } }]);
    expect(unpublished.data).toHaveLength(1);
    expect(deletedDrafts.data).toHaveLength(1);
  });

  it('writes no messages when there are no subscribers', async () => {
    const one = subscriber();
    const received = one.subscribe('subscription { tagCreated { name } }');
    await waitUntilReceiving([received], () => anyTag(other));
    const leases = async (): Promise<number> => {
      const rows = await site.server.app.database.readTexts(
        'select cast(expires_at as text) from cms_change_listeners',
        [],
      );
      return rows.filter((text) => Number(text) > Date.now()).length;
    };
    expect(await leases()).toBe(1);
    one.close();
    await expect.poll(leases, { timeout: 20_000 }).toBe(0);
    const count = async (): Promise<number> =>
      Number(
        (await site.server.app.database.readTexts('select cast(count(*) as text) from cms_changes', []))[0],
      );
    const before = await count();
    await createTag(other, 'unheard');
    expect(await count()).toBe(before);
  });
});

describe.each(databases.filter(({ name }) => name === 'postgresql'))(
  'a database connection of the change feed that breaks',
  (database) => {
    it('is opened again, and subscribers miss nothing', async () => {
      const site = await createSite({ project: 'magazine', database });
      const client = createSubscriber({
        url: site.server.url,
        as: defined(site.tokens['full'], 'the full-access token'),
        retries: 50,
      });
      const received = client.subscribe('subscription { tagCreated { name } }');
      let made = 0;
      const write = () =>
        site.server.app.documents.create({
          type: 'api::tag.tag',
          data: { name: `tag ${(made += 1)}` },
          selection: { fields: [], populate: [] },
        });
      await waitUntilReceiving([received], write);
      // Connections for reads are not allowed to do this.
      const killed = await site.server.app.database.transact((tx) =>
        tx.query(
          `select pg_terminate_backend(pid)::text as done from pg_stat_activity
            where application_name = 'galley changes' and datname = current_database()`,
          [],
        ),
      );
      expect(killed).toEqual([{ done: 'true' }]);
      const before = made;
      await write();
      await write();
      const names = [1, 2].map((number) => ({ tagCreated: { name: `tag ${before + number}` } }));
      await expectEvents(received, names);
      expect(client.closes).toEqual([]);
      client.close();
      await site.close();
    });
  },
);
