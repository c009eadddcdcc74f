import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createToken, revokeToken } from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from '../security/testbed.js';
import type { Testbed, TestUser } from '../security/testbed.js';
import { createSubscriber, expectEvents, waitUntilReceiving } from './support/subscriber.js';
import type { ReceivedEvents, Subscriber } from './support/subscriber.js';
import { defined } from '../../../src/lib/assert.js';

const NOTE = 'api::note.note';
const OWN = { where: { owner: { id: { $eq: '$user.id' } } } };

describe.each(databases)('changes that subscribers receive on $name', (database) => {
  let testbed: Testbed;
  let ada: TestUser;
  let bob: TestUser;
  const open: Subscriber[] = [];
  const subscriber = (as?: string): Subscriber => {
    const client = createSubscriber({ url: testbed.site.server.url, ...(as === undefined ? {} : { as }) });
    open.push(client);
    return client;
  };
  const full = (): string => defined(testbed.site.tokens['full'], 'the full-access token');
  const write = async (method: string, path: string, data: unknown): Promise<string> => {
    const { status, body } = await testbed.request(method, `/api${path}`, { as: full(), body: { data } });
    expect([method, path, status < 300]).toEqual([method, path, true]);
    return (body as { readonly data: { readonly documentId: string } }).data.documentId;
  };
  const remove = (path: string) => testbed.request('DELETE', `/api${path}`, { as: full() });
  const waitForWatches = async (count: number): Promise<void> => {
    const { database: opened } = testbed.context;
    await expect
      .poll(
        async () =>
          (await opened.readTexts('select watches from cms_change_listeners', [])).reduce(
            (sum, text) => sum + Object.keys(JSON.parse(text ?? '{}') as object).length,
            0,
          ),
        { timeout: 20_000 },
      )
      .toBe(count);
  };
  const codesOf = (received: ReceivedEvents): readonly unknown[] =>
    received.errors.map(
      (error) => (error as { readonly extensions?: { readonly code?: string } }).extensions?.code,
    );

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    [ada, bob] = [await testbed.createUser('ada'), await testbed.createUser('bob')];
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.close();
    await waitForWatches(0);
  });
  afterAll(() => testbed.site.close());

  it('are only those that the condition and attributes of a permission cover', async () => {
    await testbed.grant('authenticated', NOTE, { find: { ...OWN, fields: ['title'] } });
    const created = [ada, bob].map(({ jwt }) =>
      subscriber(jwt).subscribe('subscription { noteCreated { title } }'),
    );
    const [adas, bobs] = created as [ReceivedEvents, ReceivedEvents];
    await waitUntilReceiving(created, () =>
      Promise.all([ada, bob].map(({ id }) => write('POST', '/notes', { title: 'sentinel', owner: id }))),
    );
    const hers = await write('POST', '/notes', { title: 'hers', owner: ada.id });
    const his = await write('POST', '/notes', { title: 'his', owner: bob.id });
    await expectEvents(adas, [{ noteCreated: { title: 'hers' } }]);
    await expectEvents(bobs, [{ noteCreated: { title: 'his' } }]);
    const deleted = [ada, bob].map(({ jwt }) =>
      subscriber(jwt).subscribe('subscription { noteDeleted { documentId } }'),
    );
    await waitForWatches(2);
    await Promise.all([hers, his].map((documentId) => remove(`/notes/${documentId}`)));
    await expectEvents(deleted[0] as ReceivedEvents, [{ noteDeleted: { documentId: hers } }]);
    await expectEvents(deleted[1] as ReceivedEvents, [{ noteDeleted: { documentId: his } }]);
    const outOfScope = subscriber(ada.jwt).subscribe('subscription { noteUpdated { title body } }');
    const filtered = subscriber(ada.jwt).subscribe(
      `
        subscription {
          noteDeleted(filters: {body: {contains: "x"}}) {
            documentId
          }
        }
      `,
    );
    await expect
      .poll(() => [outOfScope, filtered].every(({ isComplete }) => isComplete), { timeout: 20_000 })
      .toBe(true);
    expect([codesOf(outOfScope), codesOf(filtered)]).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
  });

  it('require find for lists, findOne for one document, and permissions for relations', async () => {
    await testbed.grant('authenticated', NOTE, { find: true });
    const documentId = await write('POST', '/notes', { title: 'one' });
    const refused = [
      subscriber().subscribe('subscription { noteCreated { title } }'),
      subscriber(ada.jwt).subscribe('subscription One($id: ID) { noteUpdated(documentId: $id) { title } }', {
        id: documentId,
      }),
      subscriber(ada.jwt).subscribe('subscription { folderCreated { name } }'),
    ];
    await expect
      .poll(() => refused.map(codesOf), { timeout: 20_000 })
      .toEqual([['FORBIDDEN'], ['FORBIDDEN'], ['FORBIDDEN']]);
    await testbed.grant('authenticated', NOTE, { findOne: true });
    const one = subscriber(ada.jwt).subscribe(
      `
        subscription One($id: ID) {
          noteUpdated(documentId: $id) {
            title
            folder {
              name
            }
          }
        }
      `,
      { id: documentId },
    );
    await expect
      .poll(
        async () => {
          await write('PUT', `/notes/${documentId}`, { title: 'changed' });
          return one.errors.length + one.data.length > 0;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(true);
    expect([one.data[0], codesOf(one)[0]]).toEqual([
      { noteUpdated: { title: 'changed', folder: null } },
      'FORBIDDEN',
    ]);
  });

  it('end with the permission; the connection ends with the token or the user', async () => {
    await testbed.grant('authenticated', NOTE, { find: true });
    const { accessKey, token } = await createToken(
      { ...testbed.context, salt: testbed.site.project.config.secrets.apiTokenSalt },
      { name: `reader ${database.name}`, type: 'read-only', permissions: [] },
    );
    await testbed.site.server.app.access.refresh();
    const clients = [subscriber(accessKey), subscriber(ada.jwt), subscriber(bob.jwt)] as const;
    const received = clients.map((client) => client.subscribe('subscription { noteCreated { title } }'));
    const note = () => write('POST', '/notes', { title: 'sentinel' });
    await waitUntilReceiving(received, note);
    await revokeToken(testbed.context, token.name);
    await testbed.site.server.app.access.refresh();
    expect(
      (await testbed.request('PUT', `/api/users/${bob.id}`, { as: full(), body: { blocked: true } })).status,
    ).toBe(200);
    await note();
    await expectEvents(received[1] as ReceivedEvents, [{ noteCreated: { title: 'sentinel' } }]);
    await expect
      .poll(() => [clients[0].closes[0], clients[2].closes[0]], { timeout: 20_000 })
      .toEqual([4403, 4403]);
    await testbed.grant('authenticated', NOTE, {});
    await note();
    await expect
      .poll(() => codesOf(received[1] as ReceivedEvents), { timeout: 20_000 })
      .toEqual(['FORBIDDEN']);
    expect(received.map(({ data }) => data.length)).toEqual([0, 1, 0]);
    expect(testbed.site.log).toEqual([]);
    await testbed.request('PUT', `/api/users/${bob.id}`, { as: full(), body: { blocked: false } });
  });
});
