import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Attributes } from '../../support/models.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi } from './service.js';
import type { Api, ReturnedRecord } from './service.js';

const relation = (kind: string, target: string, options: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...options,
});

/** The inverse attribute of a type, and the attributes of the type that it refers to. */
interface Pair {
  readonly what: string;
  readonly inverse: readonly [kind: string, options: object];
  readonly owner: readonly [kind: string, options: object];
  readonly others?: readonly string[];
  readonly linked: boolean;
  /** True if the inverse attribute shows a list. */
  readonly many: boolean;
}

/** What Strapi makes of ends that do not match. */
const PAIRS: readonly Pair[] = [
  {
    what: 'mappedBy names another attribute',
    inverse: ['oneToMany', { mappedBy: 'bio' }],
    owner: ['manyToOne', { inversedBy: 'inverse' }],
    others: ['bio'],
    linked: true,
    many: true,
  },
  {
    what: 'mappedBy and inversedBy at once',
    inverse: ['manyToMany', { mappedBy: 'owner', inversedBy: 'owner' }],
    owner: ['manyToMany', { mappedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'two owners',
    inverse: ['manyToMany', { inversedBy: 'owner' }],
    owner: ['manyToMany', { inversedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'a single inverse of manyToOne',
    inverse: ['oneToOne', { mappedBy: 'owner' }],
    owner: ['manyToOne', { inversedBy: 'inverse' }],
    linked: true,
    many: false,
  },
  {
    what: 'an inverse manyToMany of manyToOne',
    inverse: ['manyToMany', { mappedBy: 'owner' }],
    owner: ['manyToOne', { inversedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'an inverse oneToMany of manyToMany',
    inverse: ['oneToMany', { mappedBy: 'owner' }],
    owner: ['manyToMany', { inversedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'an inverse oneToMany of oneToOne',
    inverse: ['oneToMany', { mappedBy: 'owner' }],
    owner: ['oneToOne', { inversedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'an inverse that does not say so',
    inverse: ['oneToMany', {}],
    owner: ['manyToOne', { inversedBy: 'inverse' }],
    linked: true,
    many: true,
  },
  {
    what: 'mappedBy of an attribute that does not exist',
    inverse: ['oneToMany', { mappedBy: 'nothing' }],
    owner: ['manyToOne', {}],
    linked: false,
    many: true,
  },
  {
    what: 'mappedBy of a one-way relation',
    inverse: ['oneToOne', { mappedBy: 'owner' }],
    owner: ['oneToOne', {}],
    linked: false,
    many: false,
  },
];

const inverseType = (index: number): string => `left-${index}`;
const ownerType = (index: number): string => `right-${index}`;

const pairTypes = ({ inverse, owner, others = [] }: Pair, index: number) => ({
  [inverseType(index)]: {
    draftAndPublish: true,
    attributes: {
      name: { type: 'string' },
      inverse: relation(inverse[0], ownerType(index), inverse[1]),
    } as Attributes,
  },
  [ownerType(index)]: {
    draftAndPublish: true,
    attributes: {
      name: { type: 'string' },
      owner: relation(owner[0], inverseType(index), owner[1]),
      ...Object.fromEntries(others.map((name) => [name, relation('manyToOne', inverseType(index))])),
    } as Attributes,
  },
});

const ORDER = {
  draftAndPublish: true,
  attributes: {
    status: { type: 'enumeration', enum: ['open', 'draft', 'published'] },
    meta: { type: 'json' },
    strapiId: { type: 'string' },
    createdAt: { type: 'string' },
    locale: { type: 'string' },
    buyer: relation('oneToOne', 'nobody'),
  } as Attributes,
};

/** Names that no command writes, and that Strapi stores all the same. */
const ODD_NAMES = ['1st', 'foo bar', 'über', 'a.b', '$x', 'Локаль', ' spaced ', 'what?'];

const ODD = {
  attributes: Object.fromEntries(ODD_NAMES.map((name) => [name, { type: 'string' }])) as Attributes,
};

const names = (value: unknown): readonly unknown[] => {
  const records = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return (records as readonly ReturnedRecord[]).map(({ name }) => name);
};

describe.each(databases)('schema files that Strapi accepts, on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    const types = Object.assign({}, ...PAIRS.map(pairTypes)) as ReturnType<typeof pairTypes>;
    testEnvironment = await createTestEnvironment({
      model: { types: { ...types, order: ORDER, odd: ODD } },
      database,
    });
    api = createApi(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each(PAIRS.map((pair, index) => [pair.what, index, pair] as const))(
    'relations: %s',
    async (_what, index, { linked, many }) => {
      const [left, right] = [inverseType(index), ownerType(index)];
      const one = async (type: string, { documentId }: ReturnedRecord) =>
        api.one(type, documentId, { populate: type === left ? { inverse: true } : { owner: true } });
      const a = await api.create(left, { name: 'a' });
      const b = await api.create(right, { name: 'b', owner: [a.documentId] });
      expect(names((await one(right, b))?.['owner'])).toEqual(['a']);
      expect(names((await one(left, a))?.['inverse'])).toEqual(linked ? ['b'] : []);
      const other = await api.create(right, { name: 'other' });
      const c = await api.create(left, { name: 'c', inverse: [other.documentId] });
      expect(names((await one(left, c))?.['inverse'])).toEqual(linked ? ['other'] : []);
      expect(names((await one(right, other))?.['owner'])).toEqual(linked ? ['c'] : []);
      const shown = (await one(left, c))?.['inverse'];
      expect([shown !== undefined, Array.isArray(shown)]).toEqual([linked, linked && many]);
    },
  );

  it.each(PAIRS.flatMap(({ what, linked }, index) => (linked ? [[what, index] as const] : [])))(
    'filters: %s',
    async (_what, index) => {
      const { documentId } = await api.create(ownerType(index), { name: 'found' });
      await api.create(inverseType(index), { name: 'finder', inverse: [documentId] });
      const found = await api.list(inverseType(index), { filters: { inverse: { name: 'found' } } });
      expect(names(found)).toEqual(['finder']);
    },
  );

  it('attributes called status and meta are separate from the version', async () => {
    const data = { status: 'draft', meta: { total: 1 }, strapiId: 's' };
    const { documentId } = await api.create('order', data, { status: 'published' });
    await api.update('order', documentId, { status: 'open', buyer: 7 }, { status: 'draft' });
    const read = (status: string) =>
      api.list('order', { status, filters: { status: ['open', 'draft'] }, fields: ['status', 'meta'] });
    expect(await read('draft')).toMatchObject([{ documentId, status: 'open', meta: { total: 1 } }]);
    expect(await read('published')).toMatchObject([{ documentId, status: 'draft', meta: { total: 1 } }]);
    expect(await api.list('order', { status: 'published', filters: { status: 'published' } })).toEqual([]);
    await api.act('publish', 'order', documentId);
    expect(await read('published')).toMatchObject([{ status: 'open' }]);
    await api.act('unpublish', 'order', documentId);
    expect(await read('published')).toEqual([]);
    expect(await api.list('order', { status: 'draft', sort: 'status:desc' })).toHaveLength(1);
  });

  it('attributes have any name', async () => {
    const data = Object.fromEntries(ODD_NAMES.map((name, index) => [name, `value ${index}`]));
    const { documentId } = await api.create('odd', data);
    expect(await api.one('odd', documentId)).toMatchObject(data);
    for (const name of ODD_NAMES.filter((each) => !each.startsWith('$')))
      expect(await api.list('odd', { filters: { [name]: data[name] } })).toMatchObject([{ documentId }]);
  });

  it('system fields replace attributes of their names, and relations to nothing stay empty', async () => {
    for (const data of [{ createdAt: 'yesterday' }, { locale: 'de' }])
      await expect(api.create('order', data)).rejects.toMatchObject({ code: 'request/invalid-key' });
    const { documentId } = await api.create('order', { buyer: null });
    const order = await api.one('order', documentId, { populate: ['buyer'], status: 'draft' });
    expect(order).toMatchObject({ createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string });
    expect(Object.keys(order ?? {})).not.toContain('buyer');
    expect(Object.keys(order ?? {})).not.toContain('locale');
  });
});
