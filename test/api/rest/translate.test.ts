import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import ContentList from '../../../src/commands/content/list.js';
import ContentTranslate from '../../../src/commands/content/translate.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import TokenCreate from '../../../src/commands/token/create.js';
import { createClient } from '../../../src/client.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { fixtureProject } from '../../support/models.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Article {
  readonly documentId: string;
  readonly locale: string;
  readonly title: string;
}

interface Schema {
  readonly collections: {
    readonly articles: { readonly document: Article; readonly input: { title: string } };
  };
  readonly singleTypes: Readonly<Record<never, never>>;
  readonly file: Article;
  readonly user: Article;
}

type Json = Readonly<Record<string, unknown>>;

interface Response {
  readonly status: number;
  readonly body: {
    readonly data?: Json & { readonly documentId: string };
    readonly meta?: Json;
    readonly error?: { readonly name: string; readonly message: string };
  };
}

const POPULATE =
  'populate[seo][populate]=*&populate[tags]=true&populate[author]=true&populate[sections]=true';

describe.each(databases)('copies to another locale on $name', (database) => {
  let site: Site;
  const send = async (method: string, to: string, body?: unknown, token = 'full'): Promise<Response> => {
    const response = await fetch(`${site.server.url}/api${to}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${site.tokens[token] ?? token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Response['body']) };
  };
  const create = async (type: string, data: Json, query = ''): Promise<string> =>
    (await send('POST', `/${type}${query}`, { data })).body.data?.documentId ?? '';
  const read = async (documentId: string, query: string) =>
    (await send('GET', `/articles/${documentId}?status=draft&${POPULATE}&${query}`)).body.data;

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());

  it('copies values, relations and components, and keeps what all locales share', async () => {
    const [red, blue] = [await create('tags', { name: 'red' }), await create('tags', { name: 'blue' })];
    const documentId = await create(
      'articles',
      {
        title: 'Bread',
        slug: 'bread',
        summary: 'On bread',
        rating: 4.5,
        internalNote: 'hidden',
        tags: [blue, red],
        seo: { metaTitle: 'Bread', metaDescription: 'All about it' },
        sections: [{ __component: 'sections.quote', text: 'Crisp' }],
      },
      '?status=draft',
    );
    const copied = await send('POST', `/articles/${documentId}?locale=fr&fields=title,summary,locale`, {
      data: { title: 'Pain' },
    });
    expect(copied).toMatchObject({
      status: 201,
      body: { data: { documentId, title: 'Pain', summary: 'On bread', locale: 'fr' }, meta: { omitted: [] } },
    });
    const [source, copy] = [await read(documentId, 'locale=en'), await read(documentId, 'locale=fr')];
    expect(copy).toMatchObject({
      title: 'Pain',
      slug: 'bread',
      summary: 'On bread',
      rating: 4.5,
      publishedAt: null,
      seo: { metaTitle: 'Bread', metaDescription: 'All about it' },
    });
    const namesOf = (record: Json | undefined): unknown =>
      ((record?.['tags'] ?? []) as readonly Json[]).map(({ name }) => name);
    expect(namesOf(copy)).toEqual(namesOf(source));
    expect(source).toMatchObject({ title: 'Bread' });
  });

  it('copies from the given locale only the given attributes', async () => {
    const documentId = await create('articles', { title: 'One', summary: 'First' }, '?status=draft');
    await send('POST', `/articles/${documentId}?locale=fr`, { data: { title: 'Un', summary: 'Premier' } });
    const query = 'locale=de&from=fr&attributes=title';
    expect((await send('POST', `/articles/${documentId}?${query}`)).status).toBe(201);
    expect(await read(documentId, 'locale=de')).toMatchObject({ title: 'Un', summary: null });
  });

  it('omits and reports links to documents without the locale', async () => {
    const related = await create('articles', { title: 'Other' }, '?status=draft');
    const both = await create('articles', { title: 'Both' }, '?status=draft');
    await send('POST', `/articles/${both}?locale=fr`);
    const data = { title: 'Linking', related: [related, both] };
    const documentId = await create('articles', data, '?status=draft');
    const { status, body } = await send('POST', `/articles/${documentId}?locale=fr`);
    expect([status, body.error]).toEqual([201, undefined]);
    const reason = `api::article.article ${related} has no such locale`;
    expect(body.meta?.['omitted']).toContainEqual({ attribute: 'related', reason });
    const query = 'status=draft&locale=fr&populate[related]=true';
    const copy = (await send('GET', `/articles/${documentId}?${query}`)).body.data;
    expect(copy).toMatchObject({ related: [{ documentId: both }] });
    expect(JSON.stringify(copy)).not.toContain(related);
  });

  it('publishes the copy if the request asks for it', async () => {
    const documentId = await create('articles', { title: 'Live' });
    await send('POST', `/articles/${documentId}?locale=fr&status=published`);
    const published = await send('GET', `/articles/${documentId}?locale=fr`);
    expect(published).toMatchObject({ status: 200, body: { data: { title: 'Live', locale: 'fr' } } });
  });

  it('rejects a locale that exists, of which one of many parallel copies wins', async () => {
    const documentId = await create('articles', { title: 'Once' }, '?status=draft');
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        send('POST', `/articles/${documentId}?locale=fr`, { data: { title: `Une fois ${index}` } }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 412, 412, 412, 412]);
    const winner = responses.find(({ status }) => status === 201)?.body.data?.['title'];
    expect(await read(documentId, 'locale=fr')).toMatchObject({ title: winner });
    expect((await send('POST', `/articles/${documentId}?locale=fr`)).body.error).toMatchObject({
      name: 'PreconditionFailedError',
      message: expect.stringContaining('exists in fr'),
    });
  });

  it('rejects requests that name no other locale, and hidden or missing documents', async () => {
    const documentId = await create('articles', { title: 'Odd' }, '?status=draft');
    const cases = [
      [`/articles/${documentId}`, 400],
      [`/articles/${documentId}?locale=en`, 400],
      [`/articles/${documentId}?locale=xx`, 400],
      [`/articles/${documentId}?locale=*`, 400],
      [`/articles/${documentId}?locale=fr&from=xx`, 400],
      [`/articles/${documentId}?locale=fr&from[]=en`, 400],
      [`/articles/${documentId}?locale=fr&attributes=nothing`, 400],
      [`/articles/${documentId}?locale=fr&from=de`, 404],
      ['/articles/aaaaaaaaaaaaaaaaaaaaaaaa?locale=fr', 404],
    ] as const;
    for (const [path, status] of cases)
      expect([path, (await send('POST', path)).status]).toEqual([path, status]);
    expect((await send('POST', `/articles/${documentId}?locale=fr`, undefined, 'readonly')).status).toBe(403);
    expect((await send('GET', `/articles/${documentId}?locale=fr&status=draft`)).status).toBe(404);
  });

  it('copies no drafts and no links that the caller may not read', async () => {
    const tag = await create('tags', { name: 'hidden' });
    const documentId = await create('articles', { title: 'Public', tags: [tag], summary: 'Seen' });
    await send('PUT', `/articles/${documentId}?status=draft`, { data: { title: 'Not yet' } });
    const permissions = ['article.find', 'article.findOne', 'article.update'];
    const argv = ['--name', 'editor', '--type', 'custom', '--permission', ...permissions];
    const editor = (await runCommand(TokenCreate, argv, { cwd: site.root })).stdout.trim();
    const copied = await send('POST', `/articles/${documentId}?locale=fr`, undefined, editor);
    expect(copied).toMatchObject({ status: 201, body: { meta: { omitted: expect.any(Array) } } });
    expect(copied.body.meta?.['omitted']).toContainEqual({
      attribute: 'tags',
      reason: 'requires permissions that you lack',
    });
    expect(JSON.stringify(copied.body)).not.toContain('Not yet');
    expect(await read(documentId, 'locale=fr')).toMatchObject({ title: 'Public', summary: 'Seen' });
    expect(JSON.stringify(await read(documentId, 'locale=fr'))).not.toContain('Not yet');
  });

  it('is reached from the client and the terminal, also on a remote server', async () => {
    const client = createClient<Schema>({ url: site.server.url, token: site.tokens['full'] ?? '' });
    const { articles } = client;
    const { data } = await articles.create({ title: 'Far' }, { status: 'draft' });
    const { documentId } = data;
    await articles.translate(documentId, { locale: 'fr', status: 'draft' }, { title: 'Loin' });
    const clone = mkdtempSync(join(inject('runFolder'), 'clone-'));
    cpSync(join(fixtureProject('magazine'), 'src'), join(clone, 'src'), { recursive: true });
    writeFileSync(join(clone, 'cms.config.mjs'), 'export default {};\n');
    const options = { cwd: clone, stdin: `${site.tokens['full'] ?? ''}\n` };
    await runCommand(RemoteAdd, ['live', site.server.url, '--token', '-'], options);
    const argv = ['article', documentId, '--to', 'de', '--from', 'fr', '--remote', 'live'];
    const dry = await runCommand(ContentTranslate, [...argv, '--dry-run'], { cwd: clone });
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Would copy') });
    const missing = async () =>
      (
        await runCommand(
          ContentList,
          ['article', '--missing-locale', 'de', '--limit', '0', '--format', 'ids', '--remote', 'live'],
          { cwd: clone },
        )
      ).stdout;
    expect(await missing()).toContain(documentId);
    expect(await runCommand(ContentTranslate, argv, { cwd: clone })).toMatchObject({ exitCode: 0 });
    expect(await missing()).not.toContain(documentId);
    expect(await read(documentId, 'locale=de')).toMatchObject({ title: 'Loin' });
    expect(await runCommand(ContentTranslate, argv, { cwd: clone })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('exists in de'),
    });
  });
});
