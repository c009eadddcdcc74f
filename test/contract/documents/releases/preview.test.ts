import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleases } from '../../../../src/documents/releases/releases.js';
import type { Releases } from '../../../../src/documents/releases/releases.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import { databases } from '../../../support/databases.js';
import { createRandom } from '../../../support/random.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, errorOf, uidOf } from '../service.js';
import type { Api } from '../service.js';

const locales = { defaultCode: () => 'en', has: (code: string) => ['en', 'fr', 'de'].includes(code) };
const SEEDS = [1, 2, 3];
const AUTHORS = 6;
const TAGS = 6;
const PAGES = 14;

const POPULATE: readonly unknown[] = [
  undefined,
  '*',
  { author: { populate: '*' }, tags: { sort: 'name:desc', filters: { name: { $containsi: 'tag' } } } },
  { localizations: true, related: { populate: ['author'] } },
];
const FILTERS: readonly unknown[] = [
  undefined,
  { title: { $containsi: 'edited' } },
  { author: { name: { $containsi: 'edited' } } },
  { tags: { name: { $notContains: 'edited' } } },
  { author: { id: { $null: true } } },
  { tags: { pages: { title: { $contains: '1' } } } },
  { related: { title: { $contains: 'edited' } }, publishedAt: { $notNull: true } },
];
const SORTS: readonly unknown[] = [undefined, 'title:desc', 'author.name,title', 'id:desc'];

/** A list of pages and of the types that link to them, in many forms. */
const QUERIES: readonly (readonly [type: string, params: RawReadParams])[] = [
  ...FILTERS.flatMap((filters) =>
    SORTS.map((sort, index): readonly [string, RawReadParams] => [
      'page',
      { filters, sort, populate: POPULATE[index] },
    ]),
  ),
  ...POPULATE.map((populate): readonly [string, RawReadParams] => [
    'page',
    { populate, locale: '*', sort: 'title' },
  ]),
  ...FILTERS.map((filters): readonly [string, RawReadParams] => [
    'page',
    { filters, locale: 'fr', populate: '*' },
  ]),
  ...[{ page: 1 }, { page: 2 }, { page: 3 }].map(({ page }): readonly [string, RawReadParams] => [
    'page',
    { pagination: { page, pageSize: 3, withCount: true } },
  ]),
  ['page', { _q: 'edited' }],
  ['author', { populate: { pages: { populate: '*' } } }],
  ['author', { filters: { pages: { title: { $contains: 'edited' } } } }],
  ['author', { populate: { pages: { count: true } } }],
  ['tag', { populate: { pages: { sort: 'title', fields: ['title'] } }, sort: 'name' }],
  ['tag', { filters: { pages: { author: { name: { $contains: 'edited' } } } } }],
  ['shelf', { populate: { pages: { populate: '*' } } }],
  ['shelf', { filters: { pages: { title: { $contains: 'edited' } } } }],
];

/** Removes the times of writes, and the ids of records that are not published yet. */
const comparable = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    key === 'publishedAt' || key === 'updatedAt' || key === 'id' ? undefined : value,
  );

