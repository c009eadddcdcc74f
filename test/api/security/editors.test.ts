import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRole } from '../../../src/access/roles/write-roles.js';
import { createToken } from '../../../src/access/tokens.js';
import type { NewToken } from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createCallerClient } from './matrix/caller-client.js';
import type { CallerClient, Result } from './matrix/caller-client.js';
import { createTestbed } from './testbed.js';
import type { Testbed } from './testbed.js';

const ESSAY = 'api::essay.essay';
const TOPIC = 'api::topic.topic';
const ISSUE = 'api::issue.issue';
const PAGE = 'api::page.page';

const localized = { pluginOptions: { i18n: { localized: true } } };

const schemaFile = (name: string, attributes: object, options: object = {}): readonly [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: name !== 'topic' },
    attributes,
    ...options,
  }),
];

const relation = (target: string, kind: string, extra: object) => ({
  type: 'relation',
  relation: kind,
  target,
  ...extra,
});

const SALT = 'f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT';

/** Essays with drafts and locales, topics without drafts that list them, and issues with drafts that do. */
const FILES = Object.fromEntries([
  schemaFile(
    'essay',
    {
      title: { type: 'string', ...localized },
      rating: { type: 'integer' },
      topic: relation(TOPIC, 'manyToOne', { inversedBy: 'essays' }),
      issue: relation(ISSUE, 'manyToOne', { inversedBy: 'essays', ...localized }),
      cover: { type: 'media', multiple: false },
    },
    localized,
  ),
  schemaFile('page', { title: { type: 'string' } }, { kind: 'singleType' }),
  schemaFile('topic', {
    name: { type: 'string' },
    essays: relation(ESSAY, 'oneToMany', { mappedBy: 'topic' }),
  }),
  schemaFile('issue', {
    name: { type: 'string' },
    essays: relation(ESSAY, 'oneToMany', { mappedBy: 'issue' }),
  }),
]);

/** One locale of an essay, and the caller who changes it. */
interface Target {
  readonly documentId: string;
  readonly client: CallerClient;
  readonly locale: string;
}

type Send = (target: Target) => Promise<Result>;

const mutation =
  (name: string, args = '', selection = '{ documentId }'): Send =>
  ({ client, documentId, locale }) =>
    client.graphql(
      `mutation($id: ID!) { done: ${name}(documentId: $id, locale: "${locale}"${args}) ${selection} }`,
      { id: documentId },
    );

const rest =
  (
    method: string,
    suffix = '',
    { query = '', body }: { readonly query?: string; readonly body?: object } = {},
  ): Send =>
  ({ client, documentId, locale }) =>
    client.rest(method, `/api/essays/${documentId}${suffix}?locale=${locale}${query}`, body);

const LINKS = 'populate[0]=topic&populate[1]=issue&populate[2]=cover';
const CHANGED = { data: { title: 'changed' } };

const bulk =
  (item: object, query = ''): Send =>
  async ({ client, documentId, locale }) => {
    const result = await client.rest('POST', `/api/essays/bulk?atomic=false&locale=${locale}${query}`, {
      data: [{ documentId, ...item }],
    });
    const { data } = result.body as { readonly data: readonly { readonly status: number }[] | null };
    return { ...result, outcome: data?.[0]?.status === 403 ? 'forbidden' : result.outcome };
  };

const mcp =
  (tool: string, args: object): Send =>
  ({ client, documentId, locale }) =>
    client.mcp(tool, { type: 'essay', documentId, locale, ...args });

