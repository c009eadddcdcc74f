import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createToken, revokeToken } from '../../../src/access/tokens.js';
import { defined } from '../../../src/lib/assert.js';
import { HOUR_MS } from '../../../src/lib/units.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from '../security/testbed.js';
import type { Testbed, TestUser } from '../security/testbed.js';
import { expectMessages, listen } from './event-client.js';
import type { EventClient, EventClientOptions } from './event-client.js';

const NOTE = 'api::note.note';
const OWN = { where: { owner: { id: { $eq: '$user.id' } } } };

describe.each(databases)('rights to events on $name', (database) => {
  let testbed: Testbed;
  let ada: TestUser;
  let bob: TestUser;
  const open: EventClient[] = [];
  const connect = async (options: Partial<EventClientOptions> = {}): Promise<EventClient> => {
    const client = listen({ url: testbed.site.server.url, ...options });
    open.push(client);
    await client.opened;
    return client;
  };
  const full = (): string => defined(testbed.site.tokens['full'], 'the full-access token');
  const write = async (data: unknown, path = '/notes', method = 'POST'): Promise<string> => {
    const { status, body } = await testbed.request(method, `/api${path}`, { as: full(), body: { data } });
    expect([method, path, status < 300]).toEqual([method, path, true]);
    return (body as { readonly data: { readonly documentId: string } }).data.documentId;
  };
  const remove = (documentId: string) =>
    testbed.request('DELETE', `/api/notes/${documentId}`, { as: full() });
  const isEnded = async (client: EventClient): Promise<void> => {
    await expect.poll(() => client.isEnded, { timeout: 20_000, interval: 10 }).toBe(true);
  };

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    [ada, bob] = [await testbed.createUser('ada'), await testbed.createUser('bob')];
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(() => testbed.site.close());

  it('require find for the type, and for any type without one', async () => {
    await testbed.grant('authenticated', NOTE, { find: true });
    const statuses = await Promise.all(
      [
        { as: ada.jwt, query: '?type=note' },
        { as: ada.jwt, query: '?type=folder' },
        { as: ada.jwt, query: '?type=note&type=folder' },
        { as: ada.jwt, query: '?type=note&status=draft' },
        { as: ada.jwt },
      ].map(async (options) => (await connect(options)).status),
    );
    expect(statuses.slice(0, 3)).toEqual([200, 403, 403]);
    expect(statuses[4]).toBe(200);
    const all = await connect({ as: ada.jwt });
    const everything = await connect({ as: full() });
    await testbed.request('POST', '/api/folders', { as: full(), body: { data: { name: 'secret' } } });
    const documentId = await write({ title: 'visible' });
    await expectMessages(all, [{ type: NOTE, documentId }]);
    await expectMessages(everything, [{ type: 'api::folder.folder' }, { type: NOTE, documentId }]);
  });

  it('cover only the documents of the condition, also removed ones', async () => {
    await testbed.grant('authenticated', NOTE, { find: { ...OWN, fields: ['title'] } });
    const [adas, bobs] = [await connect({ as: ada.jwt }), await connect({ as: bob.jwt })];
    const hers = await write({ title: 'hers', owner: ada.id });
    const his = await write({ title: 'his', owner: bob.id });
    await expectMessages(adas, [{ action: 'create', documentId: hers }]);
    await expectMessages(bobs, [{ action: 'create', documentId: his }]);
    await remove(hers);
    await remove(his);
    await expectMessages(adas, [
      { action: 'create', documentId: hers },
      { action: 'delete', documentId: hers },
    ]);
    await expectMessages(bobs, [
      { action: 'create', documentId: his },
      { action: 'delete', documentId: his },
    ]);
  });

  it('that nobody evaluated at a removal lead to a reset', async () => {
    await testbed.grant('authenticated', NOTE, { find: OWN });
    const first = await connect({ as: ada.jwt });
    const hers = await write({ title: 'hers', owner: ada.id });
    await expectMessages(first, [{ action: 'create', documentId: hers }]);
    first.close();
    await isEnded(first);
    // While she is away, rights change, so that her old watch is not that of her present rights.
    await testbed.grant('authenticated', NOTE, { find: { where: { owner: { username: 'ada' } } } });
    await remove(hers);
    const later = await write({ title: 'later', owner: ada.id });
    const again = await connect({ as: ada.jwt, lastEventId: first.lastEventId });
    await expectMessages(again, [{ event: 'reset' }, { action: 'create', documentId: later }]);
  });

  it('are those of now: streams end with the token, and send nothing without the permission', async () => {
    await testbed.grant('authenticated', NOTE, { find: true });
    const context = { ...testbed.context, salt: testbed.site.project.config.secrets.apiTokenSalt };
    const { accessKey, token } = await createToken(context, {
      name: `events ${database.name}`,
      type: 'read-only',
      permissions: [],
    });
    await testbed.site.server.app.access.refresh();
    const byToken = await connect({ as: accessKey });
    const byUser = await connect({ as: ada.jwt, query: '?type=note' });
    expect([byToken.status, byUser.status]).toEqual([200, 200]);
    const revokedAt = performance.now();
    await revokeToken(testbed.context, token.name);
    await isEnded(byToken);
    expect(performance.now() - revokedAt).toBeLessThan(5000);
    await testbed.grant('authenticated', NOTE, {});
    await testbed.site.server.app.access.refresh();
    await write({ title: 'unseen' });
    await isEnded(byUser);
    expect([byToken.messages, byUser.messages]).toEqual([[], []]);
    expect((await connect({ as: accessKey })).status).toBe(401);
    expect((await connect({ as: ada.jwt, query: '?type=note' })).status).toBe(403);
  });

  it('of a preview token are those of its types', async () => {
    const context = { ...testbed.context, salt: testbed.site.project.config.secrets.apiTokenSalt };
    const { accessKey } = await createToken(context, {
      name: `preview ${database.name}`,
      type: 'preview',
      types: [NOTE],
      expiresIn: HOUR_MS,
    });
    await testbed.site.server.app.access.refresh();
    const client = await connect({ as: accessKey });
    await testbed.request('POST', '/api/folders', { as: full(), body: { data: { name: 'hidden' } } });
    const documentId = await write({ title: 'previewed' });
    await expectMessages(client, [{ action: 'create', type: NOTE, documentId }]);
    expect((await connect({ as: accessKey, query: '?type=folder' })).status).toBe(403);
  });

  it('of the public are those of its role', async () => {
    await testbed.grant('public', NOTE, { find: { where: { title: { $startsWith: 'public' } } } });
    const client = await connect({ query: '?type=note' });
    await write({ title: 'internal' });
    const shown = await write({ title: 'public one' });
    await expectMessages(client, [{ action: 'create', documentId: shown }]);
    await testbed.grant('public', NOTE, {});
    await isEnded(client);
    expect((await connect({ query: '?type=note' })).status).toBe(403);
  });

  it('logs nothing', () => {
    expect(testbed.site.log).toEqual([]);
  });
});
