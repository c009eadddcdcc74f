import { describe, expect, it } from 'vitest';
import type { Attribute, ContentModel } from '../../../src/model/model.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, issuesOf } from './service.js';

/** Id of the file that media attributes link. */
const FILE_ID = 1;

/** Returns a value that meets every constraint of the fixtures. */
const sample = (model: ContentModel, attribute: Attribute): unknown => {
  switch (attribute.family) {
    case 'relation':
      return attribute.many ? [] : null;
    case 'media':
      return attribute.many ? [FILE_ID] : FILE_ID;
    case 'component': {
      const item = sampleOf(model, model.componentsByUid[attribute.component]?.attributes ?? {});
      return attribute.repeatable ? Array.from({ length: attribute.min ?? 1 }, () => item) : item;
    }
    case 'dynamiczone':
      return attribute.components.map((uid) => ({
        __component: uid,
        ...(sampleOf(model, model.componentsByUid[uid]?.attributes ?? {}) as object),
      }));
    case 'scalar':
      return sampleScalar(attribute);
    default:
      return attribute satisfies never;
  }
};

const sampleScalar = ({ type, constraints }: Attribute & { readonly family: 'scalar' }): unknown => {
  const values: Readonly<Record<string, unknown>> = {
    integer: 7,
    biginteger: '9007199254740993',
    float: 1.5,
    decimal: 2.25,
    boolean: true,
    date: '2026-02-28',
    time: '10:30:15.000',
    datetime: '2026-02-28T10:30:15.000Z',
    timestamp: '2026-02-28T10:30:15.000Z',
    json: { a: [1, null, 'é'] },
    blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }],
    enumeration: constraints.enum?.[0],
    email: 'a@b.org',
    password: 'hunter22',
  };
  const text = 'some-text'.padEnd(constraints.minLength ?? 0, '-').slice(0, constraints.maxLength);
  return values[type] ?? text;
};

const sampleOf = (
  model: ContentModel,
  attributes: Readonly<Record<string, Attribute>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.values(attributes).map((attribute) => [attribute.name, sample(model, attribute)]),
  );

const ODD_NAMES = {
  types: {
    'order-of-the-day': {
      draftAndPublish: true,
      localized: true,
      attributes: {
        select: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
        from: { type: 'text' },
        'group-by': { type: 'json' },
        where: { type: 'boolean' },
        model: { type: 'integer' },
        AND: { type: 'decimal' },
        until: { type: 'timestamp' },
        anAttributeWhoseNameIsFarLongerThanFortyCharactersAndGoesOnAndOnForEver: { type: 'datetime' },
        table: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::user-table.user-table',
          inversedBy: 'order',
        },
        join: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'api::user-table.user-table',
          inversedBy: 'union',
        },
        default: { type: 'component', component: 'group.limit', repeatable: true },
      },
    },
    'user-table': {
      collectionName: 'select',
      attributes: {
        name: { type: 'string' },
        order: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::order-of-the-day.order-of-the-day',
          mappedBy: 'table',
        },
        union: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'api::order-of-the-day.order-of-the-day',
          mappedBy: 'join',
        },
      },
    },
  },
  components: {
    'group.limit': {
      attributes: {
        offset: { type: 'biginteger' },
        'double-dash': { type: 'string' },
        before: { type: 'timestamp' },
        in: { type: 'relation', relation: 'oneToMany', target: 'api::user-table.user-table' },
      },
    },
  },
} as const;

describe.each(databases)('values of every type on $name', (database) => {
  it.each(['magazine', 'launchpad'] as const)(
    'every type of the %s stores and returns values of all kinds, also when they are written again',
    async (name) => {
      const testEnvironment = await createTestEnvironment({ model: name, database });
      const api = createApi(testEnvironment);
      const file = await api.create('file', {
        name: 'f',
        hash: 'h',
        mime: 'image/png',
        size: 1,
        url: '/f',
        provider: 'local',
      });
      expect(file.id).toBe(FILE_ID);
      for (const type of testEnvironment.model.types) {
        const data = sampleOf(testEnvironment.model, type.attributes);
        const created = await api.create(type.singularName, data);
        const again = await api.update(type.singularName, created.documentId, data);
        expect(again?.id, type.uid).toBe(created.id);
        expect(await api.list(type.singularName, { populate: '*' }), type.uid).toHaveLength(
          type.singularName === 'file' ? 2 : 1,
        );
        expect(await api.remove(type.singularName, created.documentId, '*'), type.uid).toBe(true);
      }
      await api.remove('file', file.documentId);
      const left = Object.values(await dumpContent(testEnvironment)).flat();
      expect(left).toEqual([]);
      await testEnvironment.close();
    },
  );

  it('names that are SQL keywords, have hyphens or are long work like others', async () => {
    const testEnvironment = await createTestEnvironment({ model: ODD_NAMES, database });
    const api = createApi(testEnvironment);
    const [t1, t2] = [
      await api.create('user-table', { name: 'one' }),
      await api.create('user-table', { name: 'two' }),
    ];
    const data = {
      select: 'a',
      from: 'f',
      'group-by': { x: 1 },
      where: true,
      model: 1,
      AND: 1.5,
      anAttributeWhoseNameIsFarLongerThanFortyCharactersAndGoesOnAndOnForEver: '2026-02-28T00:00:00.000Z',
      table: t1.documentId,
      join: [t2.documentId, t1.documentId],
      until: '2026-02-28T13:45:00.123Z',
      default: [
        { offset: '12', 'double-dash': '--', before: '1969-12-31T23:59:58.500Z', in: [t2.documentId] },
      ],
    };
    const populate = { table: true, join: true, default: { populate: 'in' } };
    const expected = {
      ...data,
      table: { name: 'one' },
      join: [{ name: 'two' }, { name: 'one' }],
      // Moments of this type are printed as Strapi prints them.
      until: '1772286300123',
      default: [{ offset: '12', 'double-dash': '--', before: '-1500', in: [{ name: 'two' }] }],
    };
    const created = await api.create('order-of-the-day', data, { populate });
    expect(created).toMatchObject(expected);
    expect(await api.update('order-of-the-day', created.documentId, {}, { populate })).toMatchObject(
      expected,
    );
    expect(await issuesOf(api.create('order-of-the-day', { select: 'a' }))).toEqual(['select']);
    await api.update('order-of-the-day', created.documentId, { select: 'fr' }, { locale: 'fr' });
    await api.update('user-table', t1.documentId, {
      order: [],
      union: { connect: [{ documentId: created.documentId, position: { start: true } }] },
    });
    expect(await api.one('order-of-the-day', created.documentId, { populate })).toMatchObject({
      table: null,
      join: [{ name: 'two' }, { name: 'one' }],
    });
    await api.act('unpublish', 'order-of-the-day', created.documentId);
    expect(await api.remove('order-of-the-day', created.documentId)).toBe(true);
    await testEnvironment.close();
  });
});
