import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentHistory from '../../../src/commands/content/history.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentRestore from '../../../src/commands/content/restore.js';
import ContentSchedule from '../../../src/commands/content/schedule.js';
import ContentUnpublish from '../../../src/commands/content/unpublish.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { fixtureProject } from '../../support/models.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

describe.each(databases)('what is published on $name', (database) => {
  let site: Site;
  let clone: string;
  const run = (command: Command, ...argv: readonly string[]) => runCommand(command, argv, { cwd: clone });
  /** Runs a command that works with the server, and has to succeed. */
  const there = async (command: Command, ...argv: readonly string[]) => {
    const result = await run(command, ...argv, '--remote', 'live');
    expect(result).toMatchObject({ exitCode: 0 });
    return result;
  };
  const send = async (method: string, to: string, body?: unknown, token = site.tokens['full'] ?? '') => {
    const response = await fetch(`${site.server.url}${to}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    clone = mkdtempSync(join(inject('runFolder'), 'clone-'));
    cpSync(join(fixtureProject('magazine'), 'src'), join(clone, 'src'), { recursive: true });
    writeFileSync(join(clone, 'cms.config.mjs'), 'export default {};\n');
    const stdin = `${site.tokens['full'] ?? ''}\n`;
    await runCommand(RemoteAdd, ['live', site.server.url, '--token', '-'], { cwd: clone, stdin });
  });
  afterAll(() => site.close());

  it('is stated and listed over all ways in, and done by the server', async () => {
    const created = await there(
      ContentCreate,
      'article',
      '--set',
      'title=Later',
      '--set',
      'slug=later',
      '--json',
    );
    const { documentId } = created.json<{ document: Json & { documentId: string } }>().document;
    const path = `/api/articles/${documentId}/schedule`;
    const [first, second] = ['2100-01-01T09:00:00.000Z', '2100-02-01T09:00:00.000Z'];
    const times = { publishAt: null, unpublishAt: null };
    const none = { documentId, locale: 'en', ...times, author: null, failures: [] };
    expect(await send('GET', path)).toEqual({ status: 200, body: { data: none, meta: {} } });
    expect(await send('PUT', path, { data: { publishAt: first } })).toEqual({
      status: 200,
      body: { data: { ...none, publishAt: first, author: 'full' }, meta: {} },
    });
    const mutation = `mutation { scheduleArticle(documentId: "${documentId}", unpublishAt: "${second}") {
      publishAt unpublishAt failures { action } } }`;
    expect((await send('POST', '/graphql', { query: mutation })).body).toEqual({
      data: { scheduleArticle: { publishAt: first, unpublishAt: second, failures: [] } },
    });
    const query = `{ article_schedule(documentId: "${documentId}") { locale publishAt } }`;
    expect((await send('POST', '/graphql', { query })).body).toEqual({
      data: { article_schedule: { locale: 'en', publishAt: first } },
    });
    for (const [to, body, status] of [
      [path, { data: { publishAt: '2020-01-01' } }, 400],
      [path, { data: 'soon' }, 400],
      [`${path}?locale=xx`, { data: {} }, 400],
      ['/api/articles/missing/schedule', { data: {} }, 404],
      ['/api/tags/missing/schedule', { data: {} }, 404],
    ] as const)
      expect(await send('PUT', to, body)).toMatchObject({ status });
    expect((await send('GET', path, undefined, site.tokens['read'] ?? '')).status).toBe(403);

    const listed = await there(ContentList, 'article', '--json');
    const scheduled = { documentId, locale: 'en', publishAt: first, unpublishAt: second };
    expect(listed.json<Json>()['scheduled']).toEqual([scheduled]);
    expect((await there(ContentList, 'article')).stdout).toContain('publish 2100-01-01 09:00, unpublish');
    const planned = await there(ContentPublish, 'article', 'later', '--at', '2h', '--dry-run');
    expect(planned.stdout).toContain('would be published on');
    await there(ContentUnpublish, 'article', 'later', '--at', 'never');
    expect((await there(ContentSchedule, 'article', '--json')).json<Json>()['scheduled']).toEqual([
      {
        type: 'api::article.article',
        documentId,
        locale: 'en',
        action: 'publish',
        at: first,
        error: null,
        author: 'full',
      },
    ]);
    expect(
      await run(ContentPublish, 'article', 'later', '--at', 'someday', '--remote', 'live'),
    ).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not a time.') as string,
    });

    const localized = ['category', 'any', '--at', '2h', '--locale', 'en', '--remote', 'live'];
    expect(await run(ContentPublish, ...localized)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('category is not localised.') as string,
    });

    // The time has come.
    await site.server.app.database.transact((tx) => tx.execute('UPDATE "cms_schedules" SET "at" = 1', []));
    await vi.waitFor(
      async () => expect((await send('GET', `/api/articles/${documentId}`)).status).toBe(200),
      {
        timeout: 20_000,
      },
    );
    expect((await there(ContentSchedule)).stderr).toContain('Nothing is scheduled');
    await there(ContentDelete, 'article', 'later', '--yes');
  });

  it('leaves versions, which are listed, compared and restored by those who may', async () => {
    const created = await send('POST', '/api/articles', { data: { title: 'First', slug: 'kept' } });
    const { documentId } = created.body['data'] as { readonly documentId: string };
    await send('PUT', `/api/articles/${documentId}`, { data: { title: 'Second' } });
    const path = `/api/articles/${documentId}/versions`;
    expect(await send('GET', path)).toMatchObject({
      status: 200,
      body: { data: [{ version: 2 }, { version: 1, publishedAt: expect.any(String) as string }] },
    });
    expect((await send('GET', `${path}/1`)).body['data']).toMatchObject({
      version: 1,
      content: { title: 'First', slug: 'kept' },
    });
    for (const [method, to, status] of [
      ['GET', `${path}/9`, 404],
      ['GET', `${path}/first`, 400],
      ['GET', '/api/articles/missing/versions', 404],
      ['POST', `${path}/9/restore`, 404],
      ['GET', `${path}?locale=xx`, 400],
    ] as const)
      expect(await send(method, to)).toMatchObject({ status });
    for (const [method, to] of [
      ['GET', path],
      ['POST', `${path}/1/restore`],
    ] as const)
      expect((await send(method, to, undefined, site.tokens['read'] ?? '')).status).toBe(403);
    expect(await send('POST', `${path}/1/restore`)).toMatchObject({
      status: 200,
      body: { data: { title: 'First' }, meta: { omitted: [] } },
    });
    expect((await send('GET', `/api/articles/${documentId}`)).body['data']).toMatchObject({
      title: 'Second',
    });
    const query = `mutation { restoreArticleVersion(documentId: "${documentId}", version: 2) {
      documentId omitted { attribute } } }`;
    expect((await send('POST', '/graphql', { query })).body).toEqual({
      data: { restoreArticleVersion: { documentId, omitted: [] } },
    });
    const versions = `{ article_versions(documentId: "${documentId}") { version }
      article_version(documentId: "${documentId}", version: 1) { content } }`;
    expect((await send('POST', '/graphql', { query: versions })).body).toMatchObject({
      data: {
        article_versions: [{ version: 2 }, { version: 1 }],
        article_version: { content: { title: 'First' } },
      },
    });

    const here = (command: Command, ...argv: readonly string[]) =>
      runCommand(command, argv, { cwd: site.root });
    const listed = await here(ContentHistory, 'article', 'kept', '--json');
    expect(listed.json()).toMatchObject({ documentId, versions: [{ version: 2 }, { version: 1 }] });
    const diff = await here(ContentHistory, 'article', 'kept', '--diff', '1');
    expect(diff.stdout).toContain('-title: First\n+title: Second\n');
    const planned = await here(ContentRestore, 'article', 'kept', '--version', '1', '--dry-run');
    expect(planned.stdout).toContain('Would restore version 1');
    const draft = `/api/articles/${documentId}?status=draft`;
    expect((await send('GET', draft)).body['data']).toMatchObject({ title: 'Second' });
    expect(await here(ContentRestore, 'article', 'kept', '--version', '1')).toMatchObject({ exitCode: 0 });
    expect((await send('GET', draft)).body['data']).toMatchObject({ title: 'First' });
    expect(await here(ContentRestore, 'article', 'kept', '--version', '7')).toMatchObject({ exitCode: 1 });
  });
});
