import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/database/database.js';
import type { WriteAccess } from '../../../../src/documents/documents.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import type { DocumentEvent } from '../../../../src/documents/hooks.js';
import { startScheduleRunner } from '../../../../src/documents/schedules/schedule-documents.js';
import type { ScheduleRunner } from '../../../../src/documents/schedules/schedule-documents.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, errorOf, issuesOf } from '../service.js';
import type { Api } from '../service.js';

const TYPE = 'api::article.article';
const hour = (hours: number): string => new Date(Date.UTC(2026, 0, 1, hours)).toISOString();

describe.each(databases)('schedules on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let now = new Date(hour(0));
  const clock = (): Date => now;
  const runners: ScheduleRunner[] = [];
  const errors: unknown[] = [];
  const told: string[] = [];
  const events: DocumentEvent[] = [];
  const hooks = createDocumentHooks({ onError: (error) => errors.push(error) });

  /** Looks when it is told to. */
  const start = (own: Database = environment.database): ScheduleRunner => {
    const runner = startScheduleRunner({
      database: own,
      model: environment.model,
      documents:
        own === environment.database
          ? api.documents
          : createApi({ ...environment, database: own }, { hooks }).documents,
      clock,
      onDone: ({ action, documentId, locale }) => told.push(`${action} ${documentId} ${locale}`),
      onFailed: ({ action, documentId }, message) => told.push(`${action} ${documentId}: ${message}`),
      onError: (error) => errors.push(error),
      intervals: { lookMs: 3_600_000 },
    });
    runners.push(runner);
    return runner;
  };
  const draft = (title: string, locale?: string) =>
    api.create('article', { title }, { status: 'draft', ...(locale === undefined ? {} : { locale }) });
  const schedule = (documentId: string, data: unknown, locale?: string) =>
    api.documents.schedule({ type: TYPE, documentId, locale, data });
  const isPublished = async (documentId: string, locale = 'en'): Promise<boolean> =>
    (await api.one('article', documentId, { locale })) !== null;
  const scheduled = () => api.documents.listScheduled({});

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(environment, { hooks, clock });
    hooks.before('publish', (event) => {
      events.push(event);
    });
  });
  afterAll(() => environment.close());
  beforeEach(() => {
    now = new Date(hour(0));
    errors.length = 0;
    told.length = 0;
    events.length = 0;
  });
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await environment.database.transact((tx) => tx.execute('DELETE FROM "cms_schedules"', []));
    if (errors.length > 0) throw new AggregateError(errors, 'Something failed unexpectedly');
  });

  it('publish and unpublish one locale at their times', async () => {
    const { documentId } = await draft('first');
    await api.update('article', documentId, { title: 'premier' }, { locale: 'fr', status: 'draft' });
    expect(await schedule(documentId, { publishAt: hour(1), unpublishAt: hour(3) })).toEqual({
      documentId,
      locale: 'en',
      publishAt: hour(1),
      unpublishAt: hour(3),
      author: null,
      failures: [],
    });
    const runner = start();
    await runner.look();
    expect(await isPublished(documentId)).toBe(false);
    // What is published is the draft as it is then.
    await api.update('article', documentId, { title: 'last' }, { status: 'draft' });
    now = new Date(hour(1));
    await runner.look();
    expect(await api.one('article', documentId)).toMatchObject({
      title: 'last',
      publishedAt: expect.any(String),
    });
    expect(await isPublished(documentId, 'fr')).toBe(false);
    expect(await api.documents.findSchedule({ type: TYPE, documentId })).toMatchObject({
      publishAt: null,
      unpublishAt: hour(3),
    });
    now = new Date(hour(4));
    await runner.look();
    expect(await isPublished(documentId)).toBe(false);
    expect(told).toEqual([`publish ${documentId} en`, `unpublish ${documentId} en`]);
    expect(events).toHaveLength(1);
    expect(await scheduled()).toEqual([]);
  });

  it('do at a start what was due while no process ran, in order', async () => {
    const { documentId } = await draft('late');
    await schedule(documentId, { unpublishAt: hour(1), publishAt: hour(2) });
    now = new Date(hour(9));
    await start().look();
    expect(told).toEqual([`unpublish ${documentId} en`, `publish ${documentId} en`]);
    expect(await isPublished(documentId)).toBe(true);
  });

  it('are done once by several processes, and adopted from one that was killed', async () => {
    const other = await environment.reopen();
    try {
      const created = [await draft('a'), await draft('b'), await draft('c')];
      for (const { documentId } of created) await schedule(documentId, { publishAt: hour(1) });
      now = new Date(hour(1));
      const both = [start(), start(other)];
      await Promise.all(both.map((runner) => runner.look()));
      await Promise.all(both.map((runner) => runner.look()));
      expect(events.map((event) => event.documentId).toSorted()).toEqual(
        created.map(({ documentId }) => documentId).toSorted(),
      );
      expect(told).toHaveLength(3);
      for (const runner of runners.splice(0)) await runner.stop();
    } finally {
      await other.close();
    }
  });

  it('leave nothing behind where a process ends while it publishes', async () => {
    const { documentId } = await draft('cut off');
    await schedule(documentId, { publishAt: hour(1) });
    now = new Date(hour(1));
    const { database: opened } = environment;
    let isEnding = true;
    const ending: Database = {
      ...opened,
      transact: (work, options) =>
        opened.transact(async (tx) => {
          const result = await work(tx);
          if (isEnding && events.length > 0) throw new Error('ended');
          return result;
        }, options),
    };
    const runner = start(ending);
    await runner.look();
    expect(errors.splice(0)).toEqual([new Error('ended')]);
    expect(events).not.toEqual([]);
    expect(await isPublished(documentId)).toBe(false);
    expect(await scheduled()).toMatchObject([{ action: 'publish', error: null }]);
    isEnding = false;
    await runner.look();
    expect(await isPublished(documentId)).toBe(true);
    expect(told).toEqual([`publish ${documentId} en`]);
  });

  it('report what cannot be published, and try it once', async () => {
    const { documentId } = await api.create('article', { title: null }, { status: 'draft' });
    await schedule(documentId, { publishAt: hour(1) });
    now = new Date(hour(2));
    const runner = start();
    await runner.look();
    await runner.look();
    expect(told).toEqual([expect.stringMatching(`publish ${documentId}: title `)]);
    expect(await api.documents.findSchedule({ type: TYPE, documentId })).toMatchObject({
      publishAt: null,
      failures: [{ action: 'publish', at: hour(1), message: expect.stringContaining('title') }],
    });
    await api.update('article', documentId, { title: 'named' }, { status: 'draft' });
    await schedule(documentId, { publishAt: hour(3) });
    now = new Date(hour(3));
    await runner.look();
    expect(await isPublished(documentId)).toBe(true);
  });

  it('are deleted once they are due, if their type or its drafts are gone', async () => {
    await environment.database.transact(async (tx) => {
      for (const type of ['api::gone.gone', 'api::tag.tag'])
        await tx.model('CmsSchedule').create({
          data: { type, documentId: 'any', locale: '', action: 'publish', at: BigInt(Date.parse(hour(1))) },
        });
    });
    now = new Date(hour(2));
    await start().look();
    expect(await scheduled()).toEqual([]);
    expect({ told, errors }).toEqual({ told: [], errors: [] });
  });

  it('are deleted with their document, locale by locale', async () => {
    const { documentId } = await draft('gone');
    await api.update('article', documentId, { title: 'parti' }, { locale: 'fr', status: 'draft' });
    const { documentId: second } = await draft('gone, too');
    for (const [id, locale] of [[documentId], [documentId, 'fr'], [second]] as const)
      await schedule(id, { publishAt: hour(1) }, locale);
    await api.remove('article', documentId, 'fr');
    expect((await scheduled()).map((entry) => entry.locale)).toEqual(['en', 'en']);
    await api.documents.bulk({
      atomic: true,
      items: [second, documentId].map((id) => ({
        action: 'delete' as const,
        params: { type: TYPE, documentId: id, locale: 'en' },
      })),
    });
    expect(await scheduled()).toEqual([]);
  });

  it('refuse what is no time to come, and what has no draft', async () => {
    const { documentId } = await draft('refused');
    for (const [data, expected] of [
      [{ publishAt: hour(-1), unpublishAt: 'soon' }, ['publishAt', 'unpublishAt']],
      [{ publishAt: hour(1), unpublishAt: hour(1) }, ['unpublishAt']],
      [{ at: hour(1) }, 'request/invalid-key'],
      [null, 'request/missing-data'],
    ] as const)
      expect(await issuesOf(schedule(documentId, data))).toEqual(expected);
    expect(await schedule('missing', { publishAt: hour(1) })).toBeNull();
    expect(await schedule(documentId, { publishAt: hour(1) }, 'de')).toBeNull();
    const unknown = await errorOf(schedule(documentId, { publishAt: hour(1) }, 'xx'));
    expect(unknown.code).toBe('request/unknown-locale');
    const tag = await errorOf(
      api.documents.schedule({ type: 'api::tag.tag', documentId, data: { publishAt: hour(1) } }),
    );
    expect(tag.code).toBe('request/no-drafts');
    const filter = { kind: 'compare', field: 'title', operator: '$eq', operand: 'other' } as const;
    const access: WriteAccess = { canFind: () => true, scopeOf: () => ({ fields: null, filter }) };
    const forbidden = api.documents.schedule({
      type: TYPE,
      documentId,
      access,
      data: { publishAt: hour(1) },
    });
    // The caller may not read the document either, and learns nothing of it.
    expect(await forbidden).toBeNull();
    expect(await scheduled()).toEqual([]);
    await schedule(documentId, { publishAt: hour(1) });
    expect(await schedule(documentId, { publishAt: null })).toMatchObject({ publishAt: null });
  });
});
