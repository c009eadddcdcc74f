import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent, DevServer } from '../../../src/project/serve/start-dev.js';
import type { DevPrompts } from '../../../src/project/serve/rebuild-app.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';
const NOTE_FILE = 'src/api/note/content-types/note/schema.json';
const NOTE = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
};

interface SchemaFile {
  attributes: Record<string, unknown>;
}

describe.each(databases)('the development server on $name', (database) => {
  let root = '';
  let remove: () => Promise<void>;
  let server: DevServer;
  let key = '';
  const log: string[] = [];
  const events: DevEvent[] = [];
  const questions: { -readonly [Key in keyof DevPrompts]: DevPrompts[Key] } = {};

  const next = async (work: () => Promise<void>): Promise<DevEvent> => {
    const seen = events.length;
    await work();
    await expect.poll(() => events.length, { timeout: 10_000, interval: 10 }).toBeGreaterThan(seen);
    return events[events.length - 1] as DevEvent;
  };
  const save = async (path: string, content: unknown): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(
      join(root, path),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  };
  const edit = async (path: string, change: (schema: SchemaFile) => void): Promise<void> => {
    const schema = JSON.parse(await readFile(join(root, path), 'utf8')) as SchemaFile;
    change(schema);
    await save(path, schema);
  };
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
  const post = (path: string, data: unknown): Promise<Response> =>
    ask(path, { method: 'POST', body: JSON.stringify({ data }) });

  beforeAll(async () => {
    ({ root, remove } = await createSiteFolder({
      project: 'magazine',
      database,
      config: { docs: 'always' },
    }));
    const logger = createLogger({ level: 'warn', stream: { write: (line) => void log.push(line) } });
    server = await startDev(root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger,
      onEvent: (event) => events.push(event),
      prompts: questions,
    });
  });
  afterAll(async () => {
    await server.close();
    await remove();
  });

  it('migrates and serves a new project', async () => {
    expect(events).toMatchObject([{ kind: 'serving', changed: [] }]);
    expect((await fetch(`${server.url}/_health`)).status).toBe(204);
    expect(await readdir(join(root, 'prisma/migrations'))).toHaveLength(2);
    expect(await readFile(join(root, 'prisma/schema.prisma'), 'utf8')).toContain('model Article');
    expect(await readFile(join(root, 'types/index.d.ts'), 'utf8')).not.toBe('');
  });

  it('applies changes by commands without a restart', async () => {
    const { context, close } = await openProjectDatabase(await openProject(root));
    key = (await createToken(context, { name: 'dev', type: 'full-access' })).accessKey;
    await close();
    await expect
      .poll(async () => (await ask('/api/tags')).status, { timeout: 20_000, interval: 50 })
      .toBe(200);
    expect((await post('/api/tags', { name: 'red', label: 'Red' })).status).toBe(201);
  });

  it('serves a new type soon after it is saved, without refusing requests in between', async () => {
    const statuses = new Set<number>();
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const response = await ask('/api/tags');
        await response.text();
        statuses.add(response.status);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const before = await ask('/api/openapi.json');
    const event = await next(() => save(NOTE_FILE, NOTE));
    isOver = true;
    await Promise.all(clients);
    expect(event).toMatchObject({
      kind: 'serving',
      changed: expect.arrayContaining([NOTE_FILE]) as string[],
      migration: expect.stringContaining('notes') as string,
    });
    expect([...statuses]).toEqual([200]);
    expect((await post('/api/notes', { text: 'hello' })).status).toBe(201);
    expect(await before.text()).not.toContain('"/api/notes"');
    expect(await (await ask('/api/openapi.json')).text()).toContain('"/api/notes"');
  });

  it('keeps serving with an invalid schema file, and reports its location', async () => {
    const good = await readFile(join(root, TAG_FILE), 'utf8');
    const event = await next(() =>
      edit(TAG_FILE, ({ attributes }) => {
        attributes['weight'] = { type: 'integr' };
      }),
    );
    expect(event.kind).toBe('failed');
    const { code, message } = (event as { error: GalleyError }).error;
    expect([code, message]).toEqual([
      'project/invalid-schemas',
      expect.stringMatching(/tag\/schema\.json:\d+ weight: .*integer/),
    ]);
    expect((await ask('/api/tags')).status).toBe(200);
    expect(await next(() => save(TAG_FILE, '{ "kind": '))).toMatchObject({
      kind: 'failed',
      error: { code: 'project/invalid-schemas' },
    });
    expect((await ask('/api/tags')).status).toBe(200);
    expect(await next(() => save(TAG_FILE, good))).toMatchObject({ kind: 'serving', migration: null });
  });

  it('postpones a change that would lose data until it is confirmed', async () => {
    const good = await readFile(join(root, TAG_FILE), 'utf8');
    const migrations = await readdir(join(root, 'prisma/migrations'));
    const event = await next(() =>
      edit(TAG_FILE, ({ attributes }) => {
        delete attributes['label'];
      }),
    );
    expect(event).toMatchObject({
      kind: 'held',
      plan: {
        impact: [{ kind: 'dropped', type: 'api::tag.tag', path: 'label', values: 1, samples: ['"Red"'] }],
      },
    });
    expect(await (await ask('/api/tags')).json()).toMatchObject({ data: [{ label: 'Red' }] });
    expect(await readdir(join(root, 'prisma/migrations'))).toEqual(migrations);
    expect(await next(() => save(TAG_FILE, good))).toMatchObject({ kind: 'serving', migration: null });
    questions.confirmDataLoss = async () => true;
    await next(() =>
      edit(TAG_FILE, ({ attributes }) => {
        delete attributes['label'];
      }),
    );
    await expect.poll(() => events.at(-1)?.kind, { timeout: 10_000 }).toBe('serving');
    delete questions.confirmDataLoss;
    const { data } = (await (await ask('/api/tags')).json()) as {
      readonly data: readonly Record<string, unknown>[];
    };
    expect(data[0]).toMatchObject({ name: 'red' });
    expect(data[0]).not.toHaveProperty('label');
  });

  it('keeps the data of an attribute whose renaming is confirmed', async () => {
    questions.chooseRenames = async (candidates) => candidates.filter(({ to }) => to === 'body');
    const event = await next(() =>
      edit(NOTE_FILE, ({ attributes }) => {
        delete attributes['text'];
        attributes['body'] = { type: 'string' };
      }),
    );
    delete questions.chooseRenames;
    expect(event).toMatchObject({ kind: 'serving' });
    expect(await (await ask('/api/notes')).json()).toMatchObject({ data: [{ body: 'hello' }] });
  });

  it('reloads the code of the project: routes, middlewares, listeners and bootstrap', async () => {
    const code = (word: string): string => `
      import { defineConfig } from 'galley';
      export const register = ({ fastify, documents }) => {
        fastify.get('/word', async () => ({ word: '${word}', known: typeof defineConfig }));
        documents.use(async (operation, next) => {
          const { action, params } = operation;
          const data = { ...params.data, body: '${word}' };
          if (action === 'create') operation.params = { ...params, data };
          return next();
        }, ['api::note.note']);
        documents.before('create', ({ data }) => { if (data.body === 'forbidden') throw new Error('no'); });
      };
      export const bootstrap = async ({ documents, prisma, log }) => {
        globalThis.galleyTestCount = await documents('api::note.note').count({ status: 'published' });
        globalThis.galleyTestPrisma = typeof prisma.note.findMany;
      };
    `;
    expect(await next(() => save('src/index.ts', code('first')))).toMatchObject({ kind: 'serving' });
    expect(await (await ask('/word')).json()).toEqual({ word: 'first', known: 'function' });
    expect(await (await post('/api/notes', { body: 'mine' })).json()).toMatchObject({
      data: { body: 'first' },
    });
    expect([Reflect.get(globalThis, 'galleyTestCount'), Reflect.get(globalThis, 'galleyTestPrisma')]).toEqual(
      [1, 'function'],
    );
    expect(await next(() => save('src/index.ts', code('second')))).toMatchObject({ kind: 'serving' });
    expect(await (await ask('/word')).json()).toMatchObject({ word: 'second' });
    expect(
      await next(() => save('src/index.ts', 'export const register = () => { throw new Error("mine"); };')),
    ).toMatchObject({ kind: 'failed', error: { message: 'register failed at src/index.ts:1: mine' } });
    expect(await (await ask('/word')).json()).toMatchObject({ word: 'second' });
    expect(await next(() => save('src/index.ts', 'export const register = 5;'))).toMatchObject({
      kind: 'failed',
      error: { code: 'project/module-load-failed' },
    });
    expect(await next(() => rm(join(root, 'src/index.ts')))).toMatchObject({ kind: 'serving' });
    expect((await ask('/word')).status).toBe(404);
  });

  it('applies changes of the configuration', async () => {
    expect(
      await next(() => save('cms.config.mjs', 'export default { api: { rest: { defaultLimit: 7 } } };')),
    ).toMatchObject({ kind: 'serving' });
    expect(await (await ask('/api/tags')).json()).toMatchObject({ meta: { pagination: { pageSize: 7 } } });
    expect(
      await next(() => save('cms.config.mjs', 'export default { api: { rest: { defaultLimit: 0 } } };')),
    ).toMatchObject({ kind: 'failed', error: { code: 'config/invalid' } });
    expect((await ask('/api/tags')).status).toBe(200);
    expect(await next(() => save('cms.config.mjs', 'export default {};'))).toMatchObject({ kind: 'serving' });
  });

  it('has logged no warnings', () => {
    expect(log).toEqual([]);
  });
});
