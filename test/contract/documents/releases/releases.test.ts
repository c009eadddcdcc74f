import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import type { DocumentEvent } from '../../../../src/documents/hooks.js';
import { createRunTransaction } from '../../../../src/documents/document-context.js';
import {
  createDueReleases,
  createReleases,
  removeFromReleases,
} from '../../../../src/documents/releases/releases.js';
import type { ReleaseDependencies } from '../../../../src/documents/releases/release-context.js';
import type { Releases } from '../../../../src/documents/releases/releases.js';
import { startScheduleRunner } from '../../../../src/documents/schedules/schedule-documents.js';
import { createError } from '../../../../src/errors/catalogue.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, dumpContent, errorOf, uidOf } from '../service.js';
import type { Api } from '../service.js';

const locales = { defaultCode: () => 'en', has: (code: string) => ['en', 'fr', 'de'].includes(code) };
const SYSTEM = { id: undefined, createdAt: undefined, updatedAt: undefined, publishedAt: undefined };

describe.each(databases)('releases on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let releases: Releases;
  let page: string;
  let tag: string;
  const events: DocumentEvent[] = [];
  const hooks = createDocumentHooks({ onError: () => undefined });

  const releasesWith = (other: Partial<ReleaseDependencies> = {}): Releases =>
    createReleases({
      database: environment.database,
      model: environment.model,
      documents: api.documents,
      locales,
      ...other,
    });
  const publish = (type: string, documentId: string, locale?: string) =>
    ({ type, documentId, action: 'publish', ...(locale === undefined ? {} : { locale }) }) as const;
  const unpublish = (type: string, documentId: string) =>
    ({ type, documentId, action: 'unpublish' }) as const;
  const draft = (type: string, data: unknown, locale?: string) =>
    api.create(type, data, { status: 'draft', ...(locale === undefined ? {} : { locale }) });
  const published = async (type: string, documentId: string, locale = 'en') => {
    const found = await api.one(type, documentId, { populate: '*', locale });
    return found === null ? null : { ...found, ...SYSTEM };
  };
  const check = (name: string) =>
    createRunTransaction(environment.database)(() => releases.check(name), { isDryRun: true });

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: {
        components: { 'shared.part': { attributes: { label: { type: 'string' } } } },
        types: {
          tag: {
            draftAndPublish: true,
            attributes: {
              name: { type: 'string', required: true },
              pages: {
                type: 'relation',
                relation: 'manyToMany',
                target: 'api::page.page',
                mappedBy: 'tags',
              },
            },
          },
          note: { draftAndPublish: false, attributes: { text: { type: 'string' } } },
          page: {
            draftAndPublish: true,
            localized: true,
            attributes: {
              title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
              slug: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
              part: { type: 'component', component: 'shared.part' },
              tags: {
                type: 'relation',
                relation: 'manyToMany',
                target: 'api::tag.tag',
                inversedBy: 'pages',
              },
            },
          },
        },
      },
      database,
    });
    api = createApi(environment, { hooks });
    releases = releasesWith();
    removeFromReleases({ database: environment.database, model: environment.model, hooks });
    page = uidOf(environment, 'page');
    tag = uidOf(environment, 'tag');
    for (const action of ['publish', 'unpublish'] as const)
      hooks.before(action, (event) => {
        events.push(event);
      });
  });
  afterAll(() => environment.close());
  afterEach(async () => {
    events.length = 0;
    for (const { name } of await releases.list()) await releases.delete(name);
  });

  it('publish documents of several types, with the links between them, and unpublish others', async () => {
    const old = await api.create('page', { title: 'Old' });
    const red = await draft('tag', { name: 'red' });
    const first = await draft('page', { title: 'One', tags: [red.documentId], part: { label: 'x' } });
    await releases.create('spring');
    const added = await releases.add('spring', [
      publish(page, first.documentId),
      publish(tag, red.documentId),
      unpublish(page, old.documentId),
    ]);
    expect(added).toMatchObject({ name: 'spring', state: 'open', items: 3, publishedAt: null });
    expect(await published('page', first.documentId)).toBeNull();
    expect(await check('spring')).toEqual([]);
    expect(await published('page', first.documentId)).toBeNull();

    events.length = 0;
    expect(await releases.publish('spring')).toMatchObject({ state: 'published', items: 3 });
    expect(await published('page', first.documentId)).toMatchObject({
      title: 'One',
      part: { label: 'x' },
      tags: [{ name: 'red' }],
    });
    expect(await published('page', old.documentId)).toBeNull();
    expect(events.map(({ action }) => action).toSorted()).toEqual(['publish', 'publish', 'unpublish']);
    expect((await errorOf(releases.publish('spring'))).code).toBe('release/published');
    expect((await errorOf(releases.add('spring', [publish(tag, red.documentId)]))).code).toBe(
      'release/published',
    );
  });

  it('publish nothing if one document is invalid, and check lists every reason', async () => {
    const good = await draft('page', { title: 'Good' });
    const bad = await draft('page', {});
    const worse = await draft('tag', {});
    await releases.create('summer');
    await releases.add('summer', [
      publish(page, good.documentId),
      publish(page, bad.documentId),
      publish(tag, worse.documentId),
    ]);
    const before = await dumpContent(environment);
    expect(await check('summer')).toMatchObject([
      { type: page, documentId: bad.documentId, locale: 'en', errors: [{ path: ['title'] }] },
      { type: tag, documentId: worse.documentId, locale: null, errors: [{ path: ['name'] }] },
    ]);
    const error = await errorOf(releases.publish('summer'));
    expect(error).toMatchObject({ code: 'release/invalid', kind: 'application' });
    expect(error.message).toContain(
      `2 of 3 changes would fail, first that of ${page} ${bad.documentId} in en`,
    );
    expect(await dumpContent(environment)).toEqual(before);
    expect(await releases.get('summer')).toMatchObject({ state: 'open', items: 3 });
  });

  it('publish nothing if project code rejects one document', async () => {
    const good = await draft('page', { title: 'Good' });
    const bad = await draft('page', { title: 'Rejected' });
    hooks.before('publish', (event) => {
      if (event.documentId === bad.documentId) throw createError('request/forbidden');
    });
    await releases.create('summer');
    await releases.add('summer', [publish(page, good.documentId), publish(page, bad.documentId)]);
    expect((await errorOf(releases.publish('summer'))).code).toBe('release/invalid');
    expect(await published('page', good.documentId)).toBeNull();
  });

  it('publish one locale of a document', async () => {
    const { documentId } = await draft('page', { title: 'English' });
    await api.update('page', documentId, { title: 'Français' }, { locale: 'fr', status: 'draft' });
    await releases.create('french');
    await releases.add('french', [publish(page, documentId, 'fr')]);
    expect((await releases.get('french')).changes).toEqual([
      { type: page, documentId, locale: 'fr', action: 'publish' },
    ]);
    await releases.publish('french');
    expect(await published('page', documentId)).toBeNull();
    expect(await published('page', documentId, 'fr')).toMatchObject({ title: 'Français' });
  });

  it('are reverted: drafts stay, published versions are those before the release', async () => {
    const red = await api.create('tag', { name: 'red' });
    const blue = await api.create('tag', { name: 'blue' });
    const edited = await api.create('page', { title: 'Before', tags: [red.documentId] });
    const removed = await api.create('page', { title: 'Removed', slug: 'removed' });
    const fresh = await draft('page', { title: 'Fresh' });
    await api.update(
      'page',
      edited.documentId,
      { title: 'After', tags: [blue.documentId] },
      { status: 'draft' },
    );
    const before = await Promise.all(
      [edited, removed, fresh].map(({ documentId }) => published('page', documentId)),
    );
    await releases.create('autumn');
    await releases.add('autumn', [
      publish(page, edited.documentId),
      publish(page, fresh.documentId),
      unpublish(page, removed.documentId),
    ]);
    await releases.publish('autumn');
    await api.update('page', edited.documentId, { title: 'Later' }, { status: 'draft' });
    expect(await published('page', edited.documentId)).toMatchObject({
      title: 'After',
      tags: [{ name: 'blue' }],
    });

    expect(await releases.revert('autumn', { isForced: false })).toMatchObject({ state: 'reverted' });
    expect(
      await Promise.all([edited, removed, fresh].map(({ documentId }) => published('page', documentId))),
    ).toEqual(before);
    expect(await api.one('page', edited.documentId, { status: 'draft', populate: '*' })).toMatchObject({
      title: 'Later',
      tags: [{ name: 'blue' }],
    });
    expect((await errorOf(releases.revert('autumn', { isForced: false }))).code).toBe(
      'release/not-published',
    );
    expect(await releases.publish('autumn')).toMatchObject({ state: 'published' });
    expect(await published('page', edited.documentId)).toMatchObject({ title: 'Later' });
  });

  it('are not reverted if a document was published since, unless it is forced', async () => {
    const one = await draft('page', { title: 'One' });
    const two = await api.create('page', { title: 'Two' });
    await api.update('page', two.documentId, { title: 'Two, edited' }, { status: 'draft' });
    await releases.create('winter');
    await releases.add('winter', [publish(page, one.documentId), publish(page, two.documentId)]);
    await releases.publish('winter');
    await api.update('page', two.documentId, { title: 'Two, later' });
    const before = await dumpContent(environment);
    const error = await errorOf(releases.revert('winter', { isForced: false }));
    expect(error).toMatchObject({
      code: 'release/changed',
      kind: 'conflict',
      details: { changes: [{ documentId: two.documentId }] },
    });
    expect(await dumpContent(environment)).toEqual(before);
    await releases.revert('winter', { isForced: true });
    expect(await published('page', one.documentId)).toBeNull();
    expect(await published('page', two.documentId)).toMatchObject({ title: 'Two' });
    expect(await api.one('page', two.documentId, { status: 'draft' })).toMatchObject({ title: 'Two, later' });
  });

  it('are compared with the published versions, attribute by attribute', async () => {
    const red = await api.create('tag', { name: 'red' });
    const { documentId } = await api.create('page', { title: 'A', part: { label: 'x' } });
    await api.update('page', documentId, { title: 'B', tags: [red.documentId] }, { status: 'draft' });
    const fresh = await draft('tag', { name: 'new' });
    await releases.create('diff');
    await releases.add('diff', [publish(page, documentId), publish(tag, fresh.documentId)]);
    const differences = [
      {
        type: page,
        documentId,
        locale: 'en',
        action: 'publish',
        isNew: false,
        attributes: [
          { attribute: 'title', before: 'A', after: 'B' },
          { attribute: 'tags', before: [], after: [red.documentId] },
        ],
      },
      {
        type: tag,
        documentId: fresh.documentId,
        locale: null,
        action: 'publish',
        isNew: true,
        attributes: [{ attribute: 'name', before: null, after: 'new' }],
      },
    ];
    expect(await releases.diff('diff')).toEqual(differences);
    await releases.publish('diff');
    expect(await releases.diff('diff')).toEqual(differences);
  });

  it('are published at their time, once; failures are stored and not repeated', async () => {
    let now = new Date('2030-01-01T00:00:00.000Z');
    const clock = (): Date => now;
    const reports: string[] = [];
    const errors: unknown[] = [];
    const due = createDueReleases({
      database: environment.database,
      model: environment.model,
      documents: api.documents,
      locales,
      clock,
    });
    const runner = startScheduleRunner({
      database: environment.database,
      model: environment.model,
      documents: api.documents,
      clock,
      releases: due,
      onRelease: (name, failure) => reports.push(`${name} ${failure?.message ?? 'done'}`),
      onDone: () => undefined,
      onFailed: () => undefined,
      onError: (error) => errors.push(error),
      intervals: { lookMs: 3_600_000 },
    });
    const timed = releasesWith({ clock });
    const good = await draft('page', { title: 'Good' });
    const bad = await draft('page', {});
    for (const [name, { documentId }] of [
      ['good', good],
      ['bad', bad],
    ] as const) {
      await timed.create(name);
      await timed.add(name, [publish(page, documentId)]);
      expect((await errorOf(timed.schedule(name, now))).code).toBe('request/invalid-parameter');
      const scheduled = await timed.schedule(name, new Date('2030-01-01T01:00:00.000Z'));
      expect(scheduled).toMatchObject({ state: 'scheduled', publishAt: '2030-01-01T01:00:00.000Z' });
    }
    await runner.look();
    expect(reports).toEqual([]);
    now = new Date('2030-01-01T01:00:00.000Z');
    await runner.look();
    await runner.look();
    expect(reports).toEqual(['good done', expect.stringContaining('bad The release bad was not published')]);
    expect(await published('page', good.documentId)).toMatchObject({ title: 'Good' });
    expect(await timed.list()).toMatchObject([
      { name: 'bad', state: 'failed', error: expect.stringContaining(bad.documentId) },
      { name: 'good', state: 'published', publishedAt: '2030-01-01T01:00:00.000Z', error: null },
    ]);
    await api.update('page', bad.documentId, { title: 'Repaired' }, { status: 'draft' });
    await timed.schedule('bad', new Date('2030-01-01T02:00:00.000Z'));
    now = new Date('2030-01-01T02:00:00.000Z');
    await runner.look();
    expect(await published('page', bad.documentId)).toMatchObject({ title: 'Repaired' });
    await runner.stop();
    expect(errors).toEqual([]);
  });

  it('lose the changes of deleted documents', async () => {
    const { documentId } = await draft('page', { title: 'English' });
    await api.update('page', documentId, { title: 'Français' }, { locale: 'fr', status: 'draft' });
    const red = await draft('tag', { name: 'red' });
    await releases.create('deleted');
    await releases.add('deleted', [
      publish(page, documentId),
      publish(page, documentId, 'fr'),
      publish(tag, red.documentId),
    ]);
    await api.remove('page', documentId, 'fr');
    await api.remove('tag', red.documentId);
    expect((await releases.get('deleted')).changes).toEqual([
      { type: page, documentId, locale: 'en', action: 'publish' },
    ]);
    await releases.remove('deleted', [{ type: page, documentId }]);
    expect(await releases.get('deleted')).toMatchObject({ items: 0 });
  });

  it('reject names, documents and types that they cannot hold', async () => {
    const { documentId } = await draft('page', { title: 'x' });
    const note = await api.create('note', { text: 'x' });
    await releases.create('ok');
    const codes = await Promise.all(
      [
        releases.create('ok'),
        releases.create('a b'),
        releases.get('okay'),
        releases.add('okay', []),
        releases.publish('ok'),
        releases.add('ok', [publish(page, 'nowhere')]),
        releases.add('ok', [publish(page, documentId, 'fr')]),
        releases.add('ok', [publish(page, documentId, 'xx')]),
        releases.add('ok', [publish('api::nothing.nothing', documentId)]),
        releases.add('ok', [publish(uidOf(environment, 'note'), note.documentId)]),
        releases.schedule('ok', new Date(0)),
      ].map(async (work) => (await errorOf(work)).code),
    );
    expect(codes).toEqual([
      'release/exists',
      'release/invalid-name',
      'release/unknown',
      'release/unknown',
      'release/empty',
      'release/unknown-document',
      'release/unknown-document',
      'request/unknown-locale',
      'request/invalid-parameter',
      'request/no-drafts',
      'release/empty',
    ]);
  });

  it('hold only documents of types that the caller may update', async () => {
    const one = await draft('page', { title: 'x' });
    const red = await draft('tag', { name: 'red' });
    const limited = releasesWith({
      assertMayUpdate: (type) => {
        if (type !== tag) throw createError('request/forbidden');
      },
    });
    await limited.create('limited');
    expect((await errorOf(limited.add('limited', [publish(page, one.documentId)]))).code).toBe(
      'request/forbidden',
    );
    await limited.add('limited', [publish(tag, red.documentId)]);
    await releases.add('limited', [publish(page, one.documentId)]);
    expect((await errorOf(limited.publish('limited'))).code).toBe('request/forbidden');
    const blind = releasesWith({ access: { canFind: () => true, withoutDrafts: [page] } });
    expect((await blind.get('limited')).changes.map(({ type }) => type)).toEqual([tag]);
    expect((await blind.diff('limited')).map(({ type }) => type)).toEqual([tag]);
    expect((await errorOf(blind.add('limited', [publish(page, one.documentId)]))).code).toBe(
      'request/drafts-forbidden',
    );
  });
});
