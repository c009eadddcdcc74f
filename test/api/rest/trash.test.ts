import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import TrashList from '../../../src/commands/content/trash/list.js';
import TrashPurge from '../../../src/commands/content/trash/purge.js';
import TrashRestore from '../../../src/commands/content/trash/restore.js';
import TrashShow from '../../../src/commands/content/trash/show.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import { openLocalSource } from '../../../src/transfer/export/open-local-source.js';
import { normaliseRule } from '../../../src/access/permissions/rules.js';
import { FILE_UID, USER_UID } from '../../../src/model/content-types/builtin-types.js';
import { runCommand } from '../../cli/support/run-command.js';
import { databases } from '../../support/databases.js';
import { fixtureProject } from '../../support/models.js';
import { connectHttp } from '../support/mcp-client.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { uploadOne } from '../media/support/client.js';

type Json = Readonly<Record<string, unknown>>;
type Command = Parameters<typeof runCommand>[0];

describe.each(databases)('the trash on $name', (database) => {
  let site: Site;
  let clone: string;
  const send = async (method: string, path: string, body?: unknown, token = site.tokens['full'] ?? '') => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  const graphql = async (query: string) => (await send('POST', '/graphql', { query })).body;
  const there = async (command: Command, ...argv: readonly string[]) => {
    const result = await runCommand(command, [...argv, '--remote', 'live', '--json'], { cwd: clone });
    expect(result).toMatchObject({ exitCode: 0 });
    return result.json<Json>();
  };
  const deleteArticle = async (data: Json): Promise<string> => {
    const created = await send('POST', '/api/articles?status=draft', { data });
    expect(created.status).toBe(201);
    const { documentId } = created.body['data'] as { readonly documentId: string };
    expect((await send('DELETE', `/api/articles/${documentId}`)).status).toBe(204);
    return documentId;
  };
  const entries = async (path = '/api/articles/trash') =>
    (await send('GET', path)).body['data'] as readonly { readonly id: number; readonly documentId: string }[];

  beforeAll(async () => {
    const mcp = { enabled: 'always', allowDelete: true };
    site = await createSite({ project: 'magazine', database, config: { mcp } });
    clone = mkdtempSync(join(inject('runFolder'), 'clone-'));
    cpSync(join(fixtureProject('magazine'), 'src'), join(clone, 'src'), { recursive: true });
    writeFileSync(join(clone, 'cms.config.mjs'), 'export default {};\n');
    const stdin = `${site.tokens['full'] ?? ''}\n`;
    await runCommand(RemoteAdd, ['live', site.server.url, '--token', '-'], { cwd: clone, stdin });
  });
  afterAll(() => site.close());

  it('is listed, read, restored and purged over REST', async () => {
    const documentId = await deleteArticle({ title: 'Gone', internalNote: 'for us' });
    const [{ id } = { id: 0 }] = await entries();
    const entry = await send('GET', `/api/articles/trash/${id}`);
    expect(entry.body['data']).toMatchObject({ documentId, label: 'Gone', versions: [{ status: 'draft' }] });
    expect(JSON.stringify(entry.body)).not.toContain('for us');
    expect((await send('GET', `/api/tags/trash/${id}`)).status).toBe(404);
    expect((await send('POST', `/api/tags/trash/${id}/restore`)).status).toBe(404);
    expect(await send('POST', `/api/articles/trash/${id}/restore`)).toEqual({
      status: 200,
      body: { data: { type: 'api::article.article', documentId, locales: ['en'], omitted: [] }, meta: {} },
    });
    expect((await send('GET', `/api/articles/${documentId}?status=draft`)).body['data']).toMatchObject({
      title: 'Gone',
    });
    expect((await send('POST', `/api/articles/trash/${id}/restore`)).status).toBe(404);
    await send('DELETE', `/api/articles/${documentId}`);
    const [{ id: again } = { id: 0 }] = await entries();
    expect((await send('DELETE', `/api/articles/trash/${again}`)).status).toBe(204);
    expect(await entries()).toEqual([]);
  });

  it('rejects invalid requests', async () => {
    for (const path of ['/0', '/x', '/99999999999', '?limit=0', '?before=x'])
      expect((await send('GET', `/api/articles/trash${path}`)).status, path).toBe(400);
    expect((await send('GET', '/api/articles/trash/999999')).status).toBe(404);
    expect((await send('DELETE', '/api/articles/trash/999999')).status).toBe(204);
    expect((await send('POST', '/api/cms/trash/restore', { ids: [999_999] })).status).toBe(400);
    expect((await send('POST', '/api/cms/trash/purge', { ids: 'all' })).status).toBe(400);
  });

  it('requires permissions of its own, which cannot be limited', async () => {
    await deleteArticle({ title: 'Hidden' });
    const [{ id } = { id: 0 }] = await entries();
    for (const token of [site.tokens['readonly'] ?? '', site.tokens['tagger'] ?? '', '']) {
      expect((await send('GET', '/api/articles/trash', undefined, token)).status).not.toBe(200);
      expect((await send('POST', `/api/articles/trash/${id}/restore`, undefined, token)).status).not.toBe(
        200,
      );
      expect((await send('DELETE', `/api/articles/trash/${id}`, undefined, token)).status).not.toBe(204);
      expect((await send('POST', '/api/cms/trash/list', {}, token)).status).not.toBe(200);
    }
    expect(await entries()).toHaveLength(1);
    const limited = { action: 'api::article.article.findDeleted', rule: { fields: ['title'], where: null } };
    expect(() => normaliseRule(site.project.model, limited.action, limited.rule)).toThrow(/all deleted/);
    await send('DELETE', `/api/articles/trash/${id}`);
  });

  it('is reached by GraphQL', async () => {
    const documentId = await deleteArticle({ title: 'Queried' });
    const list = (await graphql('{ article_trash(limit: 1) { id documentId label } }'))['data'] as Json;
    const [{ id }] = list['article_trash'] as readonly [{ readonly id: number }];
    expect(list).toEqual({ article_trash: [{ id, documentId, label: 'Queried' }] });
    expect(await graphql(`{ article_deleted(entry: ${id}) { versions { status content } } }`)).toMatchObject({
      data: { article_deleted: { versions: [{ status: 'draft', content: { title: 'Queried' } }] } },
    });
    expect(await graphql('{ article_trash(limit: 0) { id } }')).toHaveProperty('errors');
    const restore = `restoreDeletedArticle(entry: ${id}) { documentId locales omitted { reason } }`;
    expect(await graphql(`mutation { ${restore} }`)).toEqual({
      data: { restoreDeletedArticle: { documentId, locales: ['en'], omitted: [] } },
    });
    await send('DELETE', `/api/articles/${documentId}`);
    const [{ id: again } = { id: 0 }] = await entries();
    const purge = `mutation { purgeDeletedArticle(entry: ${again}) }`;
    expect(await graphql(purge)).toEqual({ data: { purgeDeletedArticle: true } });
    expect(await graphql(purge)).toEqual({ data: { purgeDeletedArticle: false } });
  });

  it('is reached by a tool for agents', async () => {
    const client = await connectHttp(site.server.url, site.tokens['full'] ?? '');
    try {
      const documentId = await deleteArticle({ title: 'Told' });
      const { entries: found } = await client.succeed('trash', { type: 'article' });
      const [{ id }] = found as readonly [{ readonly id: number }];
      expect(await client.succeed('trash', { type: 'article', action: 'show', entry: id })).toMatchObject({
        label: 'Told',
      });
      const restore = { type: 'article', action: 'restore', entry: id };
      expect(await client.succeed('trash', { ...restore, dryRun: true })).toMatchObject({
        documentId,
        nothingChangedYet: true,
      });
      expect(await client.succeed('trash', restore)).toMatchObject({ documentId, omitted: [] });
      expect((await client.call('trash', restore)).isError).toBe(true);
      expect((await client.call('trash', { type: 'article', action: 'show' })).isError).toBe(true);
    } finally {
      await client.close();
    }
  });

  it('is reached by remote commands', async () => {
    const documentId = await deleteArticle({ title: 'Remote' });
    const { entries: found } = (await there(TrashList, 'article', '--limit', '1')) as {
      readonly entries: readonly [{ readonly id: number }];
    };
    const id = String(found[0].id);
    expect(await there(TrashShow, id)).toMatchObject({ documentId, label: 'Remote' });
    expect(await there(TrashRestore, id, '--dry-run')).toMatchObject({ restored: [{ documentId }] });
    expect(await there(TrashRestore, id)).toMatchObject({ restored: [{ documentId, omitted: [] }] });
    expect(await there(TrashPurge, '--all', '--yes')).toEqual({ count: 0 });
    const unknown = await runCommand(TrashShow, ['999999', '--remote', 'live'], { cwd: clone });
    expect(unknown.exitCode).not.toBe(0);
    expect(unknown.stderr).toContain('999999');
  });

  it('keeps the content of files until it is purged', async () => {
    const { id, documentId, url } = await uploadOne(site, { name: 'kept.txt', content: 'hello' });
    const { media, documents } = site.server.app;
    expect((await send('DELETE', `/api/upload/files/${id}`)).status).toBe(200);
    const [entry] = await documents.trash.list({ types: [FILE_UID], limit: 10 });
    expect(entry).toMatchObject({ documentId, label: 'kept.txt' });
    expect((await media.findStrays())?.map(({ name }) => name)).toEqual([]);
    expect(await there(TrashRestore, String(entry?.id))).toMatchObject({ restored: [{ documentId }] });
    expect(await (await fetch(new URL(url, site.server.url))).text()).toBe('hello');
    expect((await send('DELETE', `/api/upload/files/${id}`)).status).toBe(200);
    expect(await there(TrashPurge, '--all', '--yes')).toEqual({ count: 1 });
    expect((await fetch(new URL(url, site.server.url))).status).toBe(404);
  });

  it('is purged by the server after trash.days', async () => {
    const { media, documents, database: opened } = site.server.app;
    const { id, url } = await uploadOne(site, { name: 'old.txt', content: 'old' });
    await send('DELETE', `/api/upload/files/${id}`);
    await deleteArticle({ title: 'Old' });
    await opened.transact((tx) => tx.execute('UPDATE "cms_trash" SET "deleted_at" = 1', []));
    await deleteArticle({ title: 'New' });
    await media.sweep();
    expect((await documents.trash.list({ limit: 10 })).map(({ label }) => label)).toEqual(['New']);
    expect((await fetch(new URL(url, site.server.url))).status).toBe(404);
    await documents.trash.purge({});
  });

  it('restores everything, so that exports are identical', async () => {
    const { documents } = site.server.app;
    const { root, model, config } = site.project;
    const local = { root, model, url: config.database.url, uploads: config.upload.directory };
    const collect = async (): Promise<unknown> => {
      const parts = new Set(['content', 'files'] as const);
      const source = await openLocalSource(local, { parts, types: null });
      const records: unknown[] = [];
      for (const read of [source.entities, source.links, source.editorial])
        for await (const record of read()) records.push(record);
      await source.close();
      return records;
    };
    const create = async (path: string, data: Json): Promise<string> => {
      const { status, body } = await send('POST', `/api/${path}`, { data });
      expect([status, body['error']]).toEqual([201, undefined]);
      return (body['data'] as { readonly documentId: string }).documentId;
    };
    const { id: file } = await uploadOne(site, { name: 'cover.txt', content: 'cover' });
    const author = await create('authors', { name: 'Ada', email: 'ada@example.com' });
    const tags = [await create('tags', { name: 'one' }), await create('tags', { name: 'two' })];
    for (const [index, title] of ['First', 'Second', 'Third'].entries()) {
      const data = { title, author, tags: index === 1 ? tags.toReversed() : tags, gallery: [file] };
      const documentId = await create('articles', data);
      await send('PUT', `/api/articles/${documentId}?locale=fr`, { data: { title: `${title} (fr)` } });
    }
    const before = await collect();
    const deleted = site.project.model.types.filter(
      ({ origin, uid }) => origin === 'project' || uid === FILE_UID,
    );
    for (const { uid: type, storage } of deleted) {
      const rows = await site.server.app.database.transact((tx) =>
        tx.query(`SELECT document_id FROM "${storage.document.table}"`, []),
      );
      for (const row of rows)
        await documents.delete({ type, documentId: String(row['document_id']), locale: '*' });
    }
    expect(JSON.stringify(await collect())).not.toContain('First');
    const kept = await documents.trash.list({ limit: 1000 });
    expect(kept.length).toBeGreaterThan(6);
    for (const { id } of kept) expect(await documents.trash.restore({ id })).toMatchObject({ omitted: [] });
    expect(await collect()).toEqual(before);
  });

  it('does not keep users', async () => {
    const { documents } = site.server.app;
    const created = await documents.create({
      type: USER_UID,
      data: { username: 'ann', email: 'ann@example.com', password: 'correct horse' },
      selection: { fields: [], populate: [] },
    });
    await documents.delete({ type: USER_UID, documentId: created.documentId });
    expect(await documents.trash.list({ types: [USER_UID], limit: 1 })).toEqual([]);
  });
});