describe.each(databases)('the preview of a release on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let releases: Releases;

  const read = async (type: string, params: RawReadParams) => {
    const query = parseReadQuery(environment.model, uidOf(environment, type), params, {
      limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
      access: { canFind: () => true },
      defaultLocale: 'en',
    });
    const { records, total } = await api.documents.findMany(query);
    return { records: records.map(comparable), total, count: await api.documents.count(query) };
  };
  const readAll = async (release?: string) => {
    const found: unknown[] = [];
    for (const [type, params] of QUERIES)
      found.push({
        type,
        params,
        ...(await read(type, release === undefined ? params : { ...params, release })),
      });
    return found;
  };

  beforeAll(async () => {
    const localized = { pluginOptions: { i18n: { localized: true } } };
    environment = await createTestEnvironment({
      model: {
        components: { 'shared.part': { attributes: { label: { type: 'string' } } } },
        types: {
          author: {
            draftAndPublish: true,
            attributes: {
              name: { type: 'string' },
              pages: {
                type: 'relation',
                relation: 'oneToMany',
                target: 'api::page.page',
                mappedBy: 'author',
              },
            },
          },
          tag: {
            draftAndPublish: true,
            attributes: {
              name: { type: 'string' },
              pages: {
                type: 'relation',
                relation: 'manyToMany',
                target: 'api::page.page',
                mappedBy: 'tags',
              },
            },
          },
          shelf: {
            draftAndPublish: false,
            attributes: {
              pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
            },
          },
          page: {
            draftAndPublish: true,
            localized: true,
            attributes: {
              title: { type: 'string', ...localized },
              part: { type: 'component', component: 'shared.part', ...localized },
              author: {
                type: 'relation',
                relation: 'manyToOne',
                target: 'api::author.author',
                inversedBy: 'pages',
                ...localized,
              },
              tags: {
                type: 'relation',
                relation: 'manyToMany',
                target: 'api::tag.tag',
                inversedBy: 'pages',
                ...localized,
              },
              related: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', ...localized },
            },
          },
        },
      },
      database,
    });
    api = createApi(environment);
    releases = createReleases({
      database: environment.database,
      model: environment.model,
      documents: api.documents,
      locales,
    });
  });
  afterAll(() => environment.close());

  it.each(SEEDS)('equals the state after its publication (seed %i)', async (seed) => {
    const { next, pick } = createRandom(seed);
    /** True once in `times`. */
    const happens = (times: number): boolean => next() < 1 / times;
    const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => happens(3));
    const name = `release-${seed}`;
    const changes: Parameters<Releases['add']>[1][number][] = [];
    const change = (type: string, documentId: string, locale?: string): void => {
      if (happens(2)) return;
      changes.push({
        type: uidOf(environment, type),
        documentId,
        action: happens(4) ? 'unpublish' : 'publish',
        ...(locale === undefined ? {} : { locale }),
      });
    };
    const create = async (type: string, data: unknown) =>
      (await api.create(type, data, { status: happens(3) ? 'draft' : 'published' })).documentId;
    const series = async (count: number, make: (index: number) => Promise<string>) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) ids.push(await make(index));
      return ids;
    };
    const authors = await series(AUTHORS, (index) => create('author', { name: `author ${seed} ${index}` }));
    const tags = await series(TAGS, (index) => create('tag', { name: `tag ${seed} ${index}` }));
    const pages: string[] = [];
    const frenchPages: string[] = [];
    const dataOf = (title: string, linked: readonly string[]) => ({
      title,
      part: happens(2) ? null : { label: title },
      author: pick([...authors, null]),
      tags: some(tags),
      related: some(linked),
    });
    await series(PAGES, async (index) => {
      const documentId = await create('page', dataOf(`page ${seed} ${index}`, pages));
      if (happens(2)) {
        await api.update('page', documentId, dataOf(`page fr ${seed} ${index}`, frenchPages), {
          locale: 'fr',
          status: pick(['draft', 'published']),
        });
        frenchPages.push(documentId);
      }
      pages.push(documentId);
      return documentId;
    });
    await api.create('shelf', { pages: some(pages) });
    for (const [type, ids] of [
      ['author', authors],
      ['tag', tags],
    ] as const)
      for (const documentId of ids) {
        if (happens(2))
          await api.update(type, documentId, { name: `edited ${documentId}` }, { status: 'draft' });
        change(type, documentId);
      }
    for (const documentId of pages) {
      change('page', documentId);
      if ((await api.one('page', documentId, { locale: 'fr', status: 'draft' })) !== null)
        change('page', documentId, 'fr');
    }
    // Documents of the release alone are edited: links are published with either of their ends.
    for (const { type, documentId, locale = 'en', action } of changes)
      if (type === uidOf(environment, 'page') && action === 'publish' && happens(2))
        await api.update(
          'page',
          documentId,
          dataOf(`edited ${locale} ${documentId}`, locale === 'fr' ? frenchPages : pages),
          { locale, status: 'draft' },
        );

    await releases.create(name);
    await releases.add(name, changes);
    const before = await readAll();
    const preview = await readAll(name);
    expect(await readAll()).toEqual(before);
    await releases.publish(name);
    const after = await readAll();
    expect(preview).not.toEqual(before);
    for (const [index, response] of after.entries()) expect(preview[index]).toEqual(response);
    expect(await readAll(name)).toEqual(after);
  });

  it('is rejected for unknown releases, drafts and conditions on drafts', async () => {
    const codes = await Promise.all(
      [
        { release: 'nowhere' },
        { release: 'a b' },
        { release: ['a'] },
        { release: 'release-1', status: 'draft' },
        { release: 'release-1', publicationFilter: 'modified' },
        { release: 'release-1', hasPublishedVersion: true },
      ].map(async (params) => (await errorOf(read('page', params))).code),
    );
    expect(codes).toEqual(['request/unknown-release', ...Array(5).fill('request/invalid-parameter')]);
  });

  it('shows no drafts of types whose drafts are hidden from the caller', async () => {
    const secret = await api.create('author', { name: 'before' });
    await api.update('author', secret.documentId, { name: 'secret' }, { status: 'draft' });
    const { documentId } = await api.create('page', { title: 'shown', author: secret.documentId });
    const author = uidOf(environment, 'author');
    await releases.create('hidden');
    await releases.add('hidden', [
      { type: author, documentId: secret.documentId, action: 'publish' },
      { type: uidOf(environment, 'page'), documentId, action: 'publish' },
    ]);
    const access = { canFind: () => true, withoutDrafts: [author] };
    const parse = (type: string, params: RawReadParams) =>
      parseReadQuery(environment.model, uidOf(environment, type), params, {
        limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
        access,
        defaultLocale: 'en',
      });
    expect(() => parse('author', { release: 'hidden' })).toThrow(/draft/i);
    const filters = { documentId };
    const populated = await api.documents.findMany(
      parse('page', { release: 'hidden', populate: '*', filters }),
    );
    expect(populated.records.join('')).toContain('"before"');
    expect(populated.records.join('')).not.toContain('secret');
    const probe = { author: { name: { $startsWith: 'secret' } } };
    expect(
      (await api.documents.findMany(parse('page', { release: 'hidden', filters: probe }))).records,
    ).toEqual([]);
  });
});
