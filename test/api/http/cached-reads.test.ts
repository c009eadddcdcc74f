import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openApp } from '../../../src/project/open/open-app.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { execute } from '../../support/execute-sql.js';
import { openSqlite } from '../../support/sqlite.js';
import { startForeignWriter } from '../support/foreign-writer.js';
import type { ForeignWriter } from '../support/foreign-writer.js';
import { readsOf } from '../support/cached-site.js';
import type { Tag } from '../support/cached-site.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** How many reads the random run makes. A long run sets more. */
const READS = Number(process.env['ANSWER_READS'] ?? 400);
const TAGS = 6;

const setWeight = ({ documentId }: Pick<Tag, 'documentId'>, weight: number): string =>
  `UPDATE tags SET weight = ${weight} WHERE document_id = '${documentId}'`;

describe.each(databases)('cached responses on $name', (database) => {
  let site: Site;
  let writer: ForeignWriter;
  let tags: readonly Tag[];
  let articleId: string;

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${site.server.url}/api${path}`, {
      headers: { authorization: `Bearer ${site.tokens['full']}`, ...headers },
    });
  const save = async (method: string, path: string, data: unknown): Promise<Tag> => {
    const response = await fetch(`${site.server.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${site.tokens['full']}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ data }),
    });
    expect(response.ok).toBe(true);
    return ((await response.json()) as { data: Tag }).data;
  };
  const weightAt = async (path: string): Promise<number> => {
    const response = await ask(path);
    return ((await response.json()) as { data: Tag }).data.weight;
  };
  /** Changes a row without anybody noticing. */
  const writeUnnoticed = async (tag: Tag, weight: number): Promise<void> => {
    if (database.name === 'postgresql')
      return writer.run(
        `SET session_replication_role = replica; ${setWeight(tag, weight)}; RESET session_replication_role`,
      );
    const { url } = site.project.config.database;
    const file = openSqlite(url.slice('file:'.length), { mode: 'read' });
    const trigger = 'cms_revision_tags_update';
    const [sql] = file.prepare('SELECT sql FROM sqlite_master WHERE name = ?').values([trigger]);
    file.close();
    await execute(url, `DROP TRIGGER ${trigger}; ${setWeight(tag, weight)}; ${String(sql)}`);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, config: { api: { cache: 'strict' } } });
    writer = await startForeignWriter(site.project.config.database.url);
    const made: Tag[] = [];
    for (let index = 0; index < TAGS; index++)
      made.push(await save('POST', '/tags', { name: `tag ${index}`, weight: 0 }));
    tags = made;
    const article = { title: 'One', tags: made.map(({ documentId }) => documentId) };
    articleId = (await save('POST', '/articles', article)).documentId;
    // Until it listens, nothing is cached.
    await vi.waitUntil(async () => (await ask('/tags')).headers.has('etag'), { timeout: 5000 });
  });
  afterAll(async () => {
    await writer.close();
    await site.close();
  });

  const tagAt = (index: number): Tag => {
    const tag = tags[index];
    if (tag === undefined) throw new RangeError('There is no such tag');
    return tag;
  };
  const first = (): Tag => tagAt(0);

  it('are the same until the type is written, in whichever process', async () => {
    const path = `/tags/${first().documentId}`;
    const before = await weightAt(path);
    await writeUnnoticed(first(), before + 1);
    expect(await weightAt(path)).toBe(before);
    await writer.run(`UPDATE authors SET name = 'nobody'`);
    await writer.run(`BEGIN; ${setWeight(first(), before + 2)}; ROLLBACK`);
    expect(await weightAt(path)).toBe(before);
    await writer.run(setWeight(first(), before + 3));
    expect(await weightAt(path)).toBe(before + 3);
    await save('PUT', path, { weight: before + 4 });
    expect(await weightAt(path)).toBe(before + 4);
  });

  it('have digests that clients request, for each method', async () => {
    const path = `/tags/${first().documentId}`;
    const answer = await ask(path);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(answer.headers.get('cache-control')).toBeNull();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const unchanged = await ask(path, { 'if-none-match': known });
      expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([
        304,
        etag,
        '',
      ]);
    }
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await fetch(`${site.server.url}/api${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    await save('PUT', path, { weight: 7 });
    const changed = await ask(path, { 'if-none-match': etag });
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
  });

  it('are not kept where they are long, which are sent whole', async () => {
    const bio = `é€😀${'x'.repeat(300_000)}`;
    const made: string[] = [];
    for (const name of ['Long', 'Longer', 'Longest'])
      made.push((await save('POST', '/authors', { name, bio: bio.repeat(made.length + 1) })).documentId);
    const expected = made.map((_, index) => bio.length * (index + 1));
    const filters = made.map((id, index) => `filters[documentId][$in][${index}]=${id}`).join('&');
    for (const path of [`/authors?${filters}`, `/authors?${filters}&status=draft`, `/authors/${made[2]}`]) {
      const response = await ask(path);
      const { data } = (await response.json()) as { data: { bio: string } | readonly { bio: string }[] };
      const bios = [data].flat().map((author) => author.bio);
      expect(bios.map(({ length }) => length)).toEqual(expected.slice(-bios.length));
      expect(bios.at(-1) === bio.repeat(3)).toBe(true);
      // Only single documents always have one, which the next write may require.
      expect(response.headers.has('etag')).toBe(path.startsWith('/authors/'));
    }
  });

  it('are not given to callers with other rights, nor of drafts', async () => {
    await ask('/articles');
    expect((await fetch(`${site.server.url}/api/articles`)).status).toBe(403);
    expect((await ask('/articles?status=draft')).headers.get('etag')).toBeNull();
    expect((await ask(`/articles/missing`)).status).toBe(404);
  });

  it('are never older than the last acknowledged write, while others write at random', async () => {
    const acknowledged = tags.map(() => 100);
    for (const tag of tags) await writer.run(setWeight(tag, 100));
    let reads = 0;
    let writes = 0;
    /** Each document has one writer, so that its weight only grows. */
    const write = async (owner: number, change: (tag: Tag, weight: number) => Promise<unknown>) => {
      while (reads < READS) {
        const index = Math.floor((Math.random() * TAGS) / 2) * 2 + owner;
        const tag = tagAt(index);
        const weight = (acknowledged[index] ?? 0) + 1;
        await change(tag, weight);
        acknowledged[index] = weight;
        writes += 1;
        // So that some answers are asked for again in between.
        const next = Math.min(reads + Math.floor(Math.random() * 8), READS);
        while (reads < next) await new Promise(setImmediate);
      }
    };
    const kinds = readsOf(site, { articleId, tagIds: tags.map(({ documentId }) => documentId) });
    const read = async (): Promise<void> => {
      while (reads < READS) {
        reads += 1;
        const expected = [...acknowledged];
        const found = (await kinds[Math.floor(Math.random() * kinds.length)]?.()) ?? [];
        expect(found).not.toEqual([]);
        for (const { documentId, weight } of found) {
          const index = tags.findIndex((tag) => tag.documentId === documentId);
          expect(weight).toBeGreaterThanOrEqual(expected[index] ?? 0);
        }
      }
    };
    await Promise.all([
      write(0, (tag, weight) => writer.run(setWeight(tag, weight))),
      write(1, (tag, weight) => save('PUT', `/tags/${tag.documentId}`, { weight })),
      read(),
      read(),
      read(),
    ]);
    expect(writes, `writes during ${reads} reads`).toBeGreaterThan(READS / 50);
  });

  /** A second application on the same database, which is not strict. */
  const openLenient = async () => {
    const { project } = site;
    const { api } = project.config;
    const cache = { ...api.cache, isStrict: false };
    const { fastify } = await openApp(
      { ...project, config: { ...project.config, api: { ...api, cache } } },
      { logger: createLogger({ level: 'silent' }) },
    );
    onTestFinished(() => fastify.close());
    const headers = { authorization: `Bearer ${site.tokens['full']}` };
    const path = `/api/tags/${first().documentId}`;
    const get = (url = path) => fastify.inject({ url, headers });
    return {
      weight: async () => (await get()).json<{ readonly data: Tag }>().data.weight,
      isCaching: async () => (await get('/api/tags')).headers['etag'] !== undefined,
      put: (weight: number) =>
        fastify.inject({ method: 'PUT', url: path, headers, payload: { data: { weight } } }),
    };
  };

  it.runIf(database.name === 'postgresql')(
    'are given up when the database tells, at once for own writes, and while it cannot tell',
    async () => {
      const { weight, isCaching, put } = await openLenient();
      await expect.poll(isCaching).toBe(true);
      for (let index = 1000; index < 1020; index++) {
        expect((await put(index)).statusCode).toBe(200);
        expect(await weight()).toBe(index);
      }
      await writeUnnoticed(first(), 2000);
      expect(await weight()).toBe(1019);
      await writer.run(setWeight(first(), 2001));
      await expect.poll(weight).toBe(2001);
      await writer.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'galley revisions'`);
      await expect.poll(isCaching).toBe(false);
      await writeUnnoticed(first(), 2002);
      expect(await weight()).toBe(2002);
      await expect.poll(isCaching, { timeout: 5000 }).toBe(true);
      expect(await weight()).toBe(2002);
    },
  );

  it('let lists state a total without counting again, until a type of the filter is written', async () => {
    const { database: connection } = site.server.app;
    const counted = vi.spyOn(connection, 'readNumber');
    onTestFinished(() => counted.mockRestore());
    let asked = 0;
    /** No response is cached, since each request differs. */
    const totalAt = async (path: string): Promise<number> => {
      const response = await ask(`${path}&pagination[pageSize]=1&request=${(asked += 1)}`);
      const body = (await response.json()) as {
        readonly meta: { readonly pagination: { readonly total: number } };
      };
      return body.meta.pagination.total;
    };
    const scan = async (sql: string): Promise<number> =>
      connection.transact(async (tx) => Number(Object.values((await tx.query(sql, []))[0] ?? {})[0]));
    const lists = [
      ['/tags?', 'SELECT count(*) FROM tags'],
      ['/tags?filters[weight][$gt]=50', 'SELECT count(*) FROM tags WHERE weight > 50'],
      [
        '/articles?filters[tags][weight][$gt]=50',
        `SELECT count(DISTINCT source_id) FROM articles_tags_links
         JOIN tags ON target_document_id = tags.document_id
         JOIN articles ON articles.id = source_id WHERE weight > 50 AND articles.status = 'published'`,
      ],
    ] as const;
    const made: string[] = [];
    const operations: readonly (() => Promise<unknown>)[] = [
      async () =>
        made.push((await save('POST', '/tags', { name: `made ${asked}`, weight: asked % 100 })).documentId),
      async () => writer.run(`DELETE FROM tags WHERE document_id = '${made.pop() ?? ''}'`),
      async () => writer.run(setWeight(tagAt(asked % TAGS), (asked * 37) % 100)),
      async () => save('PUT', `/tags/${tagAt(asked % TAGS).documentId}`, { weight: (asked * 53) % 100 }),
    ];
    const totals = async (): Promise<unknown> => Promise.all(lists.map(async ([path]) => totalAt(path)));
    for (let round = 0; round < READS / 10; round++) {
      await operations[Math.floor(Math.random() * operations.length)]?.();
      expect(await totals()).toEqual(await Promise.all(lists.map(async ([, sql]) => scan(sql))));
    }
    expect(counted).toHaveBeenCalled();
    counted.mockClear();
    await totals();
    await writer.run(`UPDATE authors SET name = 'nobody'`);
    await totals();
    expect(counted).not.toHaveBeenCalled();
  });

  it('are built on triggers: while one is missing, nothing is cached', async () => {
    const { isCaching } = await openLenient();
    await expect.poll(isCaching).toBe(true);
    const trigger = database.name === 'sqlite' ? 'cms_revision_tags_insert' : 'cms_revision ON tags';
    await writer.run(`DROP TRIGGER ${trigger}`);
    // PostgreSQL is asked on each new connection, and from time to time.
    if (database.name === 'postgresql')
      await writer.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'galley revisions'`);
    await expect.poll(isCaching).toBe(false);
    const repaired = await openLenient();
    await expect.poll(repaired.isCaching).toBe(true);
  });
});