/** Every way to change an essay, and whether it changes a published version. */
const WRITES: readonly (readonly [name: string, changes: 'draft' | 'published', send: Send])[] = [
  ['rest update', 'published', rest('PUT', '', { body: CHANGED })],
  ['rest update, published', 'published', rest('PUT', '', { body: CHANGED, query: '&status=published' })],
  ['rest update, draft', 'draft', rest('PUT', '', { body: CHANGED, query: '&status=draft' })],
  ['rest delete', 'published', rest('DELETE')],
  [
    'rest schedule',
    'published',
    rest('PUT', '/schedule', { body: { data: { unpublishAt: '2090-01-01T00:00:00Z' } } }),
  ],
  ['rest restore of a version', 'draft', rest('POST', '/versions/1/restore')],
  ['bulk update', 'published', bulk({ action: 'update', ...CHANGED })],
  ['bulk update, draft', 'draft', bulk({ action: 'update', ...CHANGED }, '&status=draft')],
  ['bulk publish', 'published', bulk({ action: 'publish' })],
  ['bulk unpublish', 'published', bulk({ action: 'unpublish' })],
  ['bulk discard', 'draft', bulk({ action: 'discardDraft' })],
  ['bulk delete', 'published', bulk({ action: 'delete' })],
  ['graphql update', 'published', mutation('updateEssay', ', data: { title: "changed" }')],
  ['graphql update, draft', 'draft', mutation('updateEssay', ', data: { title: "changed" }, status: DRAFT')],
  ['graphql delete', 'published', mutation('deleteEssay')],
  [
    'graphql schedule',
    'published',
    mutation('scheduleEssay', ', publishAt: "2090-01-01T00:00:00.000Z"', '{ publishAt }'),
  ],
  ['graphql restore of a version', 'draft', mutation('restoreEssayVersion', ', version: 1')],
  ['mcp update, draft', 'draft', mcp('update', CHANGED)],
  ['mcp update, published', 'published', mcp('update', { ...CHANGED, status: 'published' })],
  ['mcp publish', 'published', mcp('publish', {})],
  ['mcp unpublish', 'published', mcp('publish', { action: 'unpublish' })],
  ['mcp discard', 'draft', mcp('publish', { action: 'discard' })],
  ['mcp delete', 'published', mcp('delete', {})],
];

