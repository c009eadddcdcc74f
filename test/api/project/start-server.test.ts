import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import { generate } from '../../../src/project/generate.js';
import {
  deployProject,
  planProject,
  projectMigrationStatus,
} from '../../../src/project/migrate/migrate-project.js';
import { migrateProject } from '../../support/migrate-project.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import { diffGenerated } from '../../../src/project/generated-files.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';

describe.each(databases)('a project on $name', (database) => {
  let root = '';
  let remove: () => Promise<void>;
  const logger = createLogger({ level: 'silent' });
  const start = () => startServer(root, { overrides: { host: '127.0.0.1', port: 0 }, logger });
  const place = (path: string): string => join(root, path);
  const exists = (path: string): Promise<boolean> =>
    stat(place(path)).then(
      () => true,
      () => false,
    );

  beforeAll(async () => {
    ({ root, remove } = await createSiteFolder({ project: 'magazine', database }));
  });
  afterAll(() => remove());

  it('does not start before it is migrated, and names the command to run', async () => {
    await expect(start()).rejects.toMatchObject({
      code: 'project/pending-migrations',
      kind: 'pending',
      hint: 'Run: cms migrate',
    });
    expect(await exists('.galley')).toBe(false);
  });

  it('prints the plan of a migration without applying it', async () => {
    const preview = await planProject(await openProject(root));
    expect(preview.sql).toContain('articles');
    expect(await exists('prisma')).toBe(false);
    expect(await exists('types')).toBe(false);
  });

  it('is migrated: schema, types, client and database', async () => {
    const project = await openProject(root);
    const first = await migrateProject(project, { label: 'the model' });
    expect(first).toMatchObject({
      name: expect.stringMatching(/^\d{14}_the_model$/) as string,
      impact: [],
      client: true,
      seeded: 0,
    });
    expect(first.changes.map(({ path }) => path)).toEqual([
      'prisma/schema.prisma',
      'types/api.d.ts',
      'types/component.schema.json',
      'types/components.d.ts',
      'types/content-type.schema.json',
      'types/content-types.d.ts',
      'types/index.d.ts',
      'types/query.d.ts',
      'types/result.d.ts',
      'types/server.d.ts',
    ]);
    expect(await migrateProject(project, { label: 'again' })).toMatchObject({
      name: null,
      applied: [],
      changes: [],
      client: false,
    });
    expect(await projectMigrationStatus(project)).toMatchObject({
      applied: [first.name],
      pending: [],
      failed: [],
    });
  });

  it('detects outdated generated files, and writes them again', async () => {
    const project = await openProject(root);
    expect(await diffGenerated(project)).toEqual([]);
    await writeFile(place('types/index.d.ts'), 'changed');
    await rm(place('prisma/schema.prisma'));
    expect((await diffGenerated(project)).map(({ path, before }) => [path, before])).toEqual([
      ['prisma/schema.prisma', null],
      ['types/index.d.ts', 'changed'],
    ]);
    expect(await generate(project)).toMatchObject({
      changes: [{ path: 'prisma/schema.prisma' }, { path: 'types/index.d.ts' }],
      client: false,
    });
    expect(await diffGenerated(project)).toEqual([]);
  });

  it('does not start on missing or weak secrets, and names them', async () => {
    const env = await readFile(place('.env'), 'utf8');
    await writeFile(
      place('.env'),
      env.replace(/JWT_SECRET=.*/, 'JWT_SECRET=secret').replace(/API_TOKEN_SALT=.*/, ''),
    );
    await expect(start()).rejects.toMatchObject({
      code: 'config/unsafe-secrets',
      message: 'JWT_SECRET is weak and API_TOKEN_SALT is missing.',
    });
    await writeFile(place('.env'), env);
  });

  it('serves in production without the git-ignored client, which only project code uses', async () => {
    await rm(place('.galley'), { recursive: true, force: true });
    const server = await start();
    expect(server.app.project.config.environment).toBe('test');
    expect(await exists('.galley/client')).toBe(false);
    for (const path of ['/docs', '/api/openapi.json'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(404);
    expect((await fetch(`${server.url}/_health`)).status).toBe(204);
    expect((await fetch(`${server.url}/api/tags`)).status).toBe(403);
    await server.close();
    await expect(fetch(`${server.url}/_health`)).rejects.toThrow();
  });

  it('fails on a port in use, and closes everything', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    await expect(startServer(root, { overrides: { host: '127.0.0.1', port }, logger })).rejects.toMatchObject(
      { code: 'server/port-in-use' },
    );
    await first.close();
  });

  it('does not start with content-types that changed without a migration', async () => {
    const text = await readFile(place(TAG_FILE), 'utf8');
    await writeFile(place(TAG_FILE), text.replace('"label"', '"caption"'));
    await expect(start()).rejects.toMatchObject({
      code: 'project/pending-migrations',
      hint: 'Run: cms migrate',
    });
    await writeFile(place(TAG_FILE), text.replace('"type": "integer"', '"type": "integre"'));
    await expect(start()).rejects.toMatchObject({
      code: 'project/invalid-schemas',
      message: expect.stringContaining('schema.json:') as string,
    });
    await writeFile(place(TAG_FILE), text);
  });

  it('deploys the migrations of a cloned project to a new database', async () => {
    const other = await database.create();
    const clone = await openProject(root, { databaseUrl: other.url });
    await expect(
      startServer(root, { overrides: { host: '127.0.0.1', port: 0, databaseUrl: other.url }, logger }),
    ).rejects.toMatchObject({ hint: 'Run: cms migrate deploy' });
    expect((await deployProject(clone)).applied).toHaveLength(1);
    expect((await deployProject(clone)).applied).toEqual([]);
    const server = await startServer(root, {
      overrides: { host: '127.0.0.1', port: 0, databaseUrl: other.url },
      logger,
    });
    expect((await fetch(`${server.url}/_health`)).status).toBe(204);
    await server.close();
    await other.drop();
  });

  it('imports its seed once, and continues after an interruption', async () => {
    await mkdir(place('seed'));
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(place('seed/article'), { recursive: true });
      await mkdir(place('seed/tag'), { recursive: true });
      await writeFile(place(`seed/${path}`), text);
    };
    const project = await openProject(root);
    const refused = async (reason: string): Promise<void> =>
      expect(migrateProject(project, { label: 'x' })).rejects.toMatchObject({
        code: 'project/seed-import-failed',
        message: expect.stringContaining(reason) as string,
      });
    await write('tag/red.yaml', '$documentId: redredredredredredredred\nname: red\n');
    await write('article/first.md', '---\ntitle: First\ntags: [blue]\n---\n');
    await refused('article/first.md:3');
    await write('article/first.md', '---\ntitle: 5\ntags: [red]\n---\n');
    await refused('article/first.md:2');
    await mkdir(place('seed/nothing'));
    await refused('there is no content-type nothing');
    await rm(place('seed/nothing'), { recursive: true });
    await mkdir(place('seed/setting'));
    await write('setting/setting.yaml', 'siteName: Site\n');
    await write('article/first.md', '---\ntitle: First\ntags: [redredredredredredredred]\n---\n');
    expect(await migrateProject(project, { label: 'x' })).toMatchObject({ seeded: 2 });
    expect(await migrateProject(project, { label: 'x' })).toMatchObject({ seeded: 0 });
    const { context, close } = await openProjectDatabase(project);
    const { accessKey } = await createToken(context, { name: 'reader', type: 'full-access' });
    await close();
    const server = await start();
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${accessKey}` } })).json();
    expect(await read('/api/articles?status=draft&populate=tags')).toMatchObject({
      data: [{ title: 'First', publishedAt: null, tags: [{ name: 'red' }] }],
    });
    expect(await read('/api/tags')).toMatchObject({ data: [{ name: 'red' }] });
    expect(await read('/api/setting')).toMatchObject({ data: { siteName: 'Site' } });
    await server.close();
  });
});
