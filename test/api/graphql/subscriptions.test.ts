import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/app/start-server.js';
import type { RunningServer } from '../../../src/app/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { createSubscriber, expectHeard, untilHeard } from './support/subscriber.js';
import type { Heard, Subscriber } from './support/subscriber.js';

interface Saved {
  readonly documentId: string;
}

describe.each(databases)('subscriptions between two servers on $name', (database) => {
  let site: Site;
  let other: RunningServer;
  const open: Subscriber[] = [];
  const subscriber = (as: string | undefined = 'full', server: RunningServer = site.server): Subscriber => {
    const made = createSubscriber({ url: server.url, ...(as === undefined ? {} : { as: site.tokens[as] ?? as }) });
    open.push(made);
    return made;
  };
  const ask = async (server: RunningServer, method: string, path: string, body?: unknown): Promise<Saved> => {
    const response = await fetch(`${server.url}/api${path}`, { method, headers: { 'authorization': `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    expect([method, path, response.status < 300 ? 'done' : text]).toEqual([method, path, 'done']);
    return text === '' ? { documentId: '' } : (JSON.parse(text) as { readonly data: Saved }).data;
  };
  const graphql = async (server: RunningServer, query: string): Promise<unknown> =>
    (await fetch(`${server.url}/graphql`, { method: 'POST', headers: { 'authorization': `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json();
  let made = 0;
  const anyTag = (server: RunningServer): Promise<Saved> => createTag(server, `tag ${made += 1}`);
  const createTag = (server: RunningServer, name: string): Promise<Saved> => ask(server, 'POST', '/tags', { data: { name } });
  const watched = async (): Promise<number> => {
    const rows = await site.server.app.database.readTexts('select watches from cms_change_listeners', []);
    return rows.reduce((sum, text) => sum + Object.keys(JSON.parse(text ?? '{}') as object).length, 0);
  };

  const nothingWatched = async (): Promise<void> => {
    await expect.poll(watched, { timeout: 20_000 }).toBe(0);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    other = await startServer(site.root, { overrides: { host: '127.0.0.1', port: 0 }, logger: createLogger({ level: 'silent' }) });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.close();
    // Listeners of one test would tell those of the next that it is heard.
    await nothingWatched();
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });

  it('tells of what either server creates, updates and deletes, in order, with what is selected', async () => {
    const near = subscriber().subscribe('subscription { tagCreated { documentId name } }');
    const far = subscriber('full', other).subscribe('subscription Named { made: tagCreated { __typename name } }');
    const changed = subscriber().subscribe('subscription { tagUpdated { name } }');
    await untilHeard([near, far], () => anyTag(site.server));
    const { documentId: sentinel } = await anyTag(other);
    await untilHeard([changed], () => ask(other, 'PUT', `/tags/${sentinel}`, { data: { name: `changed ${made += 1}` } }));
    near.data.length = 0;
    far.data.length = 0;

    const one = await createTag(site.server, 'one');
    const two = await createTag(other, 'two');
    await ask(site.server, 'PUT', `/tags/${two.documentId}`, { data: { name: 'second' } });
    await graphql(other, `mutation { updateTag(documentId: "${one.documentId}", data: { name: "first" }) { name } }`);
    // What is told is what is there when it is told.
    const either = (...names: readonly string[]): string => expect.stringMatching(new RegExp(`^(${names.join('|')})$`)) as string;
    await expectHeard(near, [{ tagCreated: { documentId: one.documentId, name: either('one', 'first') } }, { tagCreated: { documentId: two.documentId, name: either('two', 'second') } }]);
    await expectHeard(far, [{ made: { __typename: 'Tag', name: either('one', 'first') } }, { made: { __typename: 'Tag', name: either('two', 'second') } }]);
    await expectHeard(changed, [{ tagUpdated: { name: 'second' } }, { tagUpdated: { name: 'first' } }]);
    expect(site.log).toEqual([]);
  });

  it('tells of removals by their ids, to whom the document was there', async () => {
    const tags = await Promise.all(['keep', 'go'].map((name) => createTag(other, name)));
    const heard = subscriber().subscribe('subscription { tagDeleted { documentId locale __typename } }');
    const named = subscriber().subscribe('subscription Go($name: String) { tagDeleted(filters: { name: { eq: $name } }) { documentId } }', { name: 'go' });
    const single = subscriber().subscribe('subscription One($id: ID) { tagDeleted(documentId: $id) { documentId } }', { id: tags[0]?.documentId });
    await expect.poll(watched, { timeout: 20_000 }).toBe(2);
    await ask(other, 'DELETE', `/tags/${tags[0]?.documentId}`);
    await ask(site.server, 'DELETE', `/tags/${tags[1]?.documentId}`);
    await expectHeard(heard, tags.map(({ documentId }) => ({ tagDeleted: { documentId, locale: null, __typename: 'DeletedDocument' } })));
    await expectHeard(named, [{ tagDeleted: { documentId: tags[1]?.documentId } }]);
    await expectHeard(single, [{ tagDeleted: { documentId: tags[0]?.documentId } }]);
  });

  it('tells of versions: drafts, what is published and what no longer is, in each language', async () => {
    const on = (field: string): Heard => subscriber().subscribe(`subscription { ${field} }`);
    const published = on('articlePublished { title publishedAt }');
    const french = on('articlePublished(locale: "fr") { title locale }');
    const anywhere = on('articleUpdated(locale: "*", status: DRAFT) { locale title }');
    const drafts = on('articleCreated(status: DRAFT) { title publishedAt }');
    const shown = on('articleCreated { title }');
    const write = (method: string, path: string, title: string): Promise<Saved> => ask(other, method, path, { data: { title } });
    const { documentId: sentinel } = await write('POST', '/articles', 'sentinel');
    await untilHeard([published, french, anywhere], async () => {
      await write('PUT', `/articles/${sentinel}`, 'sentinel');
      await write('PUT', `/articles/${sentinel}?locale=fr`, 'sentinelle');
    });
    await untilHeard([drafts, shown], () => write('POST', '/articles', 'sentinel'));
    for (const { data } of [published, french, anywhere]) data.length = 0;

    const { documentId } = await write('POST', '/articles?status=draft', 'a draft');
    await expectHeard(drafts, [{ articleCreated: { title: 'a draft', publishedAt: null } }]);
    await write('PUT', `/articles/${documentId}?status=draft`, 'edited');
    await expectHeard(anywhere, [{ articleUpdated: { locale: 'en', title: 'edited' } }]);
    expect([published.data, shown.data, french.data]).toEqual([[], [], []]);
    await ask(other, 'PUT', `/articles/${documentId}`, { data: {} });
    await expectHeard(published, [{ articlePublished: { title: 'edited', publishedAt: expect.any(String) as string } }]);
    await write('PUT', `/articles/${documentId}?locale=fr`, 'en français');
    await expectHeard(french, [{ articlePublished: { title: 'en français', locale: 'fr' } }]);
    expect(shown.data).toEqual([]);

    const gone = on('articleUnpublished { documentId locale }');
    const left = on('articleDeleted(locale: "fr") { documentId locale }');
    const draftGone = on('articleDeleted(status: DRAFT) { documentId locale }');
    await expect.poll(watched, { timeout: 20_000 }).toBe(3);
    const { app } = other;
    await app.documents.unpublish({ type: 'api::article.article', documentId, selection: { fields: [], populate: [] } });
    await expectHeard(gone, [{ articleUnpublished: { documentId, locale: 'en' } }]);
    await ask(site.server, 'DELETE', `/articles/${documentId}`);
    await expectHeard(draftGone, [{ articleDeleted: { documentId, locale: 'en' } }]);
    await ask(site.server, 'DELETE', `/articles/${documentId}?locale=fr`);
    await expectHeard(left, [{ articleDeleted: { documentId, locale: 'fr' } }]);
    expect(gone.data).toHaveLength(1);
    expect(draftGone.data).toHaveLength(1);
  });

  it('announces nothing once nobody listens any more', async () => {
    const one = subscriber();
    const heard = one.subscribe('subscription { tagCreated { name } }');
    await untilHeard([heard], () => anyTag(other));
    const leases = async (): Promise<number> => {
      const rows = await site.server.app.database.readTexts('select cast(expires_at as text) from cms_change_listeners', []);
      return rows.filter((text) => Number(text) > Date.now()).length;
    };
    expect(await leases()).toBe(1);
    one.close();
    await expect.poll(leases, { timeout: 20_000 }).toBe(0);
    const count = async (): Promise<number> => Number((await site.server.app.database.readTexts('select cast(count(*) as text) from cms_changes', []))[0]);
    const before = await count();
    await createTag(other, 'unheard');
    expect(await count()).toBe(before);
  });
});

describe.each(databases.filter(({ name }) => name === 'postgresql'))('a connection that listens and breaks', (database) => {
  it('is made again, and subscribers, who may have missed something, connect again', async () => {
    const site = await createSite({ project: 'magazine', database });
    const client = createSubscriber({ url: site.server.url, as: site.tokens['full'] ?? '', retries: 50 });
    const heard = client.subscribe('subscription { tagCreated { name } }');
    let made = 0;
    const write = () => site.server.app.documents.create({ type: 'api::tag.tag', data: { name: `tag ${made += 1}` }, selection: { fields: [], populate: [] } });
    await untilHeard([heard], write);
    // Through the way for writes: the one for reads would refuse it.
    const killed = await site.server.app.database.transact((tx) => tx.query("select pg_terminate_backend(pid)::text as done from pg_stat_activity where application_name = 'galley changes' and datname = current_database()", []));
    expect(killed).toEqual([{ done: 'true' }]);
    await expect.poll(() => client.closes, { timeout: 20_000 }).toEqual([1012]);
    await untilHeard([heard], write);
    client.close();
    await site.close();
  });
});
