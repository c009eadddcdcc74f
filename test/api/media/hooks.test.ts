import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { call, createImage, send, readUploadState, upload, uploadOne } from './support/client.js';

/** Takes part in every write of files and users, and reports over HTTP what it has seen. */
const ENTRY = `
const FILE = 'plugin::upload.file';
const USER = 'plugin::users-permissions.user';
const heard = [];
let service;
export const bootstrap = ({ documents }) => { service = documents; };
export const register = ({ fastify, documents, strapi }) => {
  documents.use(async (operation, next) => {
    if (!['create', 'update', 'delete'].includes(operation.action)) return next();
    const { documentId, data } = operation.params;
    if (data?.caption === 'forbidden') throw new Error('a hook says no');
    if (data?.caption === 'swallow') return null;
    if (data?.name === 'captioned.txt')
        operation.params = {
          ...operation.params,
          data: { ...data, caption: 'by a hook', hash: 'not theirs to say' },
        };
    const result = await next();
    heard.push({ when: 'around', action: operation.action, type: operation.type, documentId, result });
    return result;
  }, [FILE, USER]);
  for (const action of ['create', 'update', 'delete']) {
    documents.before(action, async (event, tx) => {
      const kept = await tx.model('UploadFileDocument').count({ where: { documentId: event.documentId } });
      heard.push({ when: 'before', ...event, kept });
      if (event.data?.caption === 'undo') throw new Error('a listener says no');
    }, [FILE]);
    documents.after(action, (event) => { heard.push({ when: 'after', ...event }); }, [FILE, USER]);
  }
  fastify.get('/heard', async () => heard.splice(0));
  const tried = async (work) => ({ result: await work().catch((error) => error.code) });
  fastify.post('/project/:action', async ({ params: { action }, body }) =>
      tried(() => strapi.documents(FILE)[action](body)));
  fastify.post('/service/:action', async ({ params: { action }, body }) =>
      tried(() => service(FILE)[action](body)));
};
`;

interface RecordedEvent {
  readonly when: 'around' | 'before' | 'after';
  readonly action: string;
  readonly type: string;
  readonly documentId?: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly kept?: number;
  readonly result?: unknown;
}

const FILE = 'plugin::upload.file';

