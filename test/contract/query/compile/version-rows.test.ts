import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { runQuery, count } from './run-query.js';
import { seed } from './seed.js';

const name = { type: 'string' };
const relation = (kind: string, target: string, more: Readonly<Record<string, string>> = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});

/**
 * Shelves have neither drafts nor locales, pages have both. A link from a shelf has to name the status and
 * locale of its page.
 */
const PROJECT: ProjectLiteral = {
  types: {
    shelf: {
      attributes: {
        name,
        page: relation('oneToOne', 'page', { inversedBy: 'owner' }),
        pages: relation('manyToMany', 'page', { inversedBy: 'shelves' }),
        boxes: { type: 'component', repeatable: true, component: 'parts.box' },
      },
    },
    page: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        name,
        owner: relation('oneToOne', 'shelf', { mappedBy: 'page' }),
        shelves: relation('manyToMany', 'shelf', { mappedBy: 'pages' }),
      },
    },
  },
  components: {
    'parts.box': {
      attributes: {
        label: { type: 'string' },
        page: relation('oneToOne', 'page'),
        pages: relation('oneToMany', 'page'),
      },
    },
  },
};

const SHELF = 'api::shelf.shelf';
const PAGE = 'api::page.page';

const BOXES = [{ id: 1, label: 'x', page: 'p', pages: ['q', 'p'] }];

describe.each(databases)('versions on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    const versions = (documentId: string, locales: readonly string[]) =>
      locales.flatMap((locale) =>
        (['draft', 'published'] as const).map((status) => ({
          documentId,
          locale,
          status,
          values: { name: `${documentId} ${locale} ${status}` },
        })),
      );
    await seed(testEnvironment, PAGE, [
      ...versions('p', ['en', 'fr']),
      ...versions('q', ['en']),
      { documentId: 'r', locale: 'fr', status: 'draft', values: { name: 'r fr draft' } },
    ]);
    await seed(testEnvironment, SHELF, [
      {
        documentId: 's',
        values: { name: 's', boxes: BOXES },
        links: {
          page: 'q@en#published',
          pages: ['p@fr#published', 'p@en#draft', 'q@en#draft', 'q@en#published', 'r@fr#draft'],
        },
      },
      { documentId: 'u', values: { name: 'u', boxes: [{ id: 2, label: 'y', page: null }] } },
    ]);
  });
  afterAll(() => testEnvironment.close());

  const names = async (type: string, params: RawReadParams = {}): Promise<readonly unknown[]> => {
    expect(await count(testEnvironment, type, params)).toBe(
      (await runQuery(testEnvironment, type, params)).length,
    );
    return (await runQuery(testEnvironment, type, params)).map((record) => record['name']);
  };

  it.each([
    [{}, ['p en published', 'q en published']],
    [{ status: 'draft' }, ['p en draft', 'q en draft']],
    [{ locale: 'fr' }, ['p fr published']],
    [{ locale: 'fr', status: 'draft' }, ['p fr draft', 'r fr draft']],
    [{ locale: '*' }, ['p en published', 'p fr published', 'q en published']],
    [{ locale: 'xx' }, []],
    [{ locale: '*', status: 'draft', hasPublishedVersion: true }, ['p en draft', 'p fr draft', 'q en draft']],
    [{ locale: '*', status: 'draft', hasPublishedVersion: false }, ['r fr draft']],
  ])('are selected by %j', async (params, found) => {
    expect(await names(PAGE, params)).toEqual(found);
  });

  it('of a type without drafts and locales are selected by any status and locale', async () => {
    expect(await names(SHELF, { status: 'draft', locale: 'xx', hasPublishedVersion: false })).toEqual([
      's',
      'u',
    ]);
  });

  it('are linked separately from a type without drafts and locales', async () => {
    const populate = { page: { fields: ['name'] }, pages: { fields: ['name'] } };
    const read = async (params: RawReadParams) =>
      (
        await runQuery(testEnvironment, SHELF, {
          fields: ['name'],
          populate,
          filters: { name: 's' },
          ...params,
        })
      )[0];
    expect(await read({})).toEqual({
      id: 1,
      documentId: 's',
      name: 's',
      page: { id: 6, documentId: 'q', name: 'q en published' },
      pages: [
        { id: 4, documentId: 'p', name: 'p fr published' },
        { id: 6, documentId: 'q', name: 'q en published' },
      ],
    });
    expect(await read({ status: 'draft', locale: 'fr' })).toEqual({
      id: 1,
      documentId: 's',
      name: 's',
      page: null,
      pages: [
        { id: 1, documentId: 'p', name: 'p en draft' },
        { id: 5, documentId: 'q', name: 'q en draft' },
        { id: 7, documentId: 'r', name: 'r fr draft' },
      ],
    });
  });

  it('return only their own links', async () => {
    const populate = { owner: { fields: ['name'] }, shelves: { fields: ['name'] } };
    const read = async (params: RawReadParams) =>
      (await runQuery(testEnvironment, PAGE, { fields: ['name'], populate, sort: 'id', ...params })).map(
        ({ name: of, owner, shelves }) => [of, owner, shelves],
      );
    const shelf = { id: 1, documentId: 's', name: 's' };
    expect(await read({})).toEqual([
      ['p en published', null, []],
      ['q en published', shelf, [shelf]],
    ]);
    expect(await read({ locale: 'fr' })).toEqual([['p fr published', null, [shelf]]]);
    expect(await read({ status: 'draft' })).toEqual([
      ['p en draft', null, [shelf]],
      ['q en draft', null, [shelf]],
    ]);
  });

  it('are filtered and sorted by the links that they return', async () => {
    expect(await names(SHELF, { filters: { pages: { name: 'p en published' } } })).toEqual([]);
    expect(await names(SHELF, { filters: { pages: { name: 'p fr published' } } })).toEqual(['s']);
    expect(await names(SHELF, { filters: { page: { $null: true } } })).toEqual(['u']);
    expect(await names(SHELF, { filters: { page: { $null: true } }, status: 'draft' })).toEqual(['s', 'u']);
    expect(await names(SHELF, { sort: 'page.name:asc' })).toEqual(['u', 's']);
    expect(await names(PAGE, { filters: { shelves: { name: 's' } }, locale: '*' })).toEqual([
      'p fr published',
      'q en published',
    ]);
  });

  it('of all locales are returned through a component of a type without locales', async () => {
    const populate = { boxes: { populate: { page: { fields: ['name'] }, pages: { fields: ['name'] } } } };
    const [s, u] = await runQuery(testEnvironment, SHELF, { fields: [], populate });
    expect(s).toEqual({
      id: 1,
      documentId: 's',
      boxes: [
        {
          id: 1,
          label: 'x',
          page: { id: 2, documentId: 'p', name: 'p en published' },
          pages: [
            { id: 6, documentId: 'q', name: 'q en published' },
            { id: 2, documentId: 'p', name: 'p en published' },
            { id: 4, documentId: 'p', name: 'p fr published' },
          ],
        },
      ],
    });
    expect(u).toEqual({ id: 2, documentId: 'u', boxes: [{ id: 2, label: 'y', page: null, pages: [] }] });
    expect(await names(SHELF, { filters: { boxes: { pages: { name: 'p fr draft' } } } })).toEqual([]);
    expect(
      await names(SHELF, { filters: { boxes: { pages: { name: 'p fr draft' } } }, status: 'draft' }),
    ).toEqual(['s']);
    expect(await names(SHELF, { filters: { boxes: { page: { $null: true } } } })).toEqual(['u']);
  });
});
