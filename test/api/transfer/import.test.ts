import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importContent } from '../../../src/project/archives/import-content.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import type { ApiTokenRecord, ImportOptions } from '../../../src/transfer/source.js';
import type { ImportPlan } from '../../../src/transfer/import/plan-import.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import { databases } from '../../support/databases.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import type { ExportContent } from '../../support/strapi-export.js';
import { idOf, MAGAZINE_EXPORT, PASSWORD_HASH, PUBLISHED } from './import-fixture.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const ALL: ImportOptions = {
  parts: new Set(['content', 'files', 'config']),
  types: null,
  existing: 'refuse',
};

interface ImportExtras {
  readonly tokens?: readonly ApiTokenRecord[];
  readonly onProgress?: () => void;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

describe.each(databases)('an import of an export of Strapi on $name', (database) => {
  let site: Site;
  let folder = '';
  let archives = 0;

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    folder = await mkdtemp(join(tmpdir(), 'galley-import-test-'));
  });
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Plans an import, and carries it out unless `run` does something else. */
  const importExport = async (
    content: ExportContent,
    options: Partial<ImportOptions> & ImportExtras = {},
  ): Promise<ImportPlan> => {
    archives += 1;
    const path = join(folder, `${archives}.tar`);
    writeExportArchive(path, content, { compress: false });
    const archive = await openArchive(path, site.project.root);
    const { tokens = [], onProgress = () => undefined, ...rest } = options;
    const source = { ...archive, apiTokens: () => Readable.from(tokens) };
    const request = { source, options: { ...ALL, ...rest }, restarts: false, onError: () => undefined };
    try {
      return await importContent(site.project, request, async ({ plan, run }) => {
        await run(onProgress);
        return plan;
      });
    } finally {
      await source.close();
    }
  };

  const get = async (path: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${site.tokens['full'] ?? ''}` };
    const response = await fetch(`${site.server.url}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };

  const query = async (sql: string): Promise<readonly unknown[]> => {
    const { context, close } = await openProjectDatabase(site.project);
    try {
      return await context.database.transact((tx) => tx.query(sql, []));
    } finally {
      await close();
    }
  };

  it('goes on where it was interrupted, and imports nothing else meanwhile', async () => {
    const interrupt = (): never => {
      throw new Error('interrupted');
    };
    await expect(importExport(MAGAZINE_EXPORT, { onProgress: interrupt })).rejects.toThrow('interrupted');
    const other = { entities: [{ type: 'api::tag.tag', id: 1, data: { documentId: 'x', name: 'x' } }] };
    await expect(importExport(other)).rejects.toMatchObject({ code: 'transfer/unfinished-import' });
    let steps = 0;
    const interruptLater = (): void => {
      steps += 1;
      if (steps === 2) throw new Error('interrupted');
    };
    await expect(importExport(MAGAZINE_EXPORT, { onProgress: interruptLater })).rejects.toThrow(
      'interrupted',
    );
    const { resumes, types } = await importExport(MAGAZINE_EXPORT);
    expect(resumes).toBe(true);
    expect(types).toContainEqual({ uid: 'api::article.article', documents: 3, versions: 7, existing: 0 });
  });

  it('keeps ids, times, components and the order of links of a draft', async () => {
    const { body } = await get(
      `/api/articles/${idOf('first')}?status=draft&populate[seo][populate]=*&populate[tags]=true` +
        '&populate[cover]=true&populate[gallery]=true&populate[author]=true&populate[sections][populate]=*',
    );
    expect(body).toMatchObject({
      data: {
        id: 100,
        documentId: idOf('first'),
        title: 'First, edited',
        reads: '9007199254740993',
        rating: 4.5,
        eventTime: '10:20:30.000',
        createdAt: '2025-01-01T10:00:00.000Z',
        updatedAt: '2025-02-02T11:00:00.000Z',
        publishedAt: null,
        locale: 'en',
        author: { id: 5, documentId: idOf('ada') },
        cover: { id: 1 },
        gallery: [{ id: 1 }, { id: 2 }],
        tags: [{ id: 11 }, { id: 10 }],
        seo: { id: 31, image: { id: 2 }, social: [{ id: 41 }, { id: 40 }] },
        sections: [
          { __component: 'sections.related', id: 52, tags: [{ id: 12 }, { id: 11 }] },
          { __component: 'sections.quote', id: 51, text: 'Said' },
        ],
      },
    });
    const { tags } = (body as { readonly data: { readonly tags: readonly unknown[] } }).data;
    expect(tags).toHaveLength(2);
  });

