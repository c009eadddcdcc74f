import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLongTexts } from '../../../src/project/doctor/examine-content.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, issuesOf } from './service.js';
import type { Api } from './service.js';

/** The parts of a project in which values are looked for. */
const source = ({ model, dialect, url }: TestEnvironment) => ({
  model,
  dialect,
  config: { database: { url } },
});

const DOCUMENT_ID = /^[a-z][a-z0-9]{23}$/;
describe.each(databases)('values of documents on $name', (database) => {
  describe('of the magazine', () => {
    let testEnvironment: TestEnvironment;
    let api: Api;
    beforeAll(async () => {
      testEnvironment = await createTestEnvironment({ model: 'magazine', database });
      api = createApi(testEnvironment);
    });
    afterAll(() => testEnvironment.close());

    it('documents get unique ids, and a publishedAt if their type has no drafts', async () => {
      const records = await Promise.all(
        Array.from({ length: 20 }, (_, index) => api.create('tag', { name: `n${index}` })),
      );
      expect(records.every(({ documentId }) => DOCUMENT_ID.test(documentId))).toBe(true);
      expect(new Set(records.map(({ documentId }) => documentId)).size).toBe(20);
      const times = { publishedAt: records[0]?.['publishedAt'], createdAt: records[0]?.['publishedAt'] };
      expect(records[0]).toMatchObject(times);
      expect(await api.update('tag', records[0]?.documentId ?? '', { weight: 1 })).toMatchObject(times);
    });

    it('a value that is set to null is null, also JSON, and can be set again', async () => {
      const { documentId } = await api.create('article', {
        title: 't',
        extra: { a: 1 },
        content: [],
        seo: { metaTitle: 'm' },
        reads: '1',
        startsAt: '2026-01-01T00:00:00.000Z',
      });
      const cleared = await api.update(
        'article',
        documentId,
        { extra: null, content: null, seo: null, reads: null, startsAt: null },
        { populate: 'seo' },
      );
      expect(cleared).toMatchObject({ extra: null, content: null, seo: null, reads: null, startsAt: null });
      expect(await api.update('article', documentId, { extra: 0, content: [], reads: 0 })).toMatchObject({
        extra: 0,
        content: [],
        reads: '0',
      });
      for (const extra of [false, '', 'text', [], [null], { deep: { er: [] } }])
        expect((await api.update('article', documentId, { extra }))?.['extra']).toEqual(extra);
    });

    it('a JSON value that is a number is found by it', async () => {
      for (const extra of [1e21, 1e19, 0.1 + 0.2, 1e-7, 5e-324, -2.5, 12]) {
        const { documentId } = await api.create('article', { title: 'A number', extra });
        for (const filter of [extra, String(extra), { $in: [extra] }]) {
          const found = await api.list('article', { filters: { extra: filter } });
          expect([extra, found.map((record) => record.documentId)]).toEqual([extra, [documentId]]);
          expect(found[0]?.['extra']).toBe(extra);
        }
      }
    });

    it('a string has at most 255 characters, unless it had more before', async () => {
      const longest = '😀'.repeat(255);
      const { documentId } = await api.create('article', {
        title: 't',
        seo: { metaTitle: 'm', canonical: longest },
      });
      const limits = { title: 't', slug: 'x'.repeat(256), seo: { metaTitle: 'm', canonical: `${longest}x` } };
      const issues = ['slug', 'seo.canonical'];
      expect(await issuesOf(api.create('article', limits))).toEqual(issues);
      expect(await issuesOf(api.update('article', documentId, limits, { status: 'draft' }))).toEqual(issues);
      const long = 'y'.repeat(300);
      expect(await findLongTexts(source(testEnvironment))).toEqual([]);
      const versions = testEnvironment.model.types.find(({ singularName }) => singularName === 'article');
      const { table = '' } = versions?.storage.version ?? {};
      const json = database.name === 'postgresql' ? '::json' : '';
      const changes = `internal_note = '${long}',
        seo = replace(CAST(seo AS TEXT), '${longest}', '${long}')${json}`;
      const statement = `UPDATE ${table} SET ${changes} WHERE document_id = '${documentId}'`;
      await testEnvironment.database.transact((tx) => tx.execute(statement, []));
      expect(await findLongTexts(source(testEnvironment))).toEqual(
        ['internalNote', 'seo.canonical'].map((path) => ({
          type: 'api::article.article',
          path,
          characters: 255,
          count: 2,
        })),
      );
      const kept = await api.update(
        'article',
        documentId,
        { title: 'u', internalNote: long },
        { populate: 'seo' },
      );
      expect(kept).toMatchObject({ title: 'u', seo: { canonical: long } });
      expect(await issuesOf(api.update('article', documentId, { internalNote: `${long}z` }))).toEqual([
        'internalNote',
      ]);
    });

    it('passwords and private attributes are stored and never returned', async () => {
      const created = await api.create('article', {
        title: 'secret',
        secret: 'hunter22',
        internalNote: 'hidden',
      });
      expect(JSON.stringify(created)).not.toMatch(/hunter22|hidden|\$2[aby]/);
      const rows = (await dumpContent(testEnvironment))['Article'] ?? [];
      const stored = rows
        .filter((row) => row.includes(created.documentId))
        .map((row) => JSON.parse(row) as Record<string, unknown>);
      expect(stored.map((row) => [row['internalNote'], String(row['secret']).slice(0, 3)])).toEqual([
        ['hidden', '$2b'],
        ['hidden', '$2b'],
      ]);
      await api.update('article', created.documentId, { title: 'kept' });
      const kept = ((await dumpContent(testEnvironment))['Article'] ?? [])
        .filter((row) => row.includes(created.documentId))
        .map((row) => (JSON.parse(row) as Record<string, unknown>)['secret']);
      expect(new Set(kept)).toEqual(new Set([stored[0]?.['secret']]));
    });

    it('text with any characters is returned as it was sent', async () => {
      for (const body of [
        '',
        ' ',
        "' or 1=1 --",
        '%_\\',
        '\u0001\u007f\ufeff',
        'é e\u0301 😀 𐍈',
        '\r\n\t',
        '{{x}} $1 ? :a',
        'x'.repeat(200_000),
      ]) {
        expect(await api.create('article', { title: 'text', body, extra: { body } })).toMatchObject({
          body,
          extra: { body },
        });
      }
    });

    it('ids that the database cannot store are treated as missing documents', async () => {
      for (const documentId of [
        '',
        ' ',
        "' or 1=1 --",
        '\0',
        '\ud800',
        'x'.repeat(10_000),
        '__proto__',
        '%',
        '1',
      ]) {
        expect(await api.one('tag', documentId)).toBeNull();
        expect(await api.update('tag', documentId, { weight: 1 })).toBeNull();
        expect(await api.remove('tag', documentId)).toBe(false);
      }
    });

    it('any data result in a record or in an error of the catalogue', async () => {
      const odd: readonly unknown[] = [
        null,
        true,
        '',
        'x',
        '\0',
        '\ud800',
        0,
        -1,
        1.5,
        1e308,
        Number.MAX_SAFE_INTEGER,
        2 ** 31,
        -(2 ** 63),
        '9'.repeat(40),
        '99999-12-31',
        '0000-00-00',
        '2026-02-28T23:59:60Z',
        [],
        {},
        [[]],
        [null],
        [0],
        ['x'],
        [{}],
        { id: 1 },
        [{ id: 1 }],
        { set: ['x'] },
        { connect: [{ id: 2 ** 40 }] },
        { documentId: '\0' },
        [{ __component: 'sections.text', body: '\0' }],
        { metaTitle: '\ud800' },
        JSON.parse('{"__proto__":1}') as unknown,
        JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown,
        'x'.repeat(3000),
      ];
      const attributes = Object.keys(
        testEnvironment.model.typesByUid['api::article.article']?.attributes ?? {},
      );
      const { documentId } = await api.create('article', { title: 'target' });
      const surprises: unknown[] = [];
      for (const name of attributes) {
        for (const value of odd) {
          await api
            .update('article', documentId, { [name]: value }, value === null ? { status: 'draft' } : {})
            .catch((error: unknown) => {
              if (!isGalleyError(error) || error.kind !== 'validation') surprises.push([name, value, error]);
            });
        }
      }
      expect(surprises).toEqual([]);
      expect(await api.one('article', documentId, { populate: '*' })).not.toBeNull();
    });

    it('writes of a missing document return null or false, unless their data are malformed', async () => {
      expect(await api.update('tag', 'missing', { weight: 'heavy' })).toBeNull();
      expect(await issuesOf(api.update('tag', 'missing', { nope: 1 }))).toBe('request/invalid-key');
      expect(await issuesOf(api.update('tag', 'missing', []))).toBe('request/missing-data');
    });

    it('a single type is created by its first write, updated, deleted and created again', async () => {
      const first = await api.create('setting', { siteName: 'a', itemsPerPage: 5 });
      expect(await api.create('setting', { siteName: 'b' })).toMatchObject({
        documentId: first.documentId,
        id: first.id,
        siteName: 'b',
        itemsPerPage: 5,
      });
      expect(await issuesOf(api.create('setting', { siteName: null }))).toEqual(['siteName']);
      expect(await api.remove('setting', first.documentId)).toBe(true);
      expect(
        await api.documents.findOne(
          {
            type: 'api::setting.setting',
            filter: null,
            sort: [],
            selection: { fields: [], populate: [] },
            page: null,
            locale: 'en',
            status: 'published',
            hasPublishedVersion: null,
          },
          null,
        ),
      ).toBeNull();
      expect(await issuesOf(api.create('setting', { maintenance: true }))).toEqual(['siteName']);
      expect(await api.documents.singleDocumentId('api::setting.setting')).toBeNull();
      expect(await api.create('setting', { siteName: 'c' })).toMatchObject({
        siteName: 'c',
        itemsPerPage: 10,
      });
    });

    it('the total is counted only if the query asks for it', async () => {
      const query = {
        type: 'api::tag.tag',
        filter: null,
        sort: [],
        selection: { fields: [], populate: [] },
        locale: 'en',
        status: 'published',
        hasPublishedVersion: null,
      } as const;
      const page = { style: 'page', offset: 0, limit: 3, withCount: true } as const;
      const counted = await api.documents.findMany({ ...query, page });
      expect([counted.records.length, counted.total]).toEqual([3, 20]);
      expect(await api.documents.findMany({ ...query, page: { ...page, withCount: false } })).toMatchObject({
        total: null,
      });
      expect(await api.documents.count({ ...query, page })).toBe(20);
    });
  });
});
