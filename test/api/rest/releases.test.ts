import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import ReleaseAdd from '../../../src/commands/release/add.js';
import ReleaseCheck from '../../../src/commands/release/check.js';
import ReleaseCreate from '../../../src/commands/release/create.js';
import ReleaseDelete from '../../../src/commands/release/delete.js';
import ReleaseDiff from '../../../src/commands/release/diff.js';
import ReleaseList from '../../../src/commands/release/list.js';
import ReleasePublish from '../../../src/commands/release/publish.js';
import ReleaseRemove from '../../../src/commands/release/remove.js';
import ReleaseRevert from '../../../src/commands/release/revert.js';
import ReleaseShow from '../../../src/commands/release/show.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { fixtureProject } from '../../support/models.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

const ARTICLE = 'api::article.article';

describe.each(databases)('releases of a server on $name', (database) => {
  let site: Site;
  let clone: string;
  let full = '';

  const send = async (method: string, to: string, body?: unknown, token: string | null = full) => {
    const response = await fetch(`${site.server.url}${to}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const draft = async (title: string | null, slug: string): Promise<string> => {
    const { body } = await send('POST', '/api/articles?status=draft', { data: { title, slug } });
    return (body['data'] as { readonly documentId: string }).documentId;
  };
  const call = (operation: string, body: object, token?: string) =>
    send('POST', `/api/cms/releases/${operation}`, body, token);
  const titles = async (query: string, token: string | null = full) => {
    const { status, body } = await send(
      'GET',
      `/api/articles?fields=title&sort=title&${query}`,
      undefined,
      token,
    );
    const data = body['data'] as readonly Json[] | null;
    return { status, titles: data?.map(({ title }) => title) };
  };
  const tokenOf = async (name: string, permissions: readonly string[]): Promise<string> => {
    const { context, project } = { context: site.server.app, project: site.server.app.project };
    const { accessKey } = await createToken(
      { database: context.database, model: project.model, salt: project.config.secrets.apiTokenSalt },
      { name, type: 'custom', permissions },
    );
    await site.server.app.access.refresh();
    return accessKey;
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    full = site.tokens['full'] ?? '';
    clone = mkdtempSync(join(inject('runFolder'), 'clone-'));
    cpSync(join(fixtureProject('magazine'), 'src'), join(clone, 'src'), { recursive: true });
    writeFileSync(join(clone, 'cms.config.mjs'), 'export default {};\n');
    await runCommand(RemoteAdd, ['live', site.server.url, '--token', '-'], {
      cwd: clone,
      stdin: `${full}\n`,
    });
  });
  afterAll(() => site.close());

  it('are previewed by callers who may read drafts, and by nobody else', async () => {
    const documentId = await draft('Previewed', 'previewed');
    expect((await call('create', { name: 'preview' })).status).toBe(200);
    const changes = [{ type: ARTICLE, documentId, action: 'publish' }];
    expect((await call('add', { name: 'preview', changes })).body).toMatchObject({ data: { items: 1 } });
    const filter = 'filters[slug]=previewed';
    expect(await titles(filter)).toEqual({ status: 200, titles: [] });
    expect(await titles(`${filter}&release=preview`)).toEqual({ status: 200, titles: ['Previewed'] });
    expect(await titles(filter)).toEqual({ status: 200, titles: [] });
    const one = await send('GET', `/api/articles/${documentId}?release=preview`);
    expect(one).toMatchObject({ status: 200, body: { data: { title: 'Previewed' } } });
    expect(one.headers.get('cache-control')).toBe('private, no-store');

    const reader = await tokenOf('reader', [`${ARTICLE}.find`, `${ARTICLE}.findOne`]);
    expect((await titles(`${filter}&release=preview`, reader)).status).toBe(403);
    expect((await titles(`${filter}&release=nowhere`, reader)).status).toBe(403);
    expect((await titles(`${filter}&release=preview`, null)).status).toBe(403);
    const editor = await tokenOf('editor', [`${ARTICLE}.find`, `${ARTICLE}.findDrafts`]);
    expect(await titles(`${filter}&release=preview`, editor)).toEqual({ status: 200, titles: ['Previewed'] });
    expect((await titles(`${filter}&release=nowhere`)).status).toBe(404);
    expect((await titles(`${filter}&release=preview&status=draft`)).status).toBe(400);

    const query = `{ articles(release: "preview", filters: { slug: { eq: "previewed" } }) { title }
      articles_connection(release: "preview") { pageInfo { total } }
      article(documentId: "${documentId}", release: "preview") { title } }`;
    const found = await send('POST', '/graphql', { query });
    expect(found.body).toMatchObject({
      data: { articles: [{ title: 'Previewed' }], article: { title: 'Previewed' } },
    });
    const refused = await send('POST', '/graphql', { query }, reader);
    expect(JSON.stringify(refused.body)).not.toContain('Previewed');
    expect(refused.body['errors']).toBeDefined();
    await call('remove', { name: 'preview', targets: [{ type: ARTICLE, documentId }] });
    expect(await titles(`${filter}&release=preview`)).toEqual({ status: 200, titles: [] });
    await call('delete', { name: 'preview' });
  });

  it('are changed only by callers who may update the documents', async () => {
    const documentId = await draft('Guarded', 'guarded');
    const writer = await tokenOf('writer', ['plugin::cms.releases.read', 'plugin::cms.releases.write']);
    expect((await call('create', { name: 'guarded' }, writer)).status).toBe(200);
    const changes = [{ type: ARTICLE, documentId, action: 'publish' }];
    expect((await call('add', { name: 'guarded', changes }, writer)).status).toBe(403);
    expect((await call('add', { name: 'guarded', changes })).status).toBe(200);
    for (const operation of ['publish', 'check'])
      expect((await call(operation, { name: 'guarded' }, writer)).status).toBe(403);
    expect((await call('get', { name: 'guarded' }, writer)).body).toMatchObject({
      data: { items: 1, changes: [] },
    });
    const diff = await call('diff', { name: 'guarded' }, writer);
    expect(diff).toMatchObject({ status: 200, body: { data: [] } });
    for (const [operation, body] of [
      ['add', { name: 'guarded', changes: [{ type: 'api::x.x', documentId, action: 'publish' }] }],
      ['add', { name: 'guarded', changes: [{ type: ARTICLE, documentId: 'a\u0000', action: 'publish' }] }],
      ['get', { name: '\u0000' }],
      ['create', { name: 'x'.repeat(65) }],
      ['schedule', { name: 'guarded', at: '2020-01-01T00:00:00.000Z' }],
      ['schedule', { name: 'guarded', at: 'soon' }],
      ['revert', { name: 'guarded' }],
    ] as const)
      expect(await call(operation, body)).toMatchObject({ status: 400 });
    const published = await call('publish', { name: 'guarded' });
    expect(published.body).toMatchObject({ data: { state: 'published' } });
    expect(await titles('filters[slug]=guarded')).toEqual({ status: 200, titles: ['Guarded'] });
  });

  it('are managed by commands on a remote server', async () => {
    const run = (command: Command, ...argv: readonly string[]) =>
      runCommand(command, [...argv, '--remote', 'live'], { cwd: clone });
    const there = async (command: Command, ...argv: readonly string[]) => {
      const result = await run(command, ...argv);
      expect({ stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
      return result;
    };
    const documentId = await draft('Remote', 'remote');
    await draft(null, 'untitled');
    await there(ReleaseCreate, 'remote');
    expect((await there(ReleaseAdd, 'remote', 'article', 'remote', '--dry-run')).stdout).toBe(
      'Would add 1 change to the release remote.\n',
    );
    await there(ReleaseAdd, 'remote', 'article', 'remote');
    expect((await there(ReleaseShow, 'remote')).stdout).toContain(documentId);
    expect((await there(ReleaseCheck, 'remote', '--json')).json<Json>()['problems']).toEqual([]);
    expect((await there(ReleaseDiff, 'remote')).stdout).toContain('+title: Remote');
    await there(ReleaseAdd, 'remote', 'article', 'untitled');
    const checked = await run(ReleaseCheck, 'remote');
    expect(checked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('title must') as string });
    const failed = await run(ReleasePublish, 'remote');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('1 of 2 changes would fail');
    expect(await titles('filters[slug]=remote')).toEqual({ status: 200, titles: [] });
    await there(ReleaseRemove, 'remote', 'article', 'untitled');
    expect((await there(ReleasePublish, 'remote', '--at', '2d')).stdout).toContain(
      'Scheduled the release remote',
    );
    expect((await there(ReleaseList)).stdout).toMatch(/remote +1 +scheduled for /);
    await there(ReleasePublish, 'remote', '--at', 'never');
    await there(ReleasePublish, 'remote');
    expect(await titles('filters[slug]=remote')).toEqual({ status: 200, titles: ['Remote'] });
    expect((await there(ReleaseRevert, 'remote', '--dry-run')).stdout).toBe(
      'Would revert the release remote.\n',
    );
    expect(await titles('filters[slug]=remote')).toEqual({ status: 200, titles: ['Remote'] });
    await there(ReleaseRevert, 'remote');
    expect(await titles('filters[slug]=remote')).toEqual({ status: 200, titles: [] });
    await there(ReleaseDelete, 'remote', '--yes');
    expect(await run(ReleaseShow, 'remote')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no release remote.') as string,
    });
  });
});