  it('keeps published versions and locales apart from drafts', async () => {
    const first = `/api/articles/${idOf('first')}`;
    expect((await get(`${first}?populate=seo,related,tags`)).body).toMatchObject({
      data: {
        id: 101,
        title: 'First',
        publishedAt: PUBLISHED,
        seo: { id: 32 },
        related: [{ id: 103 }],
        tags: [],
      },
    });
    expect((await get(`${first}?status=draft&locale=fr`)).body).toMatchObject({
      data: { id: 102, title: 'Premier', locale: 'fr' },
    });
    expect((await get(`${first}?locale=fr`)).status).toBe(404);
  });

  it('makes the drafts that are missing', async () => {
    const second = `/api/articles/${idOf('second')}?populate=tags,author`;
    const published = (await get(second)).body as { readonly data: object };
    expect(published.data).toMatchObject({ id: 103, title: 'Second', tags: [{ id: 10 }], author: { id: 5 } });
    expect((await get(`${second}&status=draft`)).body).toMatchObject({
      data: { id: 106, title: 'Second', tags: [{ id: 10 }], author: { id: 5 }, publishedAt: null },
    });
  });

  it('keeps the order of the inverse side', async () => {
    const { body } = await get('/api/authors?populate=articles');
    expect(body).toMatchObject({ data: [{ articles: [{ id: 103 }, { id: 104 }] }] });
    const tag = `/api/tags/${idOf('red')}?populate[articles][filters][title][$startsWith]=`;
    expect((await get(`${tag}S`)).body).toMatchObject({ data: { articles: [{ id: 103 }] } });
  });

  it('stores and serves files with their formats, and leaves others where they are', async () => {
    const { body } = await get('/api/upload/files?sort=id');
    expect(body).toMatchObject([
      {
        id: 1,
        url: '/uploads/sea_hash.png',
        provider: 'local',
        provider_metadata: null,
        formats: { thumbnail: { url: '/uploads/thumbnail_sea_hash.png' } },
      },
      { id: 2, url: '/uploads/sky_hash.png', provider: 'local' },
      { id: 3, url: 'https://bucket.example.com/lost_hash.png', provider: 'aws-s3' },
    ]);
    const stored = await fetch(`${site.server.url}/uploads/thumbnail_sea_hash.png`);
    expect(await stored.text()).toBe('small sea');
  });

  it('keeps users, hashes of passwords, roles, permissions and locales', async () => {
    expect((await get('/api/users?populate=role')).body).toMatchObject([
      { id: 4, username: 'ann', role: { id: 3, documentId: idOf('role-editor'), name: 'Editor' } },
      { id: 9, username: 'anna', email: null },
    ]);
    expect(await query('SELECT password FROM up_users ORDER BY id')).toEqual([
      { password: PASSWORD_HASH },
      { password: null },
    ]);
    // German was there before. A running server learns of locales within a moment.
    await vi.waitFor(
      async () =>
        expect((await get('/api/i18n/locales')).body).toMatchObject([
          { id: 3, code: 'de', isDefault: false },
          { id: 7, documentId: idOf('english'), code: 'en', name: 'English here', isDefault: true },
          { id: 8, code: 'fr', isDefault: false },
        ]),
      { timeout: 20_000 },
    );
    const roles = await query('SELECT id, document_id, type FROM up_roles ORDER BY id');
    expect(roles).toMatchObject([
      { id: 1, document_id: idOf('role-signed-in'), type: 'authenticated' },
      { id: 2, document_id: idOf('role-public'), type: 'public' },
      { id: 3, document_id: idOf('role-editor'), type: 'editor' },
    ]);
    expect(await query('SELECT action FROM up_permissions ORDER BY id')).toEqual([
      { action: 'api::tag.tag.find' },
      { action: 'api::article.article.feature' },
    ]);
    expect((await fetch(`${site.server.url}/api/tags`)).status).toBe(200);
    expect((await fetch(`${site.server.url}/api/authors`)).status).toBe(403);
  });

