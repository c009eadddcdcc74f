import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/access/operations/create-token.js';
import { revokeToken } from '../../../src/access/operations/revoke-token.js';
import { databases } from '../../support/databases.js';
import { createClub } from '../security/club.js';
import type { Club, Person } from '../security/club.js';
import { createSubscriber, expectHeard, untilHeard } from './support/subscriber.js';
import type { Heard, Subscriber } from './support/subscriber.js';

const NOTE = 'api::note.note';
const OWN = { where: { owner: { id: { $eq: '$user.id' } } } };

describe.each(databases)('what subscribers are told on $name', (database) => {
  let club: Club;
  let ada: Person;
  let bob: Person;
  const open: Subscriber[] = [];
  const subscriber = (as?: string): Subscriber => {
    const made = createSubscriber({ url: club.site.server.url, ...(as === undefined ? {} : { as }) });
    open.push(made);
    return made;
  };
  const full = (): string => club.site.tokens['full'] ?? '';
  const write = async (method: string, path: string, data: unknown): Promise<string> => {
    const { status, body } = await club.ask(method, `/api${path}`, { as: full(), body: { data } });
    expect([method, path, status < 300]).toEqual([method, path, true]);
    return (body as { readonly data: { readonly documentId: string } }).data.documentId;
  };
  const remove = (path: string) => club.ask('DELETE', `/api${path}`, { as: full() });
  const watched = async (count: number): Promise<void> => {
    const { database: opened } = club.context;
    await expect.poll(async () => (await opened.readTexts('select watches from cms_change_listeners', [])).reduce((sum, text) => sum + Object.keys(JSON.parse(text ?? '{}') as object).length, 0), { timeout: 20_000 }).toBe(count);
  };
  const codesOf = (heard: Heard): readonly unknown[] => heard.errors.map((error) => (error as { readonly extensions?: { readonly code?: string } }).extensions?.code);

  beforeAll(async () => {
    club = await createClub({ database });
    [ada, bob] = [await club.join('ada'), await club.join('bob')];
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.close();
    await watched(0);
  });
  afterAll(() => club.site.close());

  it('is only what the condition of their right covers, with the attributes it covers, also of removals', async () => {
    await club.grant('authenticated', NOTE, { find: { ...OWN, fields: ['title'] } });
    const created = [ada, bob].map(({ jwt }) => subscriber(jwt).subscribe('subscription { noteCreated { title } }'));
    const [adas, bobs] = created as [Heard, Heard];
    await untilHeard(created, () => Promise.all([ada, bob].map(({ id }) => write('POST', '/notes', { title: 'sentinel', owner: id }))));
    const hers = await write('POST', '/notes', { title: 'hers', owner: ada.id });
    const his = await write('POST', '/notes', { title: 'his', owner: bob.id });
    await expectHeard(adas, [{ noteCreated: { title: 'hers' } }]);
    await expectHeard(bobs, [{ noteCreated: { title: 'his' } }]);
    const deleted = [ada, bob].map(({ jwt }) => subscriber(jwt).subscribe('subscription { noteDeleted { documentId } }'));
    await watched(2);
    await Promise.all([hers, his].map((documentId) => remove(`/notes/${documentId}`)));
    await expectHeard(deleted[0] as Heard, [{ noteDeleted: { documentId: hers } }]);
    await expectHeard(deleted[1] as Heard, [{ noteDeleted: { documentId: his } }]);
    const uncovered = subscriber(ada.jwt).subscribe('subscription { noteUpdated { title body } }');
    const filtered = subscriber(ada.jwt).subscribe('subscription { noteDeleted(filters: { body: { contains: "x" } }) { documentId } }');
    await expect.poll(() => [uncovered, filtered].every(({ isComplete }) => isComplete), { timeout: 20_000 }).toBe(true);
    expect([codesOf(uncovered), codesOf(filtered)]).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
  });

  it('is nothing without the right: of find for all, of findOne for one, of what lists are related to', async () => {
    await club.grant('authenticated', NOTE, { find: true });
    const documentId = await write('POST', '/notes', { title: 'one' });
    const refused = [
      subscriber().subscribe('subscription { noteCreated { title } }'),
      subscriber(ada.jwt).subscribe('subscription One($id: ID) { noteUpdated(documentId: $id) { title } }', { id: documentId }),
      subscriber(ada.jwt).subscribe('subscription { folderCreated { name } }'),
    ];
    await expect.poll(() => refused.map(codesOf), { timeout: 20_000 }).toEqual([['FORBIDDEN'], ['FORBIDDEN'], ['FORBIDDEN']]);
    await club.grant('authenticated', NOTE, { findOne: true });
    const one = subscriber(ada.jwt).subscribe('subscription One($id: ID) { noteUpdated(documentId: $id) { title folder { name } } }', { id: documentId });
    await expect.poll(async () => {
      await write('PUT', `/notes/${documentId}`, { title: 'changed' });
      return one.errors.length + one.data.length > 0;
    }, { timeout: 20_000, interval: 200 }).toBe(true);
    expect([one.data[0], codesOf(one)[0]]).toEqual([{ noteUpdated: { title: 'changed', folder: null } }, 'FORBIDDEN']);
  });

  it('ends when the right is withdrawn, and the connection when the token or the user is', async () => {
    await club.grant('authenticated', NOTE, { find: true });
    const { accessKey, token } = await createToken({ ...club.context, salt: club.site.project.config.secrets.apiTokenSalt }, { name: `reader ${database.name}`, type: 'read-only', permissions: [] });
    await club.site.server.app.access.refresh();
    const clients = [subscriber(accessKey), subscriber(ada.jwt), subscriber(bob.jwt)] as const;
    const heard = clients.map((client) => client.subscribe('subscription { noteCreated { title } }'));
    const note = () => write('POST', '/notes', { title: 'sentinel' });
    await untilHeard(heard, note);
    await revokeToken(club.context, token.name);
    await club.site.server.app.access.refresh();
    expect((await club.ask('PUT', `/api/users/${bob.id}`, { as: full(), body: { blocked: true } })).status).toBe(200);
    await note();
    await expectHeard(heard[1] as Heard, [{ noteCreated: { title: 'sentinel' } }]);
    await expect.poll(() => [clients[0].closes[0], clients[2].closes[0]], { timeout: 20_000 }).toEqual([4403, 4403]);
    await club.grant('authenticated', NOTE, {});
    await note();
    await expect.poll(() => codesOf(heard[1] as Heard), { timeout: 20_000 }).toEqual(['FORBIDDEN']);
    expect(heard.map(({ data }) => data.length)).toEqual([0, 1, 0]);
    expect(club.site.log).toEqual([]);
    await club.ask('PUT', `/api/users/${bob.id}`, { as: full(), body: { blocked: false } });
  });
});
