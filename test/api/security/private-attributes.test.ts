import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenapiDocument } from '../../../src/project/openapi-document.js';
import { databases } from '../../support/databases.js';
import { printAllTypes } from '../../support/print-all-types.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const TEXT = { type: 'string' };

const type = (name: string, options: object, attributes: object, localized = false): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    pluginOptions: { i18n: { localized } },
    attributes,
  });

const FILES = {
  'src/api/note/content-types/note/schema.json': type(
    'note',
    { draftAndPublish: true, history: 5, privateAttributes: ['createdAt', 'locale', 'own'] },
    {
      text: TEXT,
      own: TEXT,
      hush: TEXT,
      part: { type: 'component', component: 'c.part' },
      zone: { type: 'dynamiczone', components: ['c.part'] },
      others: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
    },
    true,
  ),
  'src/components/c/part.json': JSON.stringify({
    info: { displayName: 'Part' },
    options: { privateAttributes: ['hushed'] },
    attributes: { label: TEXT, hushed: TEXT },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'up_users',
    info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
    options: { privateAttributes: ['phone', 'updatedAt'] },
    attributes: { phone: TEXT },
  }),
};

/** None of these may be in any response. */
const HIDDEN = /SECRET|"(?:own|hush|hushed|createdAt|phone)"/;

const PART = { label: 'a', hushed: 'SECRET2' };
const DATA = {
  text: 'x',
  own: 'SECRET1',
  hush: 'SECRET3',
  part: PART,
  zone: [{ __component: 'c.part', ...PART }],
};

describe.each(databases)('private attributes that lists name on $name', (database) => {
  let site: Site;
  let created: [number, string];
  let documentId = '';

  const send = async (method: string, path: string, body?: unknown): Promise<[number, string]> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [response.status, await response.text()];
  };
  const query = (text: string): Promise<[number, string]> => send('POST', '/graphql', { query: text });

  beforeAll(async () => {
    const config = { api: { privateAttributes: ['hush', 'createdAt'] } };
    site = await createSite({ project: 'magazine', database, config, files: FILES });
    created = await send('POST', '/api/notes', { data: DATA });
    documentId = (JSON.parse(created[1]) as { data: { documentId: string } }).data.documentId;
    await send('PUT', `/api/notes/${documentId}`, { data: { text: 'y', others: [documentId] } });
  });
  afterAll(() => site.close());

  it('what is created shows none of them', () => {
    const [status, text] = created;
    expect(status, text).toBe(201);
    expect(text).not.toMatch(HIDDEN);
  });

  it.each([
    '/api/notes?populate=*',
    '/api/notes?populate[others][populate]=*',
    '/api/notes?populate[localizations]=true',
    '/api/notes?fields=*',
  ])('%s shows none of them', async (path) => {
    const [status, text] = await send('GET', path);
    expect(status, text).toBe(200);
    expect(text).toMatch(/"text" ?: ?"y"/);
    expect(text).not.toMatch(HIDDEN);
    expect(text).not.toContain('"locale"');
  });

  it.each([
    'filters[own]=SECRET1',
    'filters[hush][$startsWith]=S',
    'filters[createdAt][$notNull]=true',
    'filters[locale]=en',
    'filters[part][hushed][$startsWith]=S',
    'filters[others][own][$notNull]=true',
    'sort=own',
    'sort=createdAt',
    'sort=part.hushed',
    'fields=hush',
    'fields=createdAt',
    'populate[part][fields]=hushed',
    'populate[others][sort]=createdAt',
  ])('?%s is refused', async (parameters) => {
    expect((await send('GET', `/api/notes?${parameters}`))[0]).toBe(400);
  });

  it.each(['groupBy=own', 'groupBy[createdAt]=month', 'max=createdAt', 'min=hush'])(
    'aggregates by ?%s are refused',
    async (parameters) => {
      expect((await send('GET', `/api/notes/aggregate?${parameters}`))[0]).toBe(400);
    },
  );

  it('the search looks at none of them', async () => {
    const found = await send('GET', '/api/notes?_q=SECRET');
    expect(JSON.parse(found[1])).toMatchObject({ data: [] });
  });

  it.each([
    'own',
    'hush',
    'createdAt',
    'locale',
    'part { hushed }',
    'zone { ... on ComponentCPart { hushed } }',
    'others(sort: "own") { text }',
  ])('GraphQL does not know %s', async (selection) => {
    const [, text] = await query(`{ notes { ${selection} } }`);
    expect(text).toContain('"errors"');
    expect(text).not.toContain('SECRET');
  });

  it('GraphQL has no filters for them, and subscriptions neither', async () => {
    const [, text] = await query(
      '{ type: __type(name: "NoteFiltersInput") { inputFields { name } } ' +
        'part: __type(name: "ComponentCPartFiltersInput") { inputFields { name } } }',
    );
    expect(text).toContain('updatedAt');
    expect(text).not.toMatch(/"(?:own|hush|hushed|createdAt|locale)"/);
    const [, subscription] = await query('subscription { noteChanged { note { own } } }');
    expect(subscription).toContain('"errors"');
  });

  it('versions show none of them', async () => {
    const [status, list] = await send('GET', `/api/notes/${documentId}/versions`);
    expect(status, list).toBe(200);
    const [first] = (JSON.parse(list) as { data: { version: number }[] }).data;
    const [, version] = await send('GET', `/api/notes/${documentId}/versions/${first?.version}`);
    expect(version).toContain('"text"');
    expect(version).not.toMatch(HIDDEN);
  });

  it('accounts show none of them', async () => {
    const account = { username: 'annie', email: 'annie@example.com', password: 'password-1' };
    const [, registered] = await send('POST', '/api/auth/local/register', account);
    const { jwt, user } = JSON.parse(registered) as { jwt: string; user: { id: number } };
    await send('PUT', `/api/users/${user.id}`, { phone: 'SECRET4' });
    const me = await fetch(`${site.server.url}/api/users/me`, {
      headers: { authorization: `Bearer ${jwt}` },
    });
    const texts = [
      registered,
      await me.text(),
      (await send('GET', '/api/users'))[1],
      (await send('GET', `/api/users/${user.id}`))[1],
      (await send('POST', '/api/auth/local', { identifier: 'annie', password: 'password-1' }))[1],
    ];
    for (const text of texts) {
      expect(text).toContain('annie');
      expect(text).not.toMatch(/SECRET|"(?:phone|createdAt|updatedAt)"/);
    }
    expect((await query('{ usersPermissionsUsers { phone } }'))[1]).toContain('"errors"');
  });

  it('the OpenAPI document describes none of them', () => {
    const document: unknown = createOpenapiDocument(site.project, []);
    const { schemas } = (document as { components: { schemas: Record<string, { properties: object }> } })
      .components;
    for (const [name, shown] of [
      ['Note', 'updatedAt'],
      ['NoteFilters', 'updatedAt'],
      ['ComponentCPart', 'label'],
    ] as const) {
      expect(schemas[name]?.properties).toHaveProperty(shown);
      for (const hidden of ['own', 'hush', 'hushed', 'createdAt', 'locale'])
        expect(schemas[name]?.properties).not.toHaveProperty(hidden);
    }
  });

  it('the types for front ends have none of them', async () => {
    const files = await printAllTypes(site.project.model);
    const text = files.find(({ path }) => path === 'types/content-types.d.ts')?.text ?? '';
    const note = /export interface Note \{[\s\S]*?\n\}/.exec(text)?.[0];
    expect(note).toContain('updatedAt: string;');
    expect(note).not.toMatch(/own|hush|createdAt|locale:/);
  });
});