  it('gives new documents ids of their own', async () => {
    const headers = {
      authorization: `Bearer ${site.tokens['full'] ?? ''}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ data: { name: 'green' } });
    const response = await fetch(`${site.server.url}/api/tags`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ data: { id: 13 } });
  });

  it('reports what it omits and why', async () => {
    const options = { existing: 'replace' } as const;
    const { findings, differences } = await importExport(MAGAZINE_EXPORT, options);
    const reported = findings.map(({ what, count, isLoss }) => `${what} ${count}${isLoss ? ' lost' : ''}`);
    expect(reported.toSorted()).toMatchInlineSnapshot(`
      [
        "api::article.article 1",
        "api::article.article gallery 1",
        "api::article.article gone 1 lost",
        "api::article.article poster 1",
        "api::article.article related 1",
        "api::article.article slug 1 lost",
        "api::article.article tags 1",
        "api::tag.tag name 1 lost",
        "plugin::upload.file 1",
        "plugin::upload.folder 2",
        "plugin::users-permissions.user email 1 lost",
        "plugin_users-permissions_advanced 1",
        "webhooks 1",
      ]
    `);
    expect(differences).toContainEqual({
      schema: 'api::article.article',
      attribute: 'views',
      message: 'is json in Strapi and integer here',
    });
  });

  it('refuses documents that are there already, unless it is to skip or replace them', async () => {
    const changed: ExportContent = {
      entities: [
        { type: 'api::tag.tag', id: 10, data: { documentId: idOf('red'), name: 'crimson' } },
        { type: 'api::tag.tag', id: 11, data: { documentId: idOf('new'), name: 'new' } },
      ],
    };
    await expect(importExport(changed)).rejects.toMatchObject({ code: 'transfer/existing-documents' });
    const nameOf = async (name: string): Promise<unknown> =>
      ((await get(`/api/tags/${idOf(name)}?populate=articles`)).body as { readonly data: unknown }).data;
    await importExport(changed, { existing: 'skip' });
    expect(await nameOf('red')).toMatchObject({ id: 10, name: 'red' });
    // The id of the export is another document's, so that new rows get ids beyond all others.
    expect(await nameOf('new')).toMatchObject({ id: 24, name: 'new' });
    await importExport(changed, { existing: 'replace' });
    // The import has a connection of its own, so that the server learns of it by a notification.
    await expect
      .poll(() => nameOf('red'))
      .toMatchObject({ name: 'crimson', articles: [{ documentId: idOf('second') }] });
  });

  it('imports documents of the chosen content-types alone', async () => {
    const tag = { type: 'api::tag.tag', id: 900, data: { documentId: idOf('chosen'), name: 'chosen' } };
    const author = {
      type: 'api::author.author',
      id: 900,
      data: { documentId: idOf('other'), name: 'Other' },
    };
    await importExport({ entities: [tag, author] }, { types: new Set(['api::tag.tag']) });
    expect((await get(`/api/tags/${idOf('chosen')}`)).status).toBe(200);
    expect((await get(`/api/authors/${idOf('other')}`)).status).toBe(404);
  });

  it('keeps the API tokens of a database, whose keys go on working', async () => {
    const salt = site.project.config.secrets.apiTokenSalt ?? '';
    const token: ApiTokenRecord = {
      name: 'front end',
      description: '',
      type: 'custom',
      accessKey: createHmac('sha512', salt).update('key of the front end').digest('hex'),
      permissions: ['api::author.author.find'],
      lifespan: null,
      expiresAt: null,
      lastUsedAt: null,
      createdAt: PUBLISHED,
      updatedAt: PUBLISHED,
    };
    await importExport({}, { tokens: [token] });
    await importExport({}, { tokens: [token] });
    const headers = { authorization: 'Bearer key of the front end' };
    const statuses = await Promise.all(
      ['authors', 'tags'].map(
        async (path) => (await fetch(`${site.server.url}/api/${path}`, { headers })).status,
      ),
    );
    expect(statuses).toEqual([200, 403]);
  });

  it('refuses an export none of whose content-types the project has', async () => {
    const foreign = { entities: [{ type: 'api::shop.shop', id: 1, data: { documentId: 'x' } }] };
    await expect(importExport(foreign)).rejects.toMatchObject({ code: 'transfer/no-types' });
  });
});