describe.each(databases)('editors on $name', (database) => {
  let testbed: Testbed;
  let full: CallerClient;
  let writer: CallerClient;
  let translator: CallerClient;
  let writerRole: number;

  const idOf = ({ body }: Result): string =>
    String((body as { readonly data: { readonly documentId: string } }).data.documentId);
  const create = async (path: string, data: object, query = ''): Promise<string> => {
    const result = await full.rest('POST', `/api/${path}${query}`, { data });
    expect(result.outcome).toBe('ok');
    return idOf(result);
  };
  const read = async (documentId: string, query: string): Promise<unknown> => {
    const { body } = await full.rest('GET', `/api/essays/${documentId}?${query}&${LINKS}`);
    return (body as { readonly data: unknown }).data;
  };
  const upload = async (): Promise<number> => {
    const form = new FormData();
    form.append('files', new Blob(['text'], { type: 'text/plain' }), 'cover.txt');
    const headers = { authorization: `Bearer ${testbed.site.tokens['full']}` };
    const response = await fetch(`${testbed.site.server.url}/api/upload`, {
      method: 'POST',
      headers,
      body: form,
    });
    const [file] = (await response.json()) as readonly { readonly id: number }[];
    return file?.id ?? 0;
  };
  /** The content of all versions, with the times of the published ones. */
  const stateOf = async (documentId: string): Promise<Readonly<Record<string, unknown>>> => ({
    en: await read(documentId, 'locale=en'),
    de: await read(documentId, 'locale=de'),
    draft: await read(documentId, 'locale=en&status=draft'),
    germanDraft: await read(documentId, 'locale=de&status=draft'),
    schedules: [
      (await full.rest('GET', `/api/essays/${documentId}/schedule?locale=en`)).body,
      (await full.rest('GET', `/api/essays/${documentId}/schedule?locale=de`)).body,
    ],
  });
  /** An essay published in English and German, with edited drafts. */
  const createEssay = async (): Promise<string> => {
    const documentId = await create('essays', { title: 'one', rating: 1 });
    await full.rest('PUT', `/api/essays/${documentId}?locale=de`, { data: { title: 'eins' } });
    await full.rest('PUT', `/api/essays/${documentId}?status=draft`, { data: { title: 'two' } });
    await full.rest('PUT', `/api/essays/${documentId}?locale=de&status=draft`, { data: { title: 'zwei' } });
    return documentId;
  };

  beforeAll(async () => {
    testbed = await createTestbed({ database, files: FILES });
    full = createCallerClient(testbed, testbed.site.tokens['full'] ?? '');
    const clientOf = async (name: string): Promise<CallerClient> => {
      const role = await createRole(testbed.context, { name });
      if (name === 'writer') writerRole = role.id;
      const { jwt } = await testbed.createUser(`${name}-user`, { role: role.id });
      return createCallerClient(testbed, jwt);
    };
    writer = await clientOf('writer');
    translator = await clientOf('translator');
  });
  beforeEach(async () => {
    const drafts = { status: 'draft' } as const;
    const german = { locales: ['de'] };
    const all = { find: true, findOne: true, create: true, update: true, delete: true } as const;
    const others = {
      findVersions: true,
      restoreVersion: true,
      findDeleted: true,
      restoreDeleted: true,
    } as const;
    await testbed.grant('writer', ESSAY, {
      ...all,
      findDrafts: true,
      create: drafts,
      update: drafts,
      delete: drafts,
      ...others,
    });
    await testbed.grant('translator', ESSAY, {
      find: true,
      findOne: true,
      findDrafts: true,
      create: german,
      update: german,
      delete: german,
      ...others,
    });
    for (const role of ['writer', 'translator'])
      for (const uid of [TOPIC, ISSUE]) await testbed.grant(role, uid, all);
  });
  afterAll(() => testbed.site.close());

  it.each(WRITES)('with a permission for drafts: %s', async (_name, changes, send) => {
    const documentId = await createEssay();
    const before = await stateOf(documentId);
    const result = await send({ client: writer, documentId, locale: 'en' });
    const after = await stateOf(documentId);
    expect([after['en'], after['de']]).toEqual([before['en'], before['de']]);
    expect([result.outcome, result.body]).toEqual([
      changes === 'draft' ? 'ok' : 'forbidden',
      expect.anything(),
    ]);
    expect(JSON.stringify(result.body).includes(`covers only drafts of ${ESSAY}`)).toBe(changes !== 'draft');
    expect(isDeepStrictEqual(after, before)).toBe(changes !== 'draft');
    await full.rest('DELETE', `/api/essays/${documentId}?locale=*`);
  });

  it.each(WRITES)('with a permission for German: %s', async (_name, _changes, send) => {
    const documentId = await createEssay();
    const before = await stateOf(documentId);
    const forbidden = await send({ client: translator, documentId, locale: 'en' });
    expect([forbidden.outcome, forbidden.body]).toEqual(['forbidden', expect.anything()]);
    expect(await stateOf(documentId)).toEqual(before);
    const changed = await send({ client: translator, documentId, locale: 'de' });
    expect([changed.outcome, changed.body]).not.toEqual(['forbidden', expect.anything()]);
    const after = await stateOf(documentId);
    expect([after['en'], after['draft']]).toEqual([before['en'], before['draft']]);
    expect([after['de'], after['germanDraft'], after['schedules']]).not.toEqual([
      before['de'],
      before['germanDraft'],
      before['schedules'],
    ]);
    await full.rest('DELETE', `/api/essays/${documentId}?locale=*`);
  });

  it('create drafts, and delete those that were never published', async () => {
    const data = { title: 'new' };
    const send = (query: string) => writer.rest('POST', `/api/essays${query}`, { data });
    expect((await send('')).outcome).toBe('forbidden');
    expect((await send('?status=published')).outcome).toBe('forbidden');
    expect((await writer.bulk('/api/essays', [{ action: 'create', data }])).outcome).toBe('forbidden');
    const document = 'mutation($data: EssayInput!) { done: createEssay(data: $data) { documentId } }';
    expect((await writer.graphql(document, { data })).outcome).toBe('forbidden');
    expect((await writer.mcp('create', { type: 'essay', data, status: 'published' })).outcome).toBe(
      'forbidden',
    );
    const { body } = await full.rest('GET', '/api/essays?status=draft&filters[title]=new');
    expect(body).toMatchObject({ data: [] });
    const created = await send('?status=draft');
    expect(created).toMatchObject({ outcome: 'ok', body: { data: { title: 'new', publishedAt: null } } });
    expect((await writer.mcp('create', { type: 'essay', data })).outcome).toBe('ok');
    expect((await writer.rest('DELETE', `/api/essays/${idOf(created)}`)).outcome).toBe('ok');
    expect(await read(idOf(created), 'status=draft')).toBeNull();
    const essay = await createEssay();
    await testbed.grant('writer', ISSUE, { delete: { status: 'draft' } });
    const issue = await create('issues', { name: 'may' });
    const everywhere =
      'mutation($id: ID!) { done: deleteEssay(documentId: $id, locale: "*") { documentId } }';
    for (const result of [
      await writer.rest('DELETE', `/api/essays/${essay}?locale=*`),
      await writer.graphql(everywhere, { id: essay }),
      await writer.mcp('delete', { type: 'essay', documentId: essay, locale: '*' }),
      await writer.rest('DELETE', `/api/issues/${issue}`),
      await writer.bulk('/api/issues', [{ action: 'delete', documentId: issue }]),
    ])
      expect([result.outcome, result.body]).toEqual(['forbidden', expect.anything()]);
    expect(await read(essay, '')).toMatchObject({ title: 'one' });
    expect((await full.rest('GET', `/api/issues/${issue}`)).outcome).toBe('ok');
    const invalid = await writer.rest('POST', '/api/essays', { data: { nothing: 1 } });
    expect(invalid.outcome).toBe('forbidden');
  });

  it('restore deleted documents unless that publishes them', async () => {
    const documentId = await createEssay();
    const draft = await create('essays', { title: 'draft' }, '?status=draft');
    for (const id of [documentId, draft]) await full.rest('DELETE', `/api/essays/${id}?locale=*`);
    const { body } = await full.rest('GET', '/api/essays/trash');
    const { data } = body as {
      readonly data: readonly { readonly id: number; readonly documentId: string }[];
    };
    const entryOf = (id: string): number => data.find((entry) => entry.documentId === id)?.id ?? 0;
    const restores: readonly ((client: CallerClient, entry: number) => Promise<Result>)[] = [
      (client, entry) => client.rest('POST', `/api/essays/trash/${entry}/restore`),
      (client, entry) =>
        client.graphql(`mutation { done: restoreDeletedEssay(entry: ${entry}) { documentId } }`),
      (client, entry) => client.mcp('trash', { type: 'essay', action: 'restore', entry }),
    ];
    for (const restore of restores) {
      expect((await restore(writer, entryOf(documentId))).outcome).toBe('forbidden');
      expect((await restore(translator, entryOf(documentId))).outcome).toBe('forbidden');
    }
    expect(await read(documentId, 'status=draft')).toBeNull();
    expect((await restores[0]?.(writer, entryOf(draft)))?.outcome).toBe('ok');
    expect((await restores[0]?.(full, entryOf(documentId)))?.outcome).toBe('ok');
    expect(await read(documentId, '')).toMatchObject({ title: 'one' });
  });

  it('link no published essay from the other side', async () => {
    const essay = await createEssay();
    const draft = await create('essays', { title: 'draft' }, '?status=draft');
    const topic = await create('topics', { name: 'seas' });
    const issue = await create('issues', { name: 'may' });
    const before = await stateOf(essay);
    const link = (client: CallerClient, path: string, id: string, query = '') =>
      client.rest('PUT', `/api/${path}${query}`, { data: { essays: { connect: [id] } } });
    expect((await link(writer, `topics/${topic}`, essay)).outcome).toBe('forbidden');
    expect((await link(writer, `issues/${issue}`, essay)).outcome).toBe('forbidden');
    expect(await stateOf(essay)).toEqual(before);
    expect((await link(writer, `topics/${topic}`, draft)).outcome).toBe('ok');
    expect((await link(writer, `issues/${issue}`, essay, '?status=draft')).outcome).toBe('ok');
    expect(await stateOf(essay)).toMatchObject({ en: before['en'], draft: { issue: { documentId: issue } } });
    const publish = await writer.bulk('/api/issues', [{ action: 'publish', documentId: issue }]);
    expect(publish.outcome).toBe('forbidden');
    expect(JSON.stringify(publish.body)).toContain(`${ISSUE}.essays is a link of a published version`);
    expect(await stateOf(essay)).toMatchObject({ en: before['en'] });
    expect((await full.bulk('/api/issues', [{ action: 'publish', documentId: issue }])).outcome).toBe('ok');
    expect(await read(essay, '')).toMatchObject({ issue: { documentId: issue } });
    const other = await createEssay();
    expect((await link(translator, `issues/${issue}`, other)).outcome).toBe('forbidden');
    expect((await link(translator, `issues/${issue}`, other, '?status=draft')).outcome).toBe('forbidden');
    expect(await read(other, 'status=draft')).toMatchObject({ issue: null });
  });

  it('change no values that a locale shares with another', async () => {
    const topic = await create('topics', { name: 'seas' });
    const documentId = await createEssay();
    const before = await stateOf(documentId);
    const change = (data: object, query = '') =>
      translator.rest('PUT', `/api/essays/${documentId}?locale=de${query}`, { data });
    for (const data of [{ rating: 2 }, { cover: await upload() }])
      for (const query of ['', '&status=draft']) {
        const { outcome, body } = await change(data, query);
        expect([data, query, outcome]).toEqual([data, query, 'forbidden']);
        expect(JSON.stringify(body)).toContain(`${ESSAY}.${Object.keys(data).join()}`);
      }
    expect(await stateOf(documentId)).toEqual(before);
    expect((await change({ title: 'drei', rating: 1, cover: null, topic })).outcome).toBe('ok');
    expect(await read(documentId, 'locale=de')).toMatchObject({ title: 'drei', rating: 1 });
    await full.rest('PUT', `/api/essays/${documentId}?status=draft`, { data: { rating: 3 } });
    const publish = mutation('updateEssay', ', data: {}');
    expect((await publish({ client: translator, documentId, locale: 'de' })).outcome).toBe('forbidden');
    expect(await read(documentId, '')).toMatchObject({ rating: 1 });
    const german = await create('essays', { title: 'nur deutsch', rating: 1 }, '?locale=de');
    const alone = await translator.rest('PUT', `/api/essays/${german}?locale=de`, { data: { rating: 9 } });
    expect(alone.outcome).toBe('ok');
  });

  it('add their locale, and delete all locales only if each is theirs', async () => {
    const documentId = await create('essays', { title: 'one', rating: 1 });
    const add = (locale: string) =>
      translator.rest('PUT', `/api/essays/${documentId}?locale=${locale}`, { data: { title: 'eins' } });
    expect((await add('fr')).outcome).toBe('forbidden');
    const translate = await translator.rest('POST', `/api/essays/${documentId}?locale=de`, {
      data: { title: 'uno' },
    });
    expect(translate.outcome).toBe('ok');
    expect((await add('de')).outcome).toBe('ok');
    expect((await translator.rest('DELETE', `/api/essays/${documentId}?locale=*`)).outcome).toBe('forbidden');
    expect(await read(documentId, 'locale=de')).toMatchObject({ title: 'eins' });
    expect((await translator.rest('DELETE', `/api/essays/${documentId}?locale=de`)).outcome).toBe('ok');
    expect(await read(documentId, '')).toMatchObject({ title: 'one' });
    const german = await create('essays', { title: 'eins' }, '?locale=de');
    expect((await translator.rest('DELETE', `/api/essays/${german}?locale=*`)).outcome).toBe('ok');
    expect(await read(german, 'locale=de')).toBeNull();
  });

  it('read only the locales of their permission', async () => {
    const german = { locales: ['de'] };
    await testbed.grant('translator', ESSAY, {
      find: german,
      findOne: german,
      findDrafts: german,
      update: german,
      delete: german,
      findVersions: german,
    });
    const topic = await create('topics', { name: 'hidden' });
    const documentId = await createEssay();
    for (const locale of ['en', 'de'])
      await full.rest('PUT', `/api/essays/${documentId}?locale=${locale}`, { data: { topic } });
    const english = await create('essays', { title: 'only english', topic });
    const get = (path: string) => translator.rest('GET', path);
    expect((await get(`/api/essays/${documentId}`)).outcome).toBe('missing');
    expect((await get(`/api/essays/${documentId}?status=draft`)).outcome).toBe('missing');
    expect((await get(`/api/essays/${documentId}/versions`)).outcome).toBe('missing');
    expect((await get(`/api/essays/${documentId}/schedule`)).outcome).toBe('missing');
    expect((await get(`/api/essays/${documentId}/versions?locale=de`)).outcome).toBe('ok');
    expect(await get('/api/essays')).toMatchObject({
      body: { data: [], meta: { pagination: { total: 0 } } },
    });
    const all = await get(`/api/essays?locale=*&filters[topic][documentId]=${topic}&populate=localizations`);
    expect(all.body).toMatchObject({ data: [{ locale: 'de', localizations: [] }] });
    const populated = await get(`/api/topics/${topic}?populate[essays][fields]=locale`);
    expect(populated.body).toMatchObject({ data: { essays: [{ documentId, locale: 'de' }] } });
    const listed = await translator.graphql('{ done: essays(locale: "en") { title } }');
    expect(listed.body).toMatchObject({ data: { done: [] } });
    expect((await translator.mcp('get', { type: 'essay', documentId })).outcome).toBe('missing');
    const unknown = await translator.rest('DELETE', `/api/essays/${english}?locale=*`);
    expect(unknown.outcome).toBe('ok');
    expect(await read(english, '')).toMatchObject({ title: 'only english' });
    const responses = translator.responses.join(' ');
    expect(responses).not.toContain('only english');
  });

  it('attach no files to a published version', async () => {
    await testbed.grant('writer', 'plugin::upload.content-api', { upload: true });
    const published = await createEssay();
    const draft = await create('essays', { title: 'draft' }, '?status=draft');
    const jwt = (await testbed.createUser('attacher', { role: writerRole })).jwt;
    const attach = async (refId: string): Promise<number> => {
      const form = new FormData();
      form.append('files', new Blob(['text'], { type: 'text/plain' }), 'cover.txt');
      for (const [name, value] of Object.entries({ ref: ESSAY, refId, field: 'cover' }))
        form.append(name, value);
      const headers = { authorization: `Bearer ${jwt}` };
      const { url } = testbed.site.server;
      return (await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form })).status;
    };
    expect(await attach(published)).toBe(403);
    expect(await read(published, 'status=draft')).toMatchObject({ cover: null });
    expect(await attach(draft)).toBe(201);
    expect(await read(draft, 'status=draft')).toMatchObject({ cover: { name: 'cover.txt' } });
  });

  it('write drafts of the only document of a type', async () => {
    await testbed.grant('writer', PAGE, {
      find: true,
      update: { status: 'draft' },
      delete: { status: 'draft' },
    });
    const put = (client: CallerClient, title: string, query = '') =>
      client.rest('PUT', `/api/page${query}`, { data: { title } });
    const document = 'mutation($data: PageInput!) { done: updatePage(data: $data) { documentId } }';
    expect((await put(writer, 'first')).outcome).toBe('forbidden');
    expect((await writer.graphql(document, { data: { title: 'first' } })).outcome).toBe('forbidden');
    expect((await put(writer, 'first', '?status=draft')).outcome).toBe('ok');
    expect((await put(full, 'live')).outcome).toBe('ok');
    expect((await put(writer, 'second', '?status=draft')).outcome).toBe('ok');
    expect((await writer.rest('DELETE', '/api/page')).outcome).toBe('forbidden');
    expect(await full.rest('GET', '/api/page')).toMatchObject({ body: { data: { title: 'live' } } });
  });

  it('tell agents what they may write', async () => {
    const typesOf = async (client: CallerClient) => {
      const { body } = await client.mcp('list_types', {});
      const { types } = body as { readonly types: readonly { readonly uid: string }[] };
      return types.find(({ uid }) => uid === ESSAY);
    };
    expect(await typesOf(writer)).toMatchObject({
      publishable: false,
      may: 'find findOne create update delete',
    });
    expect(await typesOf(writer)).not.toHaveProperty('writableLocales');
    expect(await typesOf(translator)).toMatchObject({ writableLocales: 'de' });
    for (const client of [full, translator]) expect(await typesOf(client)).not.toHaveProperty('publishable');
  });

  it('limit a custom token, which issues no tokens with more rights', async () => {
    const context = { ...testbed.context, salt: SALT };
    const permissions = [
      `${ESSAY}.find`,
      `${ESSAY}.update`,
      'plugin::cms.tokens.write',
      'plugin::cms.releases.read',
      'plugin::cms.releases.write',
      `${TOPIC}.update`,
    ];
    const limits = { locales: ['de'], status: 'draft' } as const;
    const issue = (token: Partial<NewToken>) =>
      createToken(context, { name: 'assistant', type: 'custom', ...token });
    await expect(issue({ permissions: [`${ESSAY}.find`], status: 'draft' })).rejects.toThrow(
      /limited by status/,
    );
    await expect(issue({ permissions: [`${TOPIC}.find`], locales: ['de'] })).rejects.toThrow(
      /limited by locales/,
    );
    await expect(issue({ permissions, locales: ['xx'] })).rejects.toThrow(/no locale xx/);
    await expect(issue({ type: 'read-only', status: 'draft' })).rejects.toThrow(/takes no status/);
    const { token, accessKey } = await issue({ permissions, ...limits });
    expect(token).toMatchObject({ ...limits, permissions: permissions.toSorted() });
    await testbed.site.server.app.access.refresh();
    const client = createCallerClient(testbed, accessKey);
    const documentId = await createEssay();
    const update = (query: string) => client.rest('PUT', `/api/essays/${documentId}${query}`, CHANGED);
    expect((await update('?locale=de')).outcome).toBe('forbidden');
    expect((await update('?status=draft')).outcome).toBe('forbidden');
    expect((await update('?status=draft&locale=de')).outcome).toBe('ok');
    expect(await client.rest('GET', '/api/essays')).toMatchObject({ body: { data: [] } });
    const rule = { fields: null, where: null, ...limits };
    const assignment = { role: 'translator', uid: ESSAY, actions: ['update'], rule };
    const set = await full.rest('POST', '/api/cms/permissions/set', assignment);
    expect(set.body).toMatchObject({ data: { changed: [`${ESSAY}.update`] } });
    const topic = await create('topics', { name: 'one' });
    expect((await client.rest('PUT', `/api/topics/${topic}`, { data: { name: 'two' } })).outcome).toBe('ok');
    const call = (path: string, body: object) => client.rest('POST', `/api/cms/${path}`, body);
    const issued = { name: 'other', type: 'custom', permissions: [`${ESSAY}.update`] };
    expect((await call('tokens/create', issued)).outcome).toBe('forbidden');
    expect((await call('tokens/create', { ...issued, status: 'draft' })).outcome).toBe('forbidden');
    expect((await call('tokens/create', { ...issued, ...limits })).outcome).toBe('ok');
    expect((await call('releases/create', { name: 'may' })).outcome).toBe('ok');
    const changes = [{ type: ESSAY, documentId, locale: 'de', action: 'publish' }];
    const added = await call('releases/add', { name: 'may', changes });
    expect(added.outcome).toBe('forbidden');
    expect(JSON.stringify(added.body)).toContain('a release publishes');
    expect((await full.rest('POST', '/api/cms/releases/add', { name: 'may', changes })).outcome).toBe('ok');
    expect((await call('releases/publish', { name: 'may' })).outcome).toBe('forbidden');
    expect(await read(documentId, 'locale=de')).toMatchObject({ title: 'eins' });
  });
});