describe.each(databases)('hooks around files on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: { trash: { days: 0 } },
      files: { 'src/index.mjs': ENTRY },
    });
  });
  afterAll(() => site.close());
  afterEach(async () => {
    await readEvents();
  });

  const readEvents = async (): Promise<readonly RecordedEvent[]> =>
    (await (await fetch(`${site.server.url}/heard`)).json()) as readonly RecordedEvent[];
  const eventNames = (list: readonly RecordedEvent[]): readonly string[] =>
    list.map(({ when, action }) => `${when} ${action}`);
  const parseRecord = (record: unknown): unknown =>
    typeof record === 'string' ? JSON.parse(record) : record;

  it('run for each file of an upload, before and after its row is written', async () => {
    const [first, second] = await upload(
      site,
      [
        { name: 'a.png', content: await createImage(300, 300) },
        { name: 'b.txt', content: 'b' },
      ],
      { fileInfo: [{ caption: 'A' }, {}] },
    );
    const list = await readEvents();
    expect(eventNames(list)).toEqual([
      'before create',
      'before create',
      'after create',
      'after create',
      'around create',
      'around create',
    ]);
    expect(list.slice(0, 2)).toMatchObject([
      {
        type: FILE,
        documentId: first?.documentId,
        kept: 1,
        data: { name: 'a.png', caption: 'A', mime: 'image/png', width: 300, hash: first?.hash },
      },
      { type: FILE, documentId: second?.documentId, kept: 1, data: { name: 'b.txt', mime: 'text/plain' } },
    ]);
    const around = list
      .slice(4)
      .map(({ result }) => result as { readonly documentId: string; readonly record: string });
    expect(around.map(({ documentId, record }) => [documentId, parseRecord(record)])).toMatchObject([
      [second?.documentId, { id: second?.id }],
      [first?.documentId, { id: first?.id, name: 'a.png' }],
    ]);
  });

  it('may change the information about a file, but not its content', async () => {
    const record = await uploadOne(site, { name: 'captioned.txt', content: 'c' });
    expect(record.caption).toBe('by a hook');
    expect(record.hash).toMatch(/^captioned_[0-9a-f]{16}$/);
  });

  it('may reject an upload, of which nothing is kept', async () => {
    const before = await readUploadState(site);
    for (const caption of ['forbidden', 'undo', 'swallow']) {
      expect([
        caption,
        (
          await send(
            site,
            [
              { name: 'ok.txt', content: 'o' },
              { name: 'n.txt', content: 'n' },
            ],
            { fileInfo: [{}, { caption }] },
          )
        ).status,
      ]).toEqual([caption, 500]);
    }
    expect(await readUploadState(site)).toEqual(before);
    expect(eventNames(await readEvents()).filter((step) => step.startsWith('after'))).toEqual([]);
  });

  it('run for updates and deletions over every interface', async () => {
    const { id, documentId } = await uploadOne(site, { name: 'c.txt', content: 'c' });
    await readEvents();
    expect((await send(site, [], { fileInfo: { caption: 'New' } }, `?id=${id}`)).status).toBe(200);
    const changed = await readEvents();
    expect(eventNames(changed)).toEqual(['before update', 'after update', 'around update']);
    expect(changed[0]).toMatchObject({ documentId, data: { caption: 'New' } });
    expect(changed[2]).toMatchObject({ documentId, result: { documentId } });
    expect((await send(site, [{ name: 'd.txt', content: 'dd' }], {}, `?id=${id}`)).status).toBe(200);
    expect(await readEvents()).toMatchObject([
      { when: 'before', action: 'update', data: { name: 'd.txt', mime: 'text/plain' } },
      { when: 'after' },
      { when: 'around' },
    ]);
    const graphql = async (query: string): Promise<void> => {
      expect((await call(site, 'POST', '/graphql', { query })).body).not.toHaveProperty('errors');
    };
    await graphql(`mutation { updateUploadFile(id: "${id}", info: { caption: "By GraphQL" }) { name } }`);
    expect(await readEvents()).toMatchObject([
      { action: 'update', documentId, data: { caption: 'By GraphQL' } },
      { when: 'after' },
      { when: 'around' },
    ]);
    await graphql(`mutation { deleteUploadFile(id: "${id}") { name } }`);
    expect(await readEvents()).toMatchObject([
      { when: 'before', action: 'delete', documentId, kept: 1, data: null },
      { when: 'after', action: 'delete', documentId },
      { when: 'around', result: true },
    ]);
    const other = await uploadOne(site, { name: 'e.txt', content: 'e' });
    await readEvents();
    expect((await call(site, 'DELETE', `/api/upload/files/${other.id}`)).status).toBe(200);
    expect(eventNames(await readEvents())).toEqual(['before delete', 'after delete', 'around delete']);
    expect((await call(site, 'DELETE', `/api/upload/files/${other.id}`)).status).toBe(404);
    expect(await readEvents()).toEqual([]);
  });

  it.each(['project', 'service'])(
    "see what the project's own code does to files (%s), whose content goes with their rows",
    async (path) => {
      const callDocuments = async (action: string, body: object): Promise<unknown> =>
        ((await call(site, 'POST', `/${path}/${action}`, body)).body as { readonly result: unknown }).result;
      const before = await readUploadState(site);
      const { documentId, hash } = await uploadOne(site, {
        name: 'p.png',
        content: await createImage(300, 300),
      });
      const during = await readUploadState(site);
      await readEvents();
      expect(
        await callDocuments('create', {
          data: { name: 'n', hash: 'h', mime: 'image/png', size: 1, url: '/uploads/n', provider: 'local' },
        }),
      ).toBe('upload/create-not-supported');
      expect(await callDocuments('update', { documentId, data: { hash: 'elsewhere' } })).toBe(
        'upload/read-only-attribute',
      );
      expect(await readEvents()).toEqual([]);
      expect(await callDocuments('update', { documentId, data: { caption: 'By code' } })).toMatchObject({});
      expect(eventNames(await readEvents())).toEqual(['before update', 'after update', 'around update']);
      expect(
        (await call(site, 'GET', `/api/upload/files?filters[documentId]=${documentId}`)).body,
      ).toMatchObject([{ caption: 'By code', hash }]);
      expect(await readUploadState(site)).toEqual(during);
      // Code written for Strapi gets the deleted versions as well, as from Strapi.
      const deletedEntries = [expect.objectContaining({ documentId, hash })];
      expect(await callDocuments('delete', { documentId })).toEqual({
        documentId,
        ...(path === 'project' ? { entries: deletedEntries } : {}),
      });
      expect(eventNames(await readEvents())).toEqual(['before delete', 'after delete', 'around delete']);
      expect(await callDocuments('delete', { documentId })).toEqual(
        path === 'project' ? { documentId, entries: [] } : null,
      );
      expect(await readUploadState(site)).toEqual(before);
    },
  );

  it('run for users who sign up, change and are deleted', async () => {
    const post = async (
      path: string,
      body: object,
    ): Promise<{ readonly user: { readonly id: number; readonly documentId: string } }> =>
      (await (
        await fetch(`${site.server.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as never;
    const { user } = await post('/api/auth/local/register', {
      username: 'hooked',
      email: 'hooked@example.com',
      password: 'secret123',
    });
    expect(await readEvents()).toMatchObject([
      { when: 'after', action: 'create', documentId: user.documentId, data: { username: 'hooked' } },
      { when: 'around', action: 'create', result: { documentId: user.documentId } },
    ]);
    expect((await call(site, 'PUT', `/api/users/${user.id}`, { username: 'renamed' })).status).toBe(200);
    expect(eventNames(await readEvents())).toEqual(['after update', 'around update']);
    expect((await call(site, 'DELETE', `/api/users/${user.id}`)).status).toBe(200);
    expect(eventNames(await readEvents())).toEqual(['after delete', 'around delete']);
    expect(
      (
        await call(site, 'POST', '/api/users', {
          username: 'made',
          email: 'made@example.com',
          password: 'secret123',
        })
      ).status,
    ).toBe(201);
    expect(eventNames(await readEvents())).toEqual(['after create', 'around create']);
  });
});
