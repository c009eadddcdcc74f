import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenapiDocument } from '../../../src/project/openapi-document.js';
import { databases } from '../../support/databases.js';
import { printAllTypes } from '../../support/print-all-types.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const NOTE = 'api::note.note';
const TEXT = { type: 'string' };
const CLOSED = { type: 'string', writable: false };

const schema = (name: string, kind: string, attributes: object, options = {}): string =>
  JSON.stringify({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes,
  });

const NOTE_ATTRIBUTES = {
  text: TEXT,
  level: { ...CLOSED, default: 'low' },
  must: { ...CLOSED, required: true },
  part: { type: 'component', component: 'c.part' },
  parts: { type: 'component', component: 'c.part', repeatable: true },
  zone: { type: 'dynamiczone', components: ['c.part'] },
  friend: { type: 'relation', relation: 'oneToOne', target: NOTE, writable: false },
  lead: { type: 'relation', relation: 'manyToOne', target: NOTE, inversedBy: 'team', writable: false },
  team: { type: 'relation', relation: 'oneToMany', target: NOTE, mappedBy: 'lead' },
  heir: { type: 'relation', relation: 'manyToOne', target: NOTE, inversedBy: 'heirs', writable: false },
  heirs: { type: 'relation', relation: 'oneToMany', target: NOTE, mappedBy: 'heir', writable: true },
};

const FILES = {
  'src/api/note/content-types/note/schema.json': schema('note', 'collectionType', NOTE_ATTRIBUTES, {
    draftAndPublish: true,
    history: 5,
  }),
  'src/api/home/content-types/home/schema.json': schema('home', 'singleType', { text: TEXT, level: CLOSED }),
  'src/components/c/part.json': JSON.stringify({
    info: { displayName: 'Part' },
    attributes: { label: TEXT, level: CLOSED },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
    info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: { nick: TEXT, level: CLOSED },
  }),
  'src/extensions/upload/content-types/file/schema.json': JSON.stringify({
    info: { name: 'file', singularName: 'file', pluralName: 'files', displayName: 'File' },
    attributes: { caption: { type: 'text', writable: false } },
  }),
};

const ACCOUNT = { username: 'annie', email: 'annie@example.com', password: 'password-1' };
const PART = { label: 'x', level: 'admin' };

