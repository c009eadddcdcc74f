import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModuleLoader } from '../../../../../src/config/module-loader.js';
import { strapiPackages } from '../../../../../src/strapi/package/packages.js';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'node_modules/yup/package.json': '{ "name": "yup", "main": "index.js" }',
  'node_modules/yup/index.js': 'exports.object = () => "a schema of yup";',
  'imports.ts': `
    import utils, { errors, strings, yup } from '@strapi/utils';
    import * as all from '@strapi/utils';
    export const seen = [
      utils.errors === errors, all.strings === strings, (yup as any).object(), (all as any).yup === yup,
    ];
    export const zod = (): unknown => (all as any).z;`,
};

const SCHEMA = {
  kind: 'collectionType',
  modelType: 'contentType',
  info: { singularName: 'loan', pluralName: 'bookLoans' },
  options: { draftAndPublish: true, privateAttributes: ['note'] },
  attributes: {
    title: { type: 'string', private: true, maxLength: 5 },
    cover: { type: 'media' },
    seo: { type: 'component', component: 'shared.seo' },
    zone: { type: 'dynamiczone' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    any: { type: 'relation', relation: 'morphToOne' },
    createdAt: { type: 'datetime' },
    createdBy: { type: 'relation', relation: 'oneToOne', writable: false, visible: false },
  },
};

type Call = (...values: readonly unknown[]) => unknown;
type Group = Readonly<Record<string, Call>>;

/** What Strapi's own package returns. */
const CASES: readonly (readonly [
  group: string,
  name: string,
  values: readonly unknown[],
  result: unknown,
])[] = [
  ['strings', 'nameToSlug', ['Hello Wörld & Co'], 'hello-woerld-and-co'],
  ['strings', 'nameToSlug', ['a b', { separator: '_' }], 'a_b'],
  ['strings', 'nameToCollectionName', ['Foo Bar'], 'foo_bar'],
  ['strings', 'toRegressedEnumValue', ['Foo bar-1'], 'Foo_bar_1'],
  ['strings', 'getCommonPath', ['/a/b/c', '/a/b/d'], '/a/b'],
  ['strings', 'joinBy', ['/', 'a/', '/b/', '/c'], 'a/b/c'],
  ['strings', 'isKebabCase', ['a-b'], true],
  ['strings', 'isCamelCase', ['a-b'], false],
  ['file', 'bytesToKbytes', [12_345], 12.35],
  ['file', 'bytesToHumanReadable', [1_234_567], '1 MB'],
  ['arrays', 'includesString', [[1, 2], '2'], true],
  ['objects', 'keysDeep', [{ a: { b: 1 }, c: 2 }], ['a.b', 'c']],
  ['dates', 'timestampCode', [new Date(36)], '10'],
  ['contentTypes', 'hasDraftAndPublish', [SCHEMA], true],
  ['contentTypes', 'isDraft', [{ publishedAt: null }, SCHEMA], true],
  ['contentTypes', 'getNonWritableAttributes', [SCHEMA], ['id', 'documentId', 'createdAt', 'createdBy']],
  ['contentTypes', 'getVisibleAttributes', [SCHEMA], ['title', 'cover', 'seo', 'zone', 'tags', 'any']],
  ['contentTypes', 'isWritableAttribute', [SCHEMA, 'createdBy'], false],
  ['contentTypes', 'getPrivateAttributes', [SCHEMA], ['note', 'title']],
  ['contentTypes', 'getScalarAttributes', [SCHEMA], ['title', 'createdAt']],
  ['contentTypes', 'getComponentAttributes', [SCHEMA], ['seo', 'zone']],
  ['contentTypes', 'getContentTypeRoutePrefix', [SCHEMA], 'book-loans'],
  ['contentTypes', 'isMorphToRelationalAttribute', [SCHEMA.attributes.any], true],
  ['contentTypes', 'getDoesAttributeRequireValidation', [SCHEMA.attributes.title], true],
  ['relations', 'isManyToAny', [SCHEMA.attributes.tags], true],
  ['pagination', 'withDefaultPagination', [{}], { start: 0, limit: 10 }],
  ['pagination', 'withDefaultPagination', [{ page: 2, pageSize: 5, a: 1 }], { a: 1, start: 5, limit: 5 }],
  [
    'pagination',
    'withDefaultPagination',
    [{ start: 3, limit: -1 }, { maxLimit: 50 }],
    { start: 3, limit: 50 },
  ],
  ['pagination', 'withDefaultPagination', [{ start: -4, limit: 0 }], { start: 0, limit: 1 }],
  [
    'pagination',
    'transformPagedPaginationInfo',
    [{ start: 5, limit: 5 }, 12],
    { page: 2, pageSize: 5, pageCount: 3, total: 12 },
  ],
  [
    'pagination',
    'transformOffsetPaginationInfo',
    [{ page: 2, pageSize: 5 }, 12],
    { start: 5, limit: 5, total: 12 },
  ],
];

const TYPES: readonly (readonly [type: string, value: unknown, result: unknown])[] = [
  ['boolean', 't', true],
  ['integer', '4', 4],
  ['time', '10:11:12', '10:11:12.000'],
  ['date', '2020-01-02', '2020-01-02'],
  ['datetime', '1600000000000', new Date(1_600_000_000_000)],
  ['string', 'as it is', 'as it is'],
];

describe('@strapi/utils', () => {
  let root = '';
  let utils: Readonly<Record<string, unknown>> = {};
  const group = (name: string): Group => utils[name] as Group;
  const call = (name: string, member: string, ...values: readonly unknown[]): unknown =>
    group(name)[member]?.(...values);
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'strapi-utils-'));
    await mkdir(join(root, 'node_modules/yup'), { recursive: true });
    for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
    utils = strapiPackages(root)['@strapi/utils'] as typeof utils;
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('returns what the package of Strapi returns', () => {
    for (const [name, member, values, result] of CASES)
      expect([name, member, call(name, member, ...values)]).toEqual([name, member, result]);
    for (const [type, value, result] of TYPES)
      expect((utils['parseType'] as Call)({ type, value })).toEqual(result);
    expect(() => (utils['parseType'] as Call)({ type: 'time', value: '25:00:00' })).toThrow('Invalid time');
    expect(() => call('pagination', 'withDefaultPagination', { page: 1, start: 1 })).toThrow('both page');
    const creators = (utils['setCreatorFields'] as (of: object) => Call)({ user: { id: 3 } });
    expect(creators({ a: 1 })).toEqual({ a: 1, createdBy: 3, updatedBy: 3 });
  });

  it('waits for what it calls in turn', async () => {
    const add = async (left: number, right: number): Promise<number> => left + right;
    const twice = (value: number): number => value * 2;
    const piped = call('async', 'pipe', (value: number) => add(value, 1), twice) as Call;
    expect(await piped(3)).toBe(8);
    expect(
      await call('async', 'map', [1, 2], async (value: number) => value * 2, { concurrency: 1 }),
    ).toEqual([2, 4]);
    expect(await (call('async', 'map', [1, 2]) as Call)(twice)).toEqual([2, 4]);
    expect(await (call('async', 'reduce', [1, 2]) as Call)(add, 1)).toBe(4);
    const hook = call('hooks', 'createAsyncSeriesWaterfallHook') as Group;
    hook['register']?.((value: number) => value + 1);
    hook['register']?.((value: number) => value * 2);
    expect(await hook['call']?.(1)).toBe(4);
    const provider = (utils['providerFactory'] as Call)() as Group;
    await provider['register']?.('key', 'value');
    await expect(provider['register']?.('key', 'other')).rejects.toThrow('Duplicated item key: key');
    expect(provider['get']?.('key')).toBe('value');
    expect(await call('file', 'streamToBuffer', Readable.from(['a', 'b']))).toEqual(Buffer.from('ab'));
  });

  it('visits the members of data, and removes and sets them', async () => {
    const visitor = ({ key }: { key: string }, { remove, set }: { remove: Call; set: Call }): void => {
      if (key === 'title') remove(key);
      if (key === 'metaTitle') set(key, 'set');
    };
    const getModel = (): object => ({ attributes: { metaTitle: { type: 'string' } } });
    const data = { title: 'a', seo: { metaTitle: 'b', other: 1 }, cover: [{ metaTitle: 'c' }], unknown: 2 };
    expect(await (utils['traverseEntity'] as Call)(visitor, { schema: SCHEMA, getModel }, data)).toEqual({
      seo: { metaTitle: 'set', other: 1 },
      cover: [{ metaTitle: 'set' }],
      unknown: 2,
    });
  });

  it('has all classes of errors, and turns those of yup into them', async () => {
    const errors = utils['errors'] as Readonly<Record<string, new (...values: unknown[]) => Error>>;
    const { RateLimitError, ApplicationError, HttpError } = errors;
    const error = new (RateLimitError as typeof Error)();
    expect([error.name, error instanceof (ApplicationError as typeof Error)]).toEqual([
      'RateLimitError',
      true,
    ]);
    expect(HttpError?.name).toBe('HttpError');
    const inner = [{ path: 'list[0].name', message: 'is needed', name: 'ValidationError', value: 1 }];
    const found = Object.assign(new Error('wrong'), { name: 'ValidationError', inner });
    const schema = { validate: () => Promise.reject(found) };
    await expect(((utils['validateYupSchema'] as Call)(schema) as Call)({})).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'wrong',
      details: { errors: [{ path: ['list', '0', 'name'], message: 'is needed', value: 1 }] },
    });
  });

  it('is imported in any form, and passes on packages that the project has', async () => {
    const loader = createModuleLoader({ root, packages: strapiPackages(root) });
    const loaded = (await loader.load(join(root, 'imports.ts'))) as { seen: unknown; zod: () => unknown };
    expect(loaded.seen).toEqual([true, true, 'a schema of yup', true]);
    expect(() => Reflect.apply(Reflect.get(loaded.zod() as object, 'object') as Call, null, [])).toThrow(
      "z of '@strapi/utils' does not exist here.",
    );
  });
});
