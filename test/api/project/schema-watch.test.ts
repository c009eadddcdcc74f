import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { planProject } from '../../../src/project/migrate/migrate-project.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { createSchemaWatch } from '../../../src/project/serve/schema-watch.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';

interface SchemaFile {
  attributes: Record<string, unknown>;
}

/** A running server, and a project folder that may move on without it. */
const createRunning = async (database: TestDatabaseKind) => {
  const { root, remove } = await createSiteFolder({ project: 'magazine', database });
  onTestFinished(remove);
  await migrateProjectDatabase(await openProject(root), { label: 'start' });
  const log: string[] = [];
  const logger = createLogger({ level: 'warn', stream: { write: (line) => void log.push(line) } });
  const migrate = async (change: (attributes: Record<string, unknown>) => void): Promise<string> => {
    const schema = JSON.parse(await readFile(join(root, TAG_FILE), 'utf8')) as SchemaFile;
    change(schema.attributes);
    await writeFile(join(root, TAG_FILE), JSON.stringify(schema));
    const project = await openProject(root);
    const { isAdditive } = await planProject(project);
    const { name } = await migrateProjectDatabase(project, { label: 'tags', acceptsDataLoss: true });
    return `${isAdditive ? 'additive' : 'other'} ${name}`;
  };
  return { root, log, logger, migrate };
};

describe.each(databases)('a server whose schema moves on, on $name', (database) => {
  it('reports it at /_ready and in its log, and if it may continue to serve', async () => {
    const { root, log, logger, migrate } = await createRunning(database);
    const server = await startServer(root, { overrides: { host: '127.0.0.1', port: 0 }, logger });
    onTestFinished(server.close);
    const ready = async (): Promise<unknown> => {
      const response = await fetch(`${server.url}/_ready`);
      return { status: response.status, ...((await response.json()) as object) };
    };
    expect(await ready()).toEqual({ status: 200, ready: true, schema: 'current', migrations: [] });
    const added = await migrate((attributes) => {
      attributes['size'] = { type: 'integer' };
    });
    expect(added).toMatch(/^additive /);
    const [, first = ''] = added.split(' ');
    const ahead = { status: 200, ready: true, schema: 'ahead', migrations: [first] };
    expect(await ready()).toEqual(ahead);
    expect(await ready()).toEqual(ahead);
    expect((await fetch(`${server.url}/api/tags`)).status).toBe(403);
    expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `The database was migrated (${first}). The migration only adds, so this instance keeps running.`,
    ]);
    const changed = await migrate((attributes) => {
      delete attributes['label'];
    });
    expect(changed).toMatch(/^other /);
    const [, second = ''] = changed.split(' ');
    expect(await ready()).toEqual({
      status: 503,
      ready: false,
      schema: 'incompatible',
      migrations: [first, second],
    });
    expect(log.at(-1)).toContain('This instance does not fit the new schema');
    expect(log).toHaveLength(2);
  });

  it.each([
    { what: 'required', change: { extra: { type: 'string', required: true } }, expected: 'other' },
    {
      what: 'a relation',
      change: { tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' } },
      expected: 'additive',
    },
    { what: 'narrower', change: { name: { type: 'string', maxLength: 9 } }, expected: 'other' },
    {
      what: 'a table of links',
      change: { tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' } },
      expected: 'additive',
    },
  ])('knows whether a change only adds: $what', async ({ change, expected }) => {
    const { migrate } = await createRunning(database);
    expect(await migrate((attributes) => Object.assign(attributes, change))).toMatch(
      new RegExp(`^${expected} `),
    );
  });

  it('is not ready while the database does not respond', async () => {
    const { root, logger } = await createRunning(database);
    let answer: () => Promise<readonly string[]> = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const { close, readiness } = await createSchemaWatch({
      project: await openProject(root),
      database: { readTexts: () => answer() },
      logger,
      isTimed: false,
      answerTimeoutMs: 1,
    });
    const unknown = { isReady: false, schema: 'unknown', migrations: [] };
    expect(await readiness()).toEqual(unknown);
    let respond: (names: readonly string[]) => void = () => undefined;
    answer = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    expect(await readiness()).toEqual(unknown);
    respond([]);
    await close();
  });

  it('notices it by itself', async () => {
    const { root, log, logger, migrate } = await createRunning(database);
    const project = await openProject(root);
    const opened = await openProjectDatabase(project);
    onTestFinished(opened.close);
    const watch = await createSchemaWatch({
      project,
      database: opened.database,
      logger,
      isTimed: true,
      intervalMs: 5,
    });
    onTestFinished(watch.close);
    await migrate((attributes) => {
      attributes['size'] = { type: 'integer' };
    });
    await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 20_000, interval: 5 });
    expect(log[0]).toContain('was migrated');
    await rm(join(root, 'prisma/migrations'), { recursive: true });
    expect(await watch.readiness()).toMatchObject({ schema: 'ahead' });
  });
});