describe.each(databases)('attributes that clients cannot write on $name', (database) => {
  let site: Site;
  let documentId = '';

  const send = async (method: string, path: string, body: unknown): Promise<[number, unknown]> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };

  beforeAll(async () => {
    const config = {
      plugins: { 'users-permissions': { config: { register: { allowedFields: ['nick', 'level'] } } } },
    };
    site = await createSite({ project: 'magazine', database, config, files: FILES });
    const [, created] = await send('POST', '/api/notes', { data: { text: 'x', part: { label: 'x' } } });
    documentId = (created as { data: { documentId: string } }).data.documentId;
  });
  afterAll(() => site.close());

  it.each<[string, string, object]>([
    ['POST', '/api/notes', { level: 'admin' }],
    ['POST', '/api/notes?status=draft', { level: null }],
    ['POST', '/api/notes', { friend: null }],
    ['POST', '/api/notes', { team: [] }],
    ['POST', '/api/notes', { part: PART }],
    ['POST', '/api/notes', { parts: [{ label: 'y' }, PART] }],
    ['POST', '/api/notes', { zone: [{ __component: 'c.part', ...PART }] }],
    ['PUT', '/api/notes/{id}', { level: 'admin' }],
    ['PUT', '/api/notes/{id}', { part: PART }],
    ['PUT', '/api/home', { level: 'admin' }],
  ])('%s %s refuses %j', async (method, path, data) => {
    const [status, body] = await send(method, path.replace('{id}', documentId), { data });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({
          message: expect.stringMatching(/^Invalid key (?:level|friend|team)\.$/) as string,
          details: expect.objectContaining({ source: 'body' }) as object,
        }) as object,
      }),
    ]);
  });

  it('the other side of a relation is written where it says so', async () => {
    const data = { heirs: { connect: [documentId] } };
    expect((await send('PUT', `/api/notes/${documentId}`, { data }))[0]).toBe(200);
  });

  it('uploads refuse them', async () => {
    const headers = { authorization: `Bearer ${site.tokens['full']}` };
    const statusWith = async (fileInfo: object): Promise<number> => {
      const body = new FormData();
      body.append('files', new Blob(['a'], { type: 'text/plain' }), 'a.txt');
      body.append('fileInfo', JSON.stringify(fileInfo));
      return (await fetch(`${site.server.url}/api/upload`, { method: 'POST', headers, body })).status;
    };
    expect([await statusWith({ caption: 'x' }), await statusWith({ alternativeText: 'x' })]).toEqual([
      400, 201,
    ]);
    const query = 'mutation { updateUploadFile(id: 1, info: { caption: "x" }) { name } }';
    expect((await send('POST', '/graphql', { query }))[1]).toHaveProperty('errors');
  });

  it('bulks refuse them', async () => {
    const item = { action: 'update', documentId, data: { level: 'admin' } };
    expect((await send('POST', '/api/notes/bulk', { data: [item] }))[0]).toBe(400);
  });

  it('accounts refuse them', async () => {
    expect((await send('POST', '/api/auth/local/register', { ...ACCOUNT, level: 'admin' }))[0]).toBe(400);
    expect((await send('POST', '/api/users', { ...ACCOUNT, level: 'admin', role: 1 }))[0]).toBe(400);
    const [status, body] = await send('POST', '/api/auth/local/register', { ...ACCOUNT, nick: 'ann' });
    const { user } = body as { user: { id: number; nick: string } };
    expect([status, user.nick]).toEqual([200, 'ann']);
    expect((await send('PUT', `/api/users/${user.id}`, { level: 'admin' }))[0]).toBe(400);
  });

  it.each([
    'mutation { createNote(data: { level: "admin" }) { level } }',
    'mutation { createNote(data: { part: { level: "admin" } }) { level } }',
    'mutation { createNote(data: { zone: [{ __component: "c.part", level: "admin" }] }) { level } }',
    'mutation { updateHome(data: { level: "admin" }) { level } }',
    'mutation { updateUsersPermissionsUser(id: 1, data: { level: "admin" }) { data { level } } }',
  ])('GraphQL refuses %s', async (query) => {
    const [, body] = await send('POST', '/graphql', { query });
    expect(body).toHaveProperty('errors');
  });

  it('are not required, as nobody could send them, and have their defaults', async () => {
    const [status, body] = await send('GET', `/api/notes/${documentId}`, undefined);
    expect([status, body]).toMatchObject([200, { data: { level: 'low', must: null } }]);
  });

  it('code writes them', async () => {
    const { documents } = site.server.app;
    const selection = { fields: ['level'], populate: [] };
    await documents.update({ type: NOTE, documentId, data: { level: 'high', part: PART }, selection });
    const [, body] = await send('GET', `/api/notes/${documentId}?populate=part`, undefined);
    expect(body).toMatchObject({ data: { level: 'high', part: { level: 'admin' } } });
  });

  it('restoring a version leaves them as they are', async () => {
    const { documents } = site.server.app;
    const selection = { fields: ['level'], populate: [] };
    await documents.update({ type: NOTE, documentId, data: { level: 'top', text: 'new' }, selection });
    const [status, body] = await send('POST', `/api/notes/${documentId}/versions/1/restore`, {});
    expect([status, body]).toMatchObject([200, { data: { level: 'top', text: 'x' } }]);
  });

  it('the OpenAPI document and the types for front ends have no input for them', async () => {
    const document: unknown = createOpenapiDocument(site.project, []);
    const { schemas } = (document as { components: { schemas: Record<string, { properties: object }> } })
      .components;
    for (const name of ['NoteInput', 'NotePartialInput', 'ComponentCPartInput']) {
      expect(Object.keys(schemas[name]?.properties ?? {}).length).toBeGreaterThan(0);
      expect(schemas[name]?.properties).not.toHaveProperty('level');
    }
    const files = await printAllTypes(site.project.model);
    const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
    expect(/interface NoteInput \{[\s\S]*?\n\}/.exec(textOf('types/content-types.d.ts'))?.[0]).not.toMatch(
      /level|must|friend/,
    );
    expect(textOf('types/server.d.ts')).toContain('level?: unknown;');
  });
});
